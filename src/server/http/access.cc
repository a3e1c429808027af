// Access: comparisons of names, and of secrets in constant time.
#include "server/http/access.h"

#include <arpa/inet.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>

namespace tensortap::server {
namespace {

constexpr std::size_t kLeastTokenLength = 8;
constexpr std::size_t kMostTokenLength = 256;

char lower(char each) { return each >= 'A' && each <= 'Z' ? static_cast<char>(each - 'A' + 'a') : each; }

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::all_of(text.begin(), text.end(), [](char each) { return each >= '0' && each <= '9'; });
}

bool is_host_character(char each) {
  return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || each == '-' || each == '.' || each == '_';
}

bool is_address_of(int family, const std::string& host) {
  // inet_pton() reads up to the first zero, and what follows that would pass unseen.
  if (host.find('\0') != std::string::npos) return false;
  std::array<unsigned char, 16> bytes;
  return ::inet_pton(family, host.c_str(), bytes.data()) == 1;
}

bool is_address(const std::string& host) { return is_address_of(AF_INET, host) || is_address_of(AF_INET6, host); }

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::string host_of(std::string_view untrusted_authority) {
  if (untrusted_authority.starts_with('[')) {
    const std::size_t end = untrusted_authority.find(']');
    if (end == std::string_view::npos) return {};
    const std::string_view port = untrusted_authority.substr(end + 1);
    if (!port.empty() && (port[0] != ':' || !is_port(port.substr(1)))) return {};
    std::string host = lower_case(untrusted_authority.substr(1, end - 1));
    return is_address_of(AF_INET6, host) ? host : std::string();
  }
  const std::size_t colon = untrusted_authority.find(':');
  if (colon != std::string_view::npos && !is_port(untrusted_authority.substr(colon + 1))) return {};
  std::string host = lower_case(untrusted_authority.substr(0, colon));
  return std::all_of(host.begin(), host.end(), is_host_character) ? host : std::string();
}

bool is_loopback_name(std::string_view host) {
  if (host == "localhost" || host == "::1") return true;
  return host.starts_with("127.") && is_address(std::string(host));
}

bool is_own_host(const AccessRules& rules, std::string_view untrusted_host_header) {
  const std::string host = host_of(untrusted_host_header);
  if (host.empty()) return false;
  if (is_loopback_name(host) || (rules.any_address && is_address(host))) return true;
  return std::find(rules.hosts.begin(), rules.hosts.end(), host) != rules.hosts.end();
}

bool is_own_origin(const AccessRules& rules, std::string_view untrusted_origin, std::string_view host_header) {
  const std::size_t scheme = untrusted_origin.starts_with("https://")  ? 8
                             : untrusted_origin.starts_with("http://") ? 7
                                                                       : 0;
  if (scheme == 0) return false;
  const std::string_view authority = untrusted_origin.substr(scheme);
  const std::string host = host_of(authority);
  if (host.empty()) return false;
  if (lower_case(authority) == lower_case(host_header)) return true;
  // Behind a proxy the browser's address and ours differ; the names it may have were given by hand.
  return std::find(rules.hosts.begin(), rules.hosts.end(), host) != rules.hosts.end();
}

bool shows_token(const AccessRules& rules, std::string_view authorization, std::string_view cookies) {
  if (rules.token.empty()) return true;
  constexpr std::string_view kBearer = "bearer ";
  if (authorization.size() > kBearer.size() && lower_case(authorization.substr(0, kBearer.size())) == kBearer &&
      is_same_secret(trimmed(authorization.substr(kBearer.size())), rules.token)) {
    return true;
  }
  while (!cookies.empty()) {
    const std::size_t end = cookies.find(';');
    const std::string_view cookie = trimmed(cookies.substr(0, end));
    cookies.remove_prefix(end == std::string_view::npos ? cookies.size() : end + 1);
    const std::size_t equals = cookie.find('=');
    if (equals == std::string_view::npos || cookie.substr(0, equals) != rules.cookie_name) continue;
    if (is_same_secret(cookie.substr(equals + 1), rules.token)) return true;
  }
  return false;
}

bool is_same_secret(std::string_view left, std::string_view right) {
  if (left.size() != right.size()) return false;
  // volatile: the compiler must not learn to stop at the first difference.
  volatile unsigned char difference = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    difference = static_cast<unsigned char>(difference | (left[i] ^ right[i]));
  }
  return difference == 0;
}

std::string make_token() {
  std::array<unsigned char, 16> bytes;
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t got = ::getrandom(bytes.data() + done, bytes.size() - done, 0);
    if (got < 0 && errno != EINTR) throw std::runtime_error("the system gives no random numbers for a token");
    if (got > 0) done += static_cast<std::size_t>(got);
  }
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::string token;
  for (const unsigned char byte : bytes) {
    token += kHex[byte >> 4];
    token += kHex[byte & 15];
  }
  return token;
}

Status check_token(std::string_view token) {
  const bool is_plain =
      std::all_of(token.begin(), token.end(), [](char each) { return is_host_character(lower(each)) || each == '~'; });
  if (!is_plain) return Status(StatusCode::kInvalidArgument, "a token may hold letters, digits and - . _ ~ only");
  if (token.size() < kLeastTokenLength || token.size() > kMostTokenLength) {
    return Status(StatusCode::kInvalidArgument,
                  "a token has 8 to 256 characters; leave --token out to get a random one");
  }
  return {};
}

}  // namespace tensortap::server
