// JsonWriter: JSON into a text, value by value.
//
// Numbers that JSON has no word for are the strings "NaN", "Infinity" and "-Infinity". Bytes that are no UTF-8 become
// U+FFFD; characters that could drive a terminal are escaped.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/number_text.h"

namespace tensortap::format {

// How the members of an object or array stand.
enum class JsonLayout { kLines, kOneLine, kCompact };

// Threads:  one at a time.
// Failure:  none but for memory.
// Lifetime: end every container before the text is taken.
class JsonWriter {
 public:
  explicit JsonWriter(JsonLayout usual = JsonLayout::kCompact) : usual_(usual) {}

  void begin_object() { begin('{', usual_); }
  void begin_object(JsonLayout layout) { begin('{', layout); }
  void end_object() { end('}'); }
  void begin_array() { begin('[', usual_); }
  void begin_array(JsonLayout layout) { begin('[', layout); }
  void end_array() { end(']'); }

  // In objects, before each value.
  void key(std::string_view name);

  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(double number);
  void value(std::signed_integral auto number) { put_number(static_cast<std::int64_t>(number)); }
  void value(std::unsigned_integral auto number) { put_number(static_cast<std::uint64_t>(number)); }
  void value(bool yes) { put(yes ? "true" : "false"); }
  void null() { put("null"); }
  // A value that is JSON already.
  void encoded(std::string_view json) { put(json); }

  void member(std::string_view name, const auto& of) {
    key(name);
    value(of);
  }
  void null_member(std::string_view name) {
    key(name);
    null();
  }
  void list(std::string_view name, const auto& values) {
    key(name);
    list(values);
  }
  void list(const auto& values) {
    begin_array();
    for (const auto& each : values) value(each);
    end_array();
  }

  // What was written since the last time it was taken.
  const std::string& text() const { return text_; }
  std::string take() { return std::exchange(text_, {}); }

 private:
  struct Level {
    JsonLayout layout;
    bool empty = true;
  };

  void begin(char bracket, JsonLayout layout);
  void end(char bracket);
  void put(std::string_view encoded);
  void put_number(auto number) {
    separate();
    after_key_ = false;
    append_number(text_, number);
  }
  void separate();

  const JsonLayout usual_;
  std::string text_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

// `text` between quotes.
void append_json_text(std::string& out, std::string_view untrusted);

}  // namespace tensortap::format
