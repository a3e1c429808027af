// JsonOut: JSON written piece by piece to stdout, so that a million points need no memory.
#pragma once

#include <string_view>

#include "format/json.h"

namespace tensortap::cli {

using format::JsonLayout;

// Threads:  one.
// Failure:  throws std::system_error when stdout cannot be written.
// Lifetime: the destructor writes what is left; end every container before.
class JsonOut {
 public:
  JsonOut() = default;
  ~JsonOut();
  JsonOut(const JsonOut&) = delete;
  JsonOut& operator=(const JsonOut&) = delete;

  void begin_object(JsonLayout layout = JsonLayout::kOneLine) { json_.begin_object(layout); }
  void end_object() {
    json_.end_object();
    flush_if_full();
  }
  void begin_array(JsonLayout layout = JsonLayout::kOneLine) { json_.begin_array(layout); }
  void end_array() {
    json_.end_array();
    flush_if_full();
  }

  // In objects, before each value.
  void key(std::string_view name) { json_.key(name); }
  void value(const auto& of) {
    json_.value(of);
    flush_if_full();
  }
  void null() { json_.null(); }

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
  void flush_if_full();

  format::JsonWriter json_{JsonLayout::kOneLine};
};

}  // namespace tensortap::cli
