// Events to bytes.
#include "event/event.h"
#include "event/event_fields.h"
#include "wire/protobuf.h"

namespace tensortap::event {
namespace {

using wire::add_text;
using wire::MessageWriter;

std::string_view chars_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

void add_time(MessageWriter& event, EventTime time) {
  event.add_double(field::kWallTime, time.wall_secs);
  if (time.step != 0) event.add_int64(field::kStep, time.step);
}

void add_metadata(MessageWriter& value, const Metadata* metadata) {
  if (metadata == nullptr) return;
  MessageWriter message(value, field::kMetadata);
  {
    MessageWriter plugin(message, field::kPluginData);
    add_text(plugin, field::kPluginName, metadata->plugin);
    if (!metadata->content.empty()) add_text(plugin, field::kPluginContent, metadata->content);
  }
  if (!metadata->description.empty()) add_text(message, field::kDescription, metadata->description);
  message.add_enum(field::kDataClass, static_cast<std::int32_t>(metadata->data_class));
  if (metadata->derived) message.add_bool(field::kDerived, true);
}

void add_dtype_and_shape(MessageWriter& tensor, DType dtype, const Shape& shape) {
  tensor.add_enum(field::kDtype, static_cast<std::int32_t>(dtype));
  MessageWriter shape_message(tensor, field::kTensorShape);
  for (std::int64_t extent : shape) {
    MessageWriter dim(shape_message, field::kDim);
    dim.add_int64(field::kDimSize, extent);
  }
}

// An event with one value, whose tensor (and what else) `fill` writes.
template <typename Fill>
std::string encode_value(EventTime time, std::string_view tag, const Metadata* metadata, Fill fill) {
  std::string bytes;
  MessageWriter event(bytes);
  add_time(event, time);
  {
    MessageWriter summary(event, field::kSummary);
    MessageWriter value(summary, field::kSummaryValue);
    add_text(value, field::kTag, tag);
    add_metadata(value, metadata);
    fill(value);
  }
  return bytes;
}

}  // namespace

std::string encode_file_version(double wall_secs) {
  std::string bytes;
  MessageWriter event(bytes);
  add_time(event, {wall_secs, 0});
  add_text(event, field::kFileVersion, "brain.Event:2");
  return bytes;
}

std::string encode_session_start(EventTime time) {
  std::string bytes;
  MessageWriter event(bytes);
  add_time(event, time);
  MessageWriter log(event, field::kSessionLog);
  log.add_enum(field::kSessionStatus, field::kSessionStart);
  log.commit();
  return bytes;
}

std::string encode_graph_def(EventTime time, Bytes graph_def) {
  std::string bytes;
  MessageWriter event(bytes);
  add_time(event, time);
  add_text(event, field::kGraphDef, chars_of(graph_def));
  return bytes;
}

std::string encode_scalar(EventTime time, std::string_view tag, double value, const Metadata* metadata) {
  return encode_value(time, tag, metadata, [&](MessageWriter& message) {
    const auto narrow = static_cast<float>(value);
    {
      MessageWriter tensor(message, field::kTensor);
      add_dtype_and_shape(tensor, DType::kFloat32, {});
      tensor.add_packed_float(field::kFloatVal, &narrow, &narrow + 1);
    }
    const bool exact = static_cast<double>(narrow) == value || value != value;
    if (!exact) message.add_double(field::kExactValue, value);
  });
}

std::string encode_tensor(EventTime time, std::string_view tag, const TensorView& view, const Metadata* metadata) {
  return encode_value(time, tag, metadata, [&](MessageWriter& message) {
    MessageWriter tensor(message, field::kTensor);
    add_dtype_and_shape(tensor, view.dtype, view.shape);
    add_text(tensor, field::kTensorContent, {static_cast<const char*>(view.data), view.size_bytes()});
  });
}

std::string encode_strings(EventTime time, std::string_view tag, std::span<const std::string> strings,
                           const Shape& shape, const Metadata* metadata) {
  return encode_value(time, tag, metadata, [&](MessageWriter& message) {
    MessageWriter tensor(message, field::kTensor);
    add_dtype_and_shape(tensor, DType::kString, shape);
    for (const std::string& text : strings) add_text(tensor, field::kStringVal, text);
  });
}

}  // namespace tensortap::event
