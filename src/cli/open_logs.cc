// OpenLogs: load, while a bar shows how far.
#include "cli/open_logs.h"

#include <cstdio>
#include <utility>

#include "base/try.h"
#include "cli/exit_code.h"
#include "cli/progress_bar.h"
#include "cli/visible_text.h"
#include "store/index_cache.h"

namespace tensortap::cli {

void describe_logs(Command& command, LogsOptions* options, bool cached) {
  command.argument("LOGDIR", &options->directory, "directory with runs");
  command.flag("--follow-links", &options->follow_links, "follow links that lead out of LOGDIR");
  if (cached) command.flag("--no-cache", &options->no_cache, "read every file anew, and remember nothing");
  command.option("--threads", &options->threads, 1, 256, "N", "threads that read (default: one per processor)");
}

store::LoadOptions load_options(const LogsOptions& options, bool cached) {
  store::LoadOptions load;
  load.threads = options.threads;
  if (cached && !options.no_cache) load.cache_directory = store::IndexCache::usual_directory();
  load.links = options.follow_links ? store::Links::kFollow : store::Links::kInside;
  return load;
}

Result<OpenedLogs> open_logs(const LogsOptions& options, bool cached) {
  auto opened = store::LogDirectory::open(options.directory, load_options(options, cached));
  if (!opened.ok()) return opened.status();
  OpenedLogs logs;
  logs.directory = std::move(*opened);
  {
    const store::LogDirectory& reading = *logs.directory;
    ProgressBar bar(options.directory, [&reading] { return reading.progress(); });
    TENSORTAP_TRY(logs.directory->refresh());
  }
  logs.runs = std::make_unique<const query::Runs>(logs.directory->snapshot());
  return logs;
}

void finish(OpenedLogs logs) {
  std::fflush(stdout);
  logs.directory->save_index();
  // The program ends: the system takes back a million small pieces of memory faster than we could.
  // A pointer that stays, so that leak checkers see it is meant.
  [[gnu::used]] static const OpenedLogs* kept;
  kept = new OpenedLogs(std::move(logs));
}

int fail(const char* command, const Status& status) {
  std::fprintf(stderr, "tensortap %s: %s\n", command, visible_text(status.message()).c_str());
  return status.code() == StatusCode::kCorrupt || status.code() == StatusCode::kTruncated ? kDamaged : kUsage;
}

}  // namespace tensortap::cli
