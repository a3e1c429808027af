// OpenLogs: a log directory read whole, as every command begins.
#pragma once

#include <memory>
#include <string>

#include "cli/program.h"
#include "query/runs.h"
#include "store/log_directory.h"

namespace tensortap::cli {

struct LogsOptions {
  std::string directory;
  bool no_cache = false;
  bool follow_links = false;
  unsigned threads = 0;  // 0: one per processor
};

// LOGDIR, --no-cache, --follow-links, --threads. Without `cached` every byte is read, and there is no --no-cache.
void describe_logs(Command& command, LogsOptions* options, bool cached = true);

store::LoadOptions load_options(const LogsOptions& options, bool cached = true);

struct OpenedLogs {
  std::unique_ptr<store::LogDirectory> directory;
  std::unique_ptr<const query::Runs> runs;
};

// Reads everything, with a progress bar. kNotFound, kInvalidArgument as LogDirectory.
Result<OpenedLogs> open_logs(const LogsOptions& options, bool cached = true);

// For when the results are printed: nobody waits for the cache to be saved.
void finish(OpenedLogs logs);

// "tensortap ls: no such directory: runs" on stderr; returns the exit code for it.
int fail(const char* command, const Status& status);

}  // namespace tensortap::cli
