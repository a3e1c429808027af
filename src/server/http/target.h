// Target: the path and the parameters that a request asks for, decoded and checked.
#pragma once

#include <string>
#include <string_view>

#include "server/http/message.h"

namespace tensortap::server {

struct Target {
  std::string path;   // decoded; begins with '/', has no "." and ".." and no empty segments but the last
  std::string query;  // as it was sent
  Parameters parameters;
};

// kInvalidArgument: not of the form "/path?query", or a path that no route could have: dots that climb, backslashes,
// control characters, bytes that are no UTF-8.
Result<Target> parse_target(std::string_view untrusted);

enum class Plus { kPlus, kSpace };

// kInvalidArgument for bad percent signs, NUL and bytes that are no UTF-8. In queries '+' means a space.
Result<std::string> percent_decoded(std::string_view untrusted, Plus plus);

}  // namespace tensortap::server
