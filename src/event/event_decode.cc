// Bytes to Events; whatever the bytes are. Built on the scan, so that there is one reading of an event.
#include <cstring>

#include "event/event.h"
#include "event/event_fields.h"
#include "event/event_scan.h"

namespace tensortap::event {
namespace {

using wire::Field;
using wire::FieldCursor;
using wire::WireType;

bool read_dim(std::string_view untrusted, Shape& shape) {
  std::int64_t extent = 0;  // proto3 leaves a zero out
  FieldCursor cursor(untrusted);
  Field at;
  while (cursor.next(at)) {
    if (at.is(field::kDimSize, WireType::kVarint)) extent = static_cast<std::int64_t>(at.number);
  }
  shape.push_back(extent);
  return !cursor.damaged();
}

bool read_shape(std::string_view untrusted, Shape& shape) {
  FieldCursor cursor(untrusted);
  Field at;
  while (cursor.next(at)) {
    if (at.is(field::kDim, WireType::kBytes) && !read_dim(at.bytes, shape)) return false;
  }
  return !cursor.damaged();
}

// float_val is packed by new writers and not by old ones.
bool read_floats(const Field& at, std::vector<float>& floats) {
  if (at.type == WireType::kFixed32) floats.push_back(at.as_float());
  if (at.type != WireType::kBytes) return true;
  if (at.bytes.size() % sizeof(float) != 0) return false;
  const std::size_t before = floats.size();
  floats.resize(before + at.bytes.size() / sizeof(float));
  if (!at.bytes.empty()) std::memcpy(floats.data() + before, at.bytes.data(), at.bytes.size());
  return true;
}

bool read_tensor(std::string_view untrusted, ValueView& value) {
  FieldCursor cursor(untrusted);
  Field at;
  bool whole = true;
  while (cursor.next(at)) {
    if (at.is(field::kDtype, WireType::kVarint)) value.dtype = dtype_from_number(at.number);
    if (at.is(field::kTensorShape, WireType::kBytes)) whole &= read_shape(at.bytes, value.shape);
    if (at.is(field::kTensorContent, WireType::kBytes)) value.tensor_content = at.bytes;
    if (at.is(field::kStringVal, WireType::kBytes)) value.strings.push_back(at.bytes);
    if (at.id == field::kFloatVal) whole &= read_floats(at, value.floats);
  }
  return whole && !cursor.damaged();
}

bool read_value(const ScannedValue& scanned, ValueView& value) {
  value.tag = scanned.tag;
  if (scanned.has_exact_value) value.exact_value = scanned.exact_value;
  if (scanned.form == ValueForm::kSimple) value.simple_value = scanned.simple_value;
  if (scanned.metadata.data() != nullptr && !scan_metadata(scanned.metadata, value.metadata.emplace())) return false;
  return scanned.form != ValueForm::kTensor || read_tensor(scanned.body, value);
}

bool read_event(std::string_view untrusted, EventView& event) {
  ScannedEvent scanned;
  if (!scan_event(untrusted, scanned)) return false;
  event.time = scanned.time;
  if (scanned.form == EventForm::kFileVersion) event.file_version = scanned.body;
  if (scanned.form == EventForm::kGraphDef) event.graph_def = scanned.body;
  if (scanned.form == EventForm::kSessionLog) {
    event.session_status = session_status_of(scanned.body);
    if (*event.session_status < 0) return false;
  }
  if (scanned.form != EventForm::kSummary) return true;
  SummaryCursor values(scanned.body);
  ScannedValue value;
  while (values.next(value)) {
    if (!read_value(value, event.values.emplace_back())) return false;
  }
  return !values.damaged();
}

}  // namespace

Result<EventView> decode_event(Bytes untrusted) {
  EventView event;
  if (read_event({reinterpret_cast<const char*>(untrusted.data()), untrusted.size()}, event)) return event;
  return Status(StatusCode::kCorrupt, "the record is not an Event");
}

}  // namespace tensortap::event
