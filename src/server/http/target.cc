// Target: percent signs and segments.
#include "server/http/target.h"

#include <algorithm>

#include "base/utf8.h"

namespace tensortap::server {
namespace {

int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

Status bad_target(const char* why) { return Status(StatusCode::kInvalidArgument, why); }

Status check_path(std::string_view path) {
  const bool has_odd = std::any_of(path.begin(), path.end(), [](char each) {
    const auto byte = static_cast<unsigned char>(each);
    return byte < 0x20 || byte == 0x7f || each == '\\';
  });
  if (has_odd) return bad_target("the path holds a backslash or a control character");
  for (std::string_view rest = path.substr(1); !rest.empty();) {
    const std::size_t slash = rest.find('/');
    const std::string_view segment = rest.substr(0, slash);
    if (segment == "." || segment == "..") return bad_target("the path holds '.' or '..'");
    if (segment.empty()) return bad_target("the path holds '//'");
    rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash + 1);
  }
  return {};
}

}  // namespace

Result<std::string> percent_decoded(std::string_view untrusted, Plus plus) {
  std::string text;
  text.reserve(untrusted.size());
  for (std::size_t i = 0; i < untrusted.size(); ++i) {
    char each = untrusted[i];
    if (each == '%') {
      const int high = i + 2 < untrusted.size() ? hex_digit(untrusted[i + 1]) : -1;
      const int low = i + 2 < untrusted.size() ? hex_digit(untrusted[i + 2]) : -1;
      if (high < 0 || low < 0) return bad_target("a % must be followed by two hexadecimal digits");
      each = static_cast<char>(high << 4 | low);
      i += 2;
    } else if (each == '+' && plus == Plus::kSpace) {
      each = ' ';
    }
    if (each == '\0') return bad_target("the target holds a NUL");
    text += each;
  }
  if (!is_valid_utf8(text)) return bad_target("the target is not UTF-8");
  return text;
}

Result<Target> parse_target(std::string_view untrusted) {
  if (!untrusted.starts_with('/') || untrusted.find('#') != std::string_view::npos) {
    return bad_target("the target must look like /path?name=value");
  }
  Target target;
  const std::size_t question = untrusted.find('?');
  auto path = percent_decoded(untrusted.substr(0, question), Plus::kPlus);
  if (!path.ok()) return path.status();
  target.path = std::move(*path);
  if (Status status = check_path(target.path); !status.ok()) return status;
  if (question != std::string_view::npos) target.query = untrusted.substr(question + 1);
  auto parameters = Parameters::parse(target.query);
  if (!parameters.ok()) return parameters.status();
  target.parameters = std::move(*parameters);
  return target;
}

}  // namespace tensortap::server
