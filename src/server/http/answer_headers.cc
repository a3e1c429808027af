// AnswerHeaders: lists of what is allowed, and small parsers of what clients accept.
#include "server/http/answer_headers.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace tensortap::server {
namespace {

constexpr std::string_view kPagePolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "font-src 'self'; media-src 'self' blob:; worker-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; object-src 'none'";
constexpr std::string_view kDataPolicy =
    "default-src 'none'; img-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
    "'none'; "
    "sandbox";

struct TypeRow {
  std::string_view type;
  bool compressible;
};
constexpr std::array<TypeRow, 16> kTypes = {{
    {"application/json", true},
    {"application/vnd.tensortap.columns", true},
    {"application/vnd.apache.arrow.stream", true},
    {"text/csv", true},
    {"text/plain", true},
    {"text/event-stream", false},
    {"application/octet-stream", false},
    {"application/x-npy", false},
    {"application/vnd.numpy", false},
    {"application/zip", false},
    {"image/png", false},
    {"image/jpeg", false},
    {"image/gif", false},
    {"image/webp", false},
    {"audio/wav", false},
    {"audio/x-wav", false},
}};

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

// The text before `separator`, trimmed; takes it and the separator off `rest`.
std::string_view next_of(std::string_view& rest, char separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return trimmed(part);
}

const TypeRow* row_of(std::string_view content_type) {
  const std::string_view type = next_of(content_type, ';');
  const auto row = std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeRow& each) { return each.type == type; });
  return row == kTypes.end() ? nullptr : &*row;
}

std::optional<std::size_t> whole_number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

}  // namespace

void add_safety_headers(Headers& headers, bool is_page) {
  headers.emplace_back("Content-Security-Policy", is_page ? kPagePolicy : kDataPolicy);
  headers.emplace_back("X-Content-Type-Options", "nosniff");
  headers.emplace_back("X-Frame-Options", "DENY");
  headers.emplace_back("Referrer-Policy", "no-referrer");
  headers.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
  headers.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
}

bool is_known_type(std::string_view content_type) { return row_of(content_type) != nullptr; }

bool is_compressible(std::string_view content_type) {
  const TypeRow* row = row_of(content_type);
  return row != nullptr && row->compressible;
}

bool accepts_gzip(std::string_view untrusted_accept_encoding) {
  bool by_star = false;
  for (std::string_view rest = untrusted_accept_encoding; !rest.empty();) {
    std::string_view each = next_of(rest, ',');
    const std::string_view name = next_of(each, ';');
    const std::string_view quality = trimmed(each);
    const bool is_refused = quality.starts_with("q=0") && quality.find_first_of("123456789") == std::string_view::npos;
    if (name == "gzip" || name == "x-gzip") return !is_refused;
    if (name == "*") by_star = !is_refused;
  }
  return by_star;
}

bool matches_etag(std::string_view untrusted_if_none_match, std::string_view etag) {
  if (etag.empty()) return false;
  if (etag.starts_with("W/")) etag.remove_prefix(2);
  for (std::string_view rest = untrusted_if_none_match; !rest.empty();) {
    std::string_view each = next_of(rest, ',');
    if (each == "*") return true;
    if (each.starts_with("W/")) each.remove_prefix(2);
    if (each == etag) return true;
  }
  return false;
}

std::optional<std::pair<std::size_t, std::size_t>> byte_range(std::string_view untrusted_range, std::size_t size) {
  constexpr std::string_view kUnit = "bytes=";
  if (!untrusted_range.starts_with(kUnit)) return std::nullopt;
  const std::string_view range = trimmed(untrusted_range.substr(kUnit.size()));
  const std::size_t dash = range.find('-');
  // Several ranges at once are allowed to be answered whole.
  if (dash == std::string_view::npos || range.find(',') != std::string_view::npos) return std::nullopt;
  const auto first = whole_number(range.substr(0, dash)), last = whole_number(range.substr(dash + 1));
  if (!first && dash > 0) return std::nullopt;
  if (!last && dash + 1 < range.size()) return std::nullopt;
  if (!first && !last) return std::nullopt;
  constexpr std::pair<std::size_t, std::size_t> kNone{1, 0};
  if (size == 0) return kNone;
  if (!first) return *last == 0 ? kNone : std::pair(size - std::min(*last, size), size - 1);
  if (last && *last < *first) return std::nullopt;
  if (*first >= size) return kNone;
  return std::pair(*first, std::min(last.value_or(size - 1), size - 1));
}

std::string content_disposition(std::string_view untrusted_name) {
  static constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string plain, encoded;
  for (const char each : untrusted_name.substr(0, 200)) {
    const bool is_safe = (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') || (each >= '0' && each <= '9') ||
                         each == '.' || each == '-' || each == '_';
    plain += is_safe ? each : '_';
    if (is_safe) {
      encoded += each;
    } else {
      const auto byte = static_cast<unsigned char>(each == '/' ? '_' : each);
      encoded += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return "attachment; filename=\"" + plain + "\"; filename*=UTF-8''" + encoded;
}

}  // namespace tensortap::server
