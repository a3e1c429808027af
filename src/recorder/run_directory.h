// RunDirectory: finds or makes the directory a run records into.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "tensortap/result.h"
#include "tensortap/run_options.h"

namespace tensortap::recorder {

// A directory that was chosen, and the file whose creation claimed it.
struct ClaimedDirectory {
  std::string path;
  std::vector<std::string> notes;  // what was decided, in sentences
  std::unique_ptr<File> captures;
};

// This machine's name, made safe for file names.
const std::string& host_name();

// "captures.1700000000.host.123.0.tap" / "events.out.tfevents.1700000000.host.123.0", unique within the process; with
// O_EXCL also between processes.
Result<std::unique_ptr<File>> create_run_file(FileSystem& file_system, const std::string& directory,
                                              std::string_view prefix, std::string_view suffix, double wall_secs);
Result<std::unique_ptr<File>> create_captures_file(FileSystem& file_system, const std::string& directory,
                                                   double wall_secs);
Result<std::unique_ptr<File>> create_events_file(FileSystem& file_system, const std::string& directory,
                                                 double wall_secs);

// Chooses by `mode`, makes the directory, and creates the first file in it, all under a lock on the directory, so that
// two processes that start at once with RunMode::kNew never share one.
// kIo with path and reason; kInvalidArgument for kOverwrite of a directory that holds something else than a run.
Result<ClaimedDirectory> claim_directory(FileSystem& file_system, const std::string& path, RunMode mode,
                                         double wall_secs);

}  // namespace tensortap::recorder
