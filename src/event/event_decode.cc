// Bytes to Events; whatever the bytes are.
#include "event/event.h"
#include "event/event_fields.h"
#include "wire/protobuf.h"

namespace tensortap::event {
namespace {

using wire::MessageReader;
using wire::text_of;

Metadata read_metadata(MessageReader message) {
  Metadata metadata;
  while (message.next()) {
    switch (message.tag()) {
      case field::kPluginData: {
        MessageReader plugin = message.get_message();
        while (plugin.next()) {
          if (plugin.tag() == field::kPluginName) {
            metadata.plugin = text_of(plugin.get_view());
          } else if (plugin.tag() == field::kPluginContent) {
            metadata.content = text_of(plugin.get_view());
          } else {
            plugin.skip();
          }
        }
        break;
      }
      case field::kDescription: metadata.description = text_of(message.get_view()); break;
      case field::kDataClass: metadata.data_class = static_cast<DataClass>(message.get_enum() & 3); break;
      case field::kDerived: metadata.derived = wire::bool_of(message); break;
      default: message.skip();
    }
  }
  return metadata;
}

Shape read_shape(MessageReader message) {
  Shape shape;
  while (message.next(field::kDim)) {
    MessageReader dim = message.get_message();
    std::int64_t extent = 0;  // proto3 leaves a zero out
    while (dim.next()) {
      if (dim.tag() == field::kDimSize) {
        extent = dim.get_int64();
      } else {
        dim.skip();
      }
    }
    shape.push_back(extent);
  }
  return shape;
}

void read_tensor(MessageReader message, ValueView& value) {
  while (message.next()) {
    switch (message.tag()) {
      case field::kDtype: value.dtype = dtype_from_number(static_cast<std::uint64_t>(message.get_enum())); break;
      case field::kTensorShape: value.shape = read_shape(message.get_message()); break;
      case field::kTensorContent: value.tensor_content = text_of(message.get_view()); break;
      case field::kStringVal: value.strings.push_back(text_of(message.get_view())); break;
      case field::kFloatVal:
        if (message.wire_type() == protozero::pbf_wire_type::length_delimited) {
          for (float number : message.get_packed_float()) value.floats.push_back(number);
        } else {
          value.floats.push_back(message.get_float());
        }
        break;
      default: message.skip();
    }
  }
}

ValueView read_value(MessageReader message) {
  ValueView value;
  while (message.next()) {
    switch (message.tag()) {
      case field::kTag: value.tag = text_of(message.get_view()); break;
      case field::kSimpleValue: value.simple_value = message.get_float(); break;
      case field::kTensor: read_tensor(message.get_message(), value); break;
      case field::kMetadata: value.metadata = read_metadata(message.get_message()); break;
      case field::kExactValue: value.exact_value = message.get_double(); break;
      default: message.skip();
    }
  }
  return value;
}

void read_summary(MessageReader message, EventView& event) {
  while (message.next()) {
    if (message.tag() == field::kSummaryValue) {
      event.values.push_back(read_value(message.get_message()));
    } else {
      message.skip();
    }
  }
}

EventView read_event(MessageReader message) {
  EventView event;
  while (message.next()) {
    switch (message.tag()) {
      case field::kWallTime: event.time.wall_secs = message.get_double(); break;
      case field::kStep: event.time.step = message.get_int64(); break;
      case field::kFileVersion: event.file_version = text_of(message.get_view()); break;
      case field::kGraphDef: event.graph_def = text_of(message.get_view()); break;
      case field::kSummary: read_summary(message.get_message(), event); break;
      case field::kSessionLog: {
        MessageReader log = message.get_message();
        event.session_status = log.next(field::kSessionStatus) ? log.get_enum() : 0;
        break;
      }
      default: message.skip();
    }
  }
  return event;
}

}  // namespace

Result<EventView> decode_event(Bytes untrusted) {
  // protozero reports damage by exceptions; they end here.
  try {
    return read_event(MessageReader(reinterpret_cast<const char*>(untrusted.data()), untrusted.size()));
  } catch (const std::exception& error) {
    return Status(StatusCode::kCorrupt, std::string("the record is not an Event: ") + error.what());
  }
}

}  // namespace tensortap::event
