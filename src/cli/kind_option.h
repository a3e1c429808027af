// KindOption: the value of --kind.
#pragma once

#include <optional>
#include <string>

#include "store/kind.h"
#include "tensortap/result.h"

namespace tensortap::cli {

// No kind for no text. kInvalidArgument names the kinds there are.
Result<std::optional<store::Kind>> parse_kind(const std::string& text);

}  // namespace tensortap::cli
