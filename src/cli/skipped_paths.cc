// SkippedPaths: gathered from the walk and from every file.
#include "cli/skipped_paths.h"

#include <algorithm>
#include <cstdio>

#include "cli/visible_text.h"

namespace tensortap::cli {
namespace {

constexpr std::size_t kMostLines = 10;

}  // namespace

std::vector<store::UnreadablePath> skipped_paths(const store::Snapshot& snapshot) {
  std::vector<store::UnreadablePath> skipped = snapshot.unreadable;
  for (const auto& file : snapshot.files) {
    std::string error = file->progress().error;
    if (error.empty())
      error = file->read([](const store::FileContents& contents) { return contents.notes.unsupported; });
    if (!error.empty()) skipped.push_back({file->file().path(), std::move(error)});
  }
  return skipped;
}

void put_skipped(JsonOut& json, const std::vector<store::UnreadablePath>& skipped) {
  json.key("skipped");
  json.begin_array(JsonLayout::kLines);
  for (const store::UnreadablePath& each : skipped) {
    json.begin_object();
    json.member("path", each.path);
    json.member("reason", each.reason);
    json.end_object();
  }
  json.end_array();
}

void print_skipped(const char* command, const std::vector<store::UnreadablePath>& skipped) {
  if (skipped.empty()) return;
  std::fflush(stdout);
  for (std::size_t i = 0; i < std::min(kMostLines, skipped.size()); ++i) {
    // Reasons of the system name the path themselves.
    const auto& [path, reason] = skipped[i];
    const std::string text = reason.find(path) == std::string::npos ? path + ": " + reason : reason;
    std::fprintf(stderr, "tensortap %s: skipped %s\n", command, visible_text(text).c_str());
  }
  if (skipped.size() > kMostLines) {
    std::fprintf(stderr, "tensortap %s: and %zu more; --json names them all\n", command, skipped.size() - kMostLines);
  }
  const bool is_link = std::any_of(skipped.begin(), skipped.end(), [](const store::UnreadablePath& each) {
    return each.reason.find(" link ") != std::string::npos || each.reason.find("a link") != std::string::npos;
  });
  if (is_link) std::fprintf(stderr, "tensortap %s: --follow-links follows links\n", command);
}

}  // namespace tensortap::cli
