// UTF-8 validity of text that came from outside.
#pragma once

#include <string_view>

namespace tensortap {

// True for well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_valid_utf8(std::string_view untrusted);

}  // namespace tensortap
