// SinkOptions: names and values, refused with those that would do.
#include "recorder/sinks/sink_options.h"

#include <algorithm>

#include "base/try.h"

namespace tensortap::recorder {

Status check_options(const SinkSpec& spec, std::initializer_list<std::string_view> known) {
  for (const auto& [name, value] : spec.options) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string names;
    for (std::string_view one : known) names += (names.empty() ? "" : ", ") + std::string(one);
    return Status(StatusCode::kInvalidArgument,
                  "sink " + spec.kind + " has no option '" + name + "'; its options: " + names);
  }
  return {};
}

Status check_directory_sink(const SinkSpec& spec, std::initializer_list<std::string_view> known) {
  if (spec.target.empty()) {
    return Status(StatusCode::kInvalidArgument, "sink " + spec.kind + " needs a directory to write to");
  }
  return check_options(spec, known);
}

std::string option_of(const SinkSpec& spec, const std::string& name) {
  const auto found = spec.options.find(name);
  return found == spec.options.end() ? std::string() : found->second;
}

Result<SinkMode> sink_mode(const SinkSpec& spec) {
  const std::string mode = option_of(spec, "mode");
  if (mode.empty() || mode == "new") return SinkMode::kNew;
  if (mode == "append") return SinkMode::kAppend;
  if (mode == "overwrite") return SinkMode::kOverwrite;
  return Status(StatusCode::kInvalidArgument, "mode is new, append or overwrite; not '" + mode + "'");
}

}  // namespace tensortap::recorder
