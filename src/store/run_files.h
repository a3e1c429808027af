// RunFiles: finds the files of runs below a log directory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tensortap/result.h"

namespace tensortap::store {

enum class RunFileKind { kEvents, kCaptures };

struct RunFile {
  std::string path;
  std::string run;  // the directory below the log directory; "." for the log directory itself
  RunFileKind kind = RunFileKind::kEvents;
};

// Something with the name of a run's file that is none: a pipe, a directory, a name that cannot be looked at.
struct UnreadablePath {
  std::string path;
  std::string reason;
};

struct RunFiles {
  std::vector<RunFile> files;  // by run, then by name
  std::vector<UnreadablePath> unreadable;
};

// Walks `log_directory` without following links to directories, so that loops end.
// kNotFound when it is not there, kInvalidArgument when it is no directory.
Result<RunFiles> find_run_files(const std::string& log_directory);

}  // namespace tensortap::store
