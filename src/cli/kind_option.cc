// KindOption: a name, or a sentence about the names there are.
#include "cli/kind_option.h"

namespace tensortap::cli {

Result<std::optional<store::Kind>> parse_kind(const std::string& text) {
  if (text.empty()) return std::optional<store::Kind>();
  if (auto kind = store::kind_from_name(text)) return kind;
  std::string names;
  for (const store::Kind kind : store::all_kinds()) {
    names += (names.empty() ? "" : ", ") + std::string(store::kind_name(kind));
  }
  return Status(StatusCode::kInvalidArgument, "--kind '" + text + "' is none; choose one of " + names);
}

}  // namespace tensortap::cli
