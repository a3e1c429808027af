// SkippedPaths: what a log directory holds that could not be read, and why.
#pragma once

#include <vector>

#include "cli/json_out.h"
#include "store/log_directory.h"

namespace tensortap::cli {

// Names that are no files, and files that could not be read at all.
std::vector<store::UnreadablePath> skipped_paths(const store::Snapshot& snapshot);

// "skipped": [{"path", "reason"}]
void put_skipped(JsonOut& json, const std::vector<store::UnreadablePath>& skipped);

// A few lines on stderr; nothing when nothing was skipped.
void print_skipped(const char* command, const std::vector<store::UnreadablePath>& skipped);

}  // namespace tensortap::cli
