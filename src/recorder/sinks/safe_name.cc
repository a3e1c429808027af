// SafeName: what file systems, shells and readers of directories get along with.
#include "recorder/sinks/safe_name.h"

#include <cstdint>
#include <cstdio>

#include "base/utf8.h"

namespace tensortap::recorder {
namespace {

constexpr std::size_t kMaxBytes = 120;
constexpr std::string_view kPredictions = "predictions/";

bool is_plain(char c) {
  constexpr std::string_view kMarks = "-_.#@+=";
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         kMarks.find(c) != std::string_view::npos;
}

std::string hash_text(std::string_view text) {
  std::uint32_t hash = 2166136261U;  // FNV-1a
  for (char c : text) hash = (hash ^ static_cast<std::uint8_t>(c)) * 16777619U;
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", hash);
  return digits;
}

}  // namespace

std::string safe_name(std::string_view untrusted) {
  std::string name;
  for (std::size_t at = 0; at < untrusted.size();) {
    const std::size_t start = at;
    char32_t point = 0;
    const bool is_text = next_code_point(untrusted, at, point);
    const bool stays = is_text && (point < 0x80 ? is_plain(untrusted[start]) : !drives_terminal(point));
    if (name.size() + (at - start) > kMaxBytes) return name + "-" + hash_text(untrusted);
    name += stays ? untrusted.substr(start, at - start) : "_";
  }
  if (name.empty()) return "_";
  if (name.front() == '.') name.front() = '_';
  return name;
}

std::string full_tag(const CaptureInfo& info) {
  return info.sub_run.empty() ? std::string(info.head.tag)
                              : std::string(info.sub_run) + "/" + std::string(info.head.tag);
}

std::string predictions_name(const CaptureInfo& info) {
  std::string_view name = info.head.tag;
  if (name.starts_with(kPredictions)) name.remove_prefix(kPredictions.size());
  return info.sub_run.empty() ? std::string(name) : std::string(info.sub_run) + "/" + std::string(name);
}

std::string_view phase_name(Phase phase) {
  switch (phase) {
    case Phase::kNone: return "";
    case Phase::kTrain: return "train";
    case Phase::kVal: return "val";
    case Phase::kPredict: return "predict";
  }
  return "";
}

}  // namespace tensortap::recorder
