// VisibleText: one pass over code points.
#include "cli/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/utf8.h"

namespace tensortap::cli {
namespace {

struct Range {
  char32_t first, last;
};

// Takes no column: combining marks, joiners, variation selectors.
constexpr Range kZeroWidth[] = {{0x300, 0x36f},   {0x200b, 0x200d}, {0x20d0, 0x20ff},
                                {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}};
// Takes two: East Asian scripts and emoji.
constexpr Range kWide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xac00, 0xd7a3},
                           {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
                           {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

template <std::size_t N>
bool is_in(const Range (&ranges)[N], char32_t point) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [point](const Range& each) { return point >= each.first && point <= each.last; });
}

std::size_t width_of(char32_t point) {
  if (point < 0x300) return 1;
  if (is_in(kZeroWidth, point)) return 0;
  return is_in(kWide, point) ? 2 : 1;
}

std::string escape(char32_t point) {
  switch (point) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
  }
  const auto number = static_cast<std::uint32_t>(point);
  return number < 0x100 ? fmt::format("\\x{:02x}", number) : fmt::format("\\u{:04x}", number);
}

std::string visible(std::string_view untrusted, bool keep_lines) {
  std::string out;
  out.reserve(untrusted.size());
  for (std::size_t at = 0; at < untrusted.size();) {
    const std::size_t start = at;
    char32_t point = 0;
    if (!next_code_point(untrusted, at, point)) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(untrusted[start]));
    } else if (keep_lines && (point == '\n' || point == '\t')) {
      out += static_cast<char>(point);
    } else if (keep_lines && point == '\r' && at < untrusted.size() && untrusted[at] == '\n') {
      continue;  // the line ends of another system
    } else if (drives_terminal(point)) {
      out += escape(point);
    } else {
      out.append(untrusted, start, at - start);
    }
  }
  return out;
}

}  // namespace

std::string visible_text(std::string_view untrusted) { return visible(untrusted, false); }

std::string visible_lines(std::string_view untrusted) { return visible(untrusted, true); }

std::size_t display_width(std::string_view visible) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < visible.size();) {
    char32_t point = 0xfffd;
    next_code_point(visible, at, point);
    columns += width_of(point);
  }
  return columns;
}

std::string cut_to_width(std::string_view visible, std::size_t columns) {
  if (display_width(visible) <= columns) return std::string(visible);
  std::size_t used = 1;  // the ellipsis
  std::size_t end = 0;
  for (std::size_t at = 0; at < visible.size();) {
    char32_t point = 0xfffd;
    next_code_point(visible, at, point);
    used += width_of(point);
    if (used > columns) break;
    end = at;
  }
  return std::string(visible.substr(0, end)) + "\u2026";
}

}  // namespace tensortap::cli
