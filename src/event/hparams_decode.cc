// HParamsPluginData to what it says, field by field as TensorBoard's plugin_data.proto and api.proto have it.
#include "event/hparams_decode.h"

#include <charconv>
#include <cmath>
#include <optional>

#include "wire/protobuf.h"

namespace tensortap::event {
namespace {

using wire::MessageReader;
using wire::text_of;

constexpr std::uint32_t kExperiment = 2, kSessionStart = 3, kSessionEnd = 4;

// Lists within lists; a message of nothing but opening brackets must not exhaust the stack.
constexpr int kMaxDepth = 64;
struct TooDeep : std::runtime_error {
  TooDeep() : std::runtime_error("a hyperparameter nests too deep") {}
};

std::string string_of(MessageReader& message) { return std::string(text_of(message.get_view())); }

void append_json_text(std::string_view text, std::string& json) {
  json += '"';
  for (char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') json += '\\';
    if (code >= 0x20) {
      json += c;
    } else {
      constexpr std::string_view kHex = "0123456789abcdef";
      json += "\\u00";
      json += kHex[code >> 4];
      json += kHex[code & 15];
    }
  }
  json += '"';
}

void append_json_number(double number, std::string& json) {
  if (std::isnan(number)) {
    json += "NaN";
  } else if (std::isinf(number)) {
    json += number > 0 ? "Infinity" : "-Infinity";
  } else {
    char digits[32];
    json.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  }
}

void append_json(MessageReader value, std::string& json, int depth);

// google.protobuf.ListValue, and google.protobuf.Struct, whose entries have a key besides.
void append_json_list(MessageReader list, bool is_struct, std::string& json, int depth) {
  if (depth > kMaxDepth) throw TooDeep();
  json += is_struct ? '{' : '[';
  bool first = true;
  while (list.next(1)) {
    if (!first) json += ", ";
    first = false;
    MessageReader value = list.get_message();
    if (is_struct) {
      std::string_view key;
      MessageReader inner;
      while (value.next()) {
        switch (value.tag()) {
          case 1: key = text_of(value.get_view()); break;
          case 2: inner = value.get_message(); break;
          default: value.skip();
        }
      }
      append_json_text(key, json);
      json += ": ";
      value = inner;
    }
    append_json(value, json, depth + 1);
  }
  json += is_struct ? '}' : ']';
}

// google.protobuf.Value as JSON. As everywhere in protobuf the last of several kinds counts.
void append_json(MessageReader value, std::string& json, int depth) {
  const std::size_t start = json.size();
  json += "null";
  while (value.next()) {
    if (value.tag() >= 1 && value.tag() <= 6) json.resize(start);
    switch (value.tag()) {
      case 1: value.skip(), json += "null"; break;
      case 2: append_json_number(value.get_double(), json); break;
      case 3: append_json_text(text_of(value.get_view()), json); break;
      case 4: json += wire::bool_of(value) ? "true" : "false"; break;
      case 5: append_json_list(value.get_message(), true, json, depth); break;
      case 6: append_json_list(value.get_message(), false, json, depth); break;
      default: value.skip();
    }
  }
}

HParam read_hparam(MessageReader value) {
  const MessageReader whole = value;
  std::optional<HParam> hparam;
  while (value.next()) {
    switch (value.tag()) {
      case 2: hparam = value.get_double(); break;
      case 3: hparam = string_of(value); break;
      case 4: hparam = wire::bool_of(value); break;
      case 1:
      case 5:
      case 6: hparam.reset(); [[fallthrough]];
      default: value.skip();
    }
  }
  if (hparam) return *hparam;
  std::string json;
  append_json(whole, json, 0);
  return json;
}

HParamsStart read_start(MessageReader message) {
  HParamsStart start;
  while (message.next()) {
    switch (message.tag()) {
      case 1: {
        MessageReader entry = message.get_message();
        std::string name;
        HParam value = "null";
        while (entry.next()) {
          switch (entry.tag()) {
            case 1: name = string_of(entry); break;
            case 2: value = read_hparam(entry.get_message()); break;
            default: entry.skip();
          }
        }
        start.hparams.insert_or_assign(std::move(name), std::move(value));
        break;
      }
      case 2: start.model_uri = string_of(message); break;
      case 4: start.group_name = string_of(message); break;
      case 5: start.start_secs = message.get_double(); break;
      default: message.skip();
    }
  }
  return start;
}

// Numbers that we do not know are 0, as TensorBoard shows them.
std::uint8_t enum_up_to_3(MessageReader& message) {
  const std::int32_t number = message.get_enum();
  return number >= 0 && number <= 3 ? static_cast<std::uint8_t>(number) : 0;
}

HParamsEnd read_end(MessageReader message) {
  HParamsEnd end;
  while (message.next()) {
    switch (message.tag()) {
      case 1: end.status = static_cast<HParamsStatus>(enum_up_to_3(message)); break;
      case 2: end.end_secs = message.get_double(); break;
      default: message.skip();
    }
  }
  return end;
}

HParamInfo read_info(MessageReader message) {
  HParamInfo info;
  while (message.next()) {
    switch (message.tag()) {
      case 1: info.name = string_of(message); break;
      case 2: info.display_name = string_of(message); break;
      case 4: info.type = static_cast<HParamType>(enum_up_to_3(message)); break;
      default: message.skip();
    }
  }
  return info;
}

HParamsMetric read_metric(MessageReader message) {
  HParamsMetric metric;
  while (message.next()) {
    switch (message.tag()) {
      case 1: {
        MessageReader name = message.get_message();
        while (name.next()) {
          switch (name.tag()) {
            case 1: metric.group = string_of(name); break;
            case 2: metric.tag = string_of(name); break;
            default: name.skip();
          }
        }
        break;
      }
      case 3: metric.display_name = string_of(message); break;
      default: message.skip();
    }
  }
  return metric;
}

HParamsExperiment read_experiment(MessageReader message) {
  HParamsExperiment experiment;
  while (message.next()) {
    switch (message.tag()) {
      case 3: experiment.created_secs = message.get_double(); break;
      case 4: experiment.hparams.push_back(read_info(message.get_message())); break;
      case 5: experiment.metrics.push_back(read_metric(message.get_message())); break;
      default: message.skip();
    }
  }
  return experiment;
}

template <typename T, typename Read>
Result<T> decode(std::string_view untrusted, std::uint32_t number, const char* what, const Read& read) {
  // protozero reports damage by exceptions; they end here.
  try {
    MessageReader data(untrusted.data(), untrusted.size());
    std::optional<T> found;
    while (data.next(number)) found = read(data.get_message());
    if (found) return *std::move(found);
    return Status(StatusCode::kCorrupt, std::string("the hparams content holds no ") + what);
  } catch (const std::exception& error) {
    return Status(StatusCode::kCorrupt, std::string("the hparams content is damaged: ") + error.what());
  }
}

}  // namespace

Result<HParamsStart> decode_hparams_start(std::string_view untrusted) {
  return decode<HParamsStart>(untrusted, kSessionStart, "session start", read_start);
}

Result<HParamsEnd> decode_hparams_end(std::string_view untrusted) {
  return decode<HParamsEnd>(untrusted, kSessionEnd, "session end", read_end);
}

Result<HParamsExperiment> decode_hparams_experiment(std::string_view untrusted) {
  return decode<HParamsExperiment>(untrusted, kExperiment, "experiment", read_experiment);
}

}  // namespace tensortap::event
