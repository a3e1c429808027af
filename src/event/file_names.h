// The names by which files of a run are known; docs/format.md has the rule.
#pragma once

#include <string_view>

namespace tensortap::event {

inline constexpr std::string_view kEventsPrefix = "events.out.tfevents.";
inline constexpr std::string_view kCapturesPrefix = "captures.";
inline constexpr std::string_view kCapturesSuffix = ".tap";

// Readers of event files only ask for this word, wherever it stands in the name.
inline bool is_events_file_name(std::string_view name) { return name.find("tfevents") != std::string_view::npos; }

inline bool is_captures_file_name(std::string_view name) {
  return name.starts_with(kCapturesPrefix) && name.ends_with(kCapturesSuffix);
}

inline bool is_run_file_name(std::string_view name) { return is_events_file_name(name) || is_captures_file_name(name); }

}  // namespace tensortap::event
