// Glob patterns over names whose parts are separated by '/'.
//
//   *        any run of characters but '/'
//   **       any run of characters
//   **/      at the start of a part: any number of whole parts, also none: `**/loss` matches `loss` and `a/b/loss`,
//            but not `a/closs`
//   ?        one character (a UTF-8 code point) but '/'
//   [a-z_]   one of these characters, [!a-z] one but these and '/'; a ']' in the first place stands for itself
//   \x       the character x itself, also within brackets
//
// As in .gitignore, `x/**` matches what is below x and not x itself. A '[' that nothing closes stands for itself, as
// does a backslash at the end. Case counts.
#pragma once

#include <string_view>

#include "tensortap/export.h"

namespace tensortap {

// Whether the whole of `name` matches. At worst the time grows with the pattern times the square of the name, never
// exponentially, and the square needs a `**` before a `*`. Allocates nothing.
TENSORTAP_API bool glob_matches(std::string_view pattern, std::string_view name);

// False only where `pattern` matches just the name that it spells: an escape counts as a wildcard, too.
bool glob_has_wildcard(std::string_view pattern);

}  // namespace tensortap
