// StepRange: the value of --steps.
#pragma once

#include <string>

#include "query/selection.h"
#include "tensortap/result.h"

namespace tensortap::cli {

// "100:200" with both ends, "100:", ":200", "100". All steps for no text. kInvalidArgument.
Result<query::Selection> parse_steps(const std::string& text);

}  // namespace tensortap::cli
