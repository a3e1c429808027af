// JsonWriter: a stack of brackets and a text.
#include "format/json.h"

#include <array>
#include <cmath>

#include "base/utf8.h"

namespace tensortap::format {
namespace {

// What stands in JSON as it is, whatever follows it.
bool is_plain(char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

void append_escape(std::string& out, char32_t point) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += "\\u";
  for (unsigned shift = 16; shift != 0;) {
    shift -= 4;
    out += kDigits[point >> shift & 15U];
  }
}

void append_escaped(std::string& out, std::string_view untrusted) {
  for (std::size_t at = 0; at < untrusted.size();) {
    const std::size_t start = at;
    while (at < untrusted.size() && is_plain(untrusted[at])) ++at;
    out.append(untrusted, start, at - start);
    if (at == untrusted.size()) return;
    const std::size_t odd = at;
    char32_t point = 0;
    if (!next_code_point(untrusted, at, point)) {
      out += "\\ufffd";
    } else if (point == '"' || point == '\\') {
      out += '\\';
      out += static_cast<char>(point);
    } else if (point == '\n') {
      out += "\\n";
    } else if (drives_terminal(point)) {
      append_escape(out, point);
    } else {
      out.append(untrusted, odd, at - odd);
    }
  }
}

}  // namespace

void append_json_text(std::string& out, std::string_view untrusted) {
  out += '"';
  append_escaped(out, untrusted);
  out += '"';
}

// What stands before a value or a key.
void JsonWriter::separate() {
  if (after_key_ || levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) text_ += level.layout == JsonLayout::kOneLine ? ", " : ",";
  if (level.layout == JsonLayout::kLines) text_.append("\n").append(2 * levels_.size(), ' ');
  level.empty = false;
}

void JsonWriter::put(std::string_view encoded) {
  separate();
  after_key_ = false;
  text_ += encoded;
}

void JsonWriter::begin(char bracket, JsonLayout layout) {
  put({&bracket, 1});
  levels_.push_back({layout});
}

void JsonWriter::end(char bracket) {
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.layout == JsonLayout::kLines && !level.empty) text_.append("\n").append(2 * levels_.size(), ' ');
  text_ += bracket;
  if (levels_.empty() && usual_ != JsonLayout::kCompact) text_ += '\n';
}

void JsonWriter::key(std::string_view name) {
  value(name);
  text_ += levels_.back().layout == JsonLayout::kCompact ? ":" : ": ";
  after_key_ = true;
}

void JsonWriter::value(std::string_view text) {
  separate();
  after_key_ = false;
  append_json_text(text_, text);
}

void JsonWriter::value(double number) {
  if (std::isfinite(number)) return put_number(number);
  separate();
  after_key_ = false;
  text_ += '"';
  append_number(text_, number);
  text_ += '"';
}

}  // namespace tensortap::format
