// JsonOut: a stack of brackets and a buffer.
#include "cli/json_out.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "cli/visible_text.h"

namespace tensortap::cli {
namespace {

constexpr std::size_t kBufferBytes = 64 << 10;

void append_escaped(std::string& out, std::string_view untrusted) {
  for (std::size_t at = 0; at < untrusted.size();) {
    const std::size_t start = at;
    char32_t point = 0;
    if (!next_code_point(untrusted, at, point)) {
      out += "\\ufffd";
    } else if (point == '"' || point == '\\') {
      out += '\\';
      out += static_cast<char>(point);
    } else if (point == '\n') {
      out += "\\n";
    } else if (drives_terminal(point)) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<std::uint32_t>(point));
    } else {
      out.append(untrusted, start, at - start);
    }
  }
}

}  // namespace

JsonOut::~JsonOut() {
  // fwrite, not fmt: a destructor must not throw. The buffer of stdout is checked when the program ends.
  std::fwrite(buffer_.data(), 1, buffer_.size(), stdout);
}

void JsonOut::flush_if_full() {
  if (buffer_.size() < kBufferBytes) return;
  fmt::print("{}", buffer_);
  buffer_.clear();
}

// What stands before a value or a key.
void JsonOut::separate() {
  if (after_key_ || levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) buffer_ += level.layout == JsonLayout::kLines ? "," : ", ";
  if (level.layout == JsonLayout::kLines) buffer_.append("\n").append(2 * levels_.size(), ' ');
  level.empty = false;
}

void JsonOut::put(std::string_view encoded) {
  separate();
  after_key_ = false;
  buffer_ += encoded;
  flush_if_full();
}

void JsonOut::begin(char bracket, JsonLayout layout) {
  put({&bracket, 1});
  levels_.push_back({layout});
}

void JsonOut::end(char bracket) {
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.layout == JsonLayout::kLines && !level.empty) buffer_.append("\n").append(2 * levels_.size(), ' ');
  buffer_ += bracket;
  if (levels_.empty()) buffer_ += '\n';
  flush_if_full();
}

void JsonOut::key(std::string_view name) {
  value(name);
  buffer_ += ": ";
  after_key_ = true;
}

void JsonOut::value(std::string_view text) {
  separate();
  after_key_ = false;
  buffer_ += '"';
  append_escaped(buffer_, text);
  buffer_ += '"';
  flush_if_full();
}

void JsonOut::value(double number) {
  if (std::isnan(number)) return put("\"NaN\"");
  if (std::isinf(number)) return put(number > 0 ? "\"Infinity\"" : "\"-Infinity\"");
  put(fmt::format("{}", number));
}

}  // namespace tensortap::cli
