// NumberText: std::to_chars, and the words for what is no number.
#include "format/number_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace tensortap::format {
namespace {

template <typename Number>
void append(std::string& out, Number number) {
  std::array<char, 32> digits;  // the longest double has 24 characters
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  out.append(digits.data(), end.ptr);
}

}  // namespace

void append_number(std::string& out, double number) {
  if (std::isnan(number)) {
    out += "NaN";
  } else if (std::isinf(number)) {
    out += number > 0 ? "Infinity" : "-Infinity";
  } else {
    append(out, number);
  }
}

void append_number(std::string& out, std::int64_t number) { append(out, number); }
void append_number(std::string& out, std::uint64_t number) { append(out, number); }

}  // namespace tensortap::format
