// JsonOut: JSON written piece by piece to stdout, so that a million points need no memory.
//
// Numbers that JSON has no word for are the strings "NaN", "Infinity" and "-Infinity". Bytes that are no UTF-8 become
// U+FFFD; characters that could drive a terminal are escaped.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tensortap::cli {

// How the members of an object or array stand.
enum class JsonLayout { kLines, kOneLine };

// Threads:  one.
// Failure:  throws std::system_error when stdout cannot be written.
// Lifetime: the destructor writes what is left; end every container before.
class JsonOut {
 public:
  JsonOut() = default;
  ~JsonOut();
  JsonOut(const JsonOut&) = delete;
  JsonOut& operator=(const JsonOut&) = delete;

  void begin_object(JsonLayout layout = JsonLayout::kOneLine) { begin('{', layout); }
  void end_object() { end('}'); }
  void begin_array(JsonLayout layout = JsonLayout::kOneLine) { begin('[', layout); }
  void end_array() { end(']'); }

  // In objects, before each value.
  void key(std::string_view name);

  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(double number);
  void value(std::integral auto number) { put(std::to_string(number)); }
  void value(bool yes) { put(yes ? "true" : "false"); }
  void null() { put("null"); }

  void member(std::string_view name, const auto& of) {
    key(name);
    value(of);
  }
  // An array on one line.
  void list(std::string_view name, const auto& values) {
    key(name);
    begin_array();
    for (const auto& each : values) value(each);
    end_array();
  }

 private:
  struct Level {
    JsonLayout layout;
    bool empty = true;
  };

  void begin(char bracket, JsonLayout layout);
  void end(char bracket);
  void put(std::string_view encoded);
  void separate();
  void flush_if_full();

  std::string buffer_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace tensortap::cli
