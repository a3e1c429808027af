// RunFiles: finds the files of runs below a log directory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/read_file.h"
#include "tensortap/result.h"

namespace tensortap::store {

enum class RunFileKind : std::uint8_t { kEvents, kCaptures };

// A file that a run is made of.
struct RunFile {
  std::string root;      // the log directory
  std::string relative;  // below it
  std::string run;       // the directory below the log directory; "." for the log directory itself
  RunFileKind kind = RunFileKind::kEvents;

  std::string path() const { return root + "/" + relative; }
  bool operator==(const RunFile&) const = default;
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

// kNotFound when it is not there, kInvalidArgument when it is no directory.
Status check_log_directory(const std::string& path);

// Walks `log_directory`. With Links::kInside links to directories are not walked and named as unreadable when they
// might hold runs; with kFollow they are, each directory once. Fails as check_log_directory().
Result<RunFiles> find_run_files(const std::string& log_directory, Links links = Links::kInside);

}  // namespace tensortap::store
