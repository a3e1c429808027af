// Event: one record of an event file, as TensorBoard's Event message has it.
//
//   Event          := wall_time:1 step:2 (file_version:3 | graph_def:4 | summary:5 | session_log:7)
//   Summary.Value  := tag:1 metadata:9 tensor:8 [exact_value:900]
//   Metadata       := plugin_data:1{name:1 content:2} display_name:2 description:3 data_class:4 [derived:900]
//
// Fields 900 are ours: readers that do not know them skip them. docs/format.md says what they mean.
// Encoding and decoding stand side by side so that they cannot drift apart.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "tensortap/result.h"
#include "tensortap/tensor_view.h"

namespace tensortap::event {

// Where on the two time axes something stands.
struct EventTime {
  double wall_secs = 0;
  std::int64_t step = 0;
};

// How a reader may treat a tag's values; TensorBoard's numbers: never renumber.
enum class DataClass : std::uint8_t { kUnknown = 0, kScalar = 1, kTensor = 2, kBlobSequence = 3 };

// What the first event of a tag says about all its values.
struct Metadata {
  std::string_view plugin;
  std::string_view content;  // the plug-in's own bytes
  DataClass data_class = DataClass::kUnknown;
  std::string_view description;
  // The values are computed from a capture file beside this one, and are to be counted once.
  bool derived = false;
  // Writers may leave it out.
  std::string_view display_name = {};  // NOLINT(readability-redundant-member-init)
};

// Each returns the bytes of one record. `metadata` may be null: readers keep the first one they saw for a tag.
std::string encode_file_version(double wall_secs);
std::string encode_session_start(EventTime time);
std::string encode_graph_def(EventTime time, Bytes graph_def);
// The value as float32, which is all that TensorBoard reads, and as double where float32 is not exact.
std::string encode_scalar(EventTime time, std::string_view tag, double value, const Metadata* metadata);
// `view` must be contiguous and numeric.
std::string encode_tensor(EventTime time, std::string_view tag, const TensorView& view, const Metadata* metadata);
std::string encode_strings(EventTime time, std::string_view tag, std::span<const std::string> strings,
                           const Shape& shape, const Metadata* metadata);

// One value of a decoded summary. Views point into the record.
struct ValueView {
  std::string_view tag;
  std::optional<Metadata> metadata;
  std::optional<double> exact_value;
  std::optional<float> simple_value;
  DType dtype = DType::kInvalid;
  Shape shape;
  std::string_view tensor_content;
  std::vector<float> floats;
  std::vector<std::string_view> strings;
};

// A decoded record. Views point into the bytes given to decode_event().
struct EventView {
  EventTime time;
  std::string_view file_version;
  std::string_view graph_def;
  std::optional<int> session_status;
  std::vector<ValueView> values;
};

// kCorrupt when `untrusted` is not the encoding of an Event.
Result<EventView> decode_event(Bytes untrusted);

}  // namespace tensortap::event
