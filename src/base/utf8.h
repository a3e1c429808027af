// UTF-8 validity of text that came from outside.
#pragma once

#include <cstddef>
#include <string_view>

namespace tensortap {

// True for well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_valid_utf8(std::string_view untrusted);

// One code point of `text` from `at`, which it advances. False, and one byte further, where there is no UTF-8.
bool next_code_point(std::string_view text, std::size_t& at, char32_t& point);

// Control characters of both sets, and what turns the direction of text or breaks lines.
bool drives_terminal(char32_t point);

}  // namespace tensortap
