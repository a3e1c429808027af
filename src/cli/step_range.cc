// StepRange: two numbers around a colon.
#include "cli/step_range.h"

#include <charconv>
#include <string_view>

namespace tensortap::cli {
namespace {

// Leaves `step` alone where there is no text.
bool parse_step(std::string_view text, std::int64_t& step) {
  if (text.empty()) return true;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), step);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

Result<query::Selection> parse_steps(const std::string& text) {
  query::Selection selection;
  const std::string_view whole = text;
  const std::size_t colon = whole.find(':');
  const std::string_view first = whole.substr(0, colon);
  const std::string_view last = colon == std::string_view::npos ? first : whole.substr(colon + 1);
  if (!parse_step(first, selection.first_step) || !parse_step(last, selection.last_step)) {
    return Status(StatusCode::kInvalidArgument,
                  "--steps '" + text + "' is no range of steps; write 100:200, 100: or :200");
  }
  return selection;
}

}  // namespace tensortap::cli
