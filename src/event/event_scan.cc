// EventScan over FieldCursor.
#include "event/event_scan.h"

#include "event/event_fields.h"

namespace tensortap::event {

using wire::Field;
using wire::FieldCursor;
using wire::WireType;

namespace {

EventForm form_of(std::uint32_t id) {
  switch (id) {
    case field::kFileVersion: return EventForm::kFileVersion;
    case field::kGraphDef: return EventForm::kGraphDef;
    case field::kSummary: return EventForm::kSummary;
    case field::kSessionLog: return EventForm::kSessionLog;
    case field::kTaggedRunMetadata: return EventForm::kTaggedRunMetadata;
    case field::kMetaGraphDef: return EventForm::kMetaGraphDef;
    default: return EventForm::kNone;
  }
}

ValueForm value_form_of(std::uint32_t id) {
  switch (id) {
    case field::kTensor: return ValueForm::kTensor;
    case field::kImage: return ValueForm::kImage;
    case field::kHistogram: return ValueForm::kHistogram;
    case field::kAudio: return ValueForm::kAudio;
    default: return ValueForm::kNone;
  }
}

// A known field of another wire type would be read as if it were not there: a step of text as step 0.
bool is_foreign(const Field& at) {
  switch (at.id) {
    case field::kWallTime: return at.type != WireType::kFixed64;
    case field::kStep: return at.type != WireType::kVarint;
    default: return form_of(at.id) != EventForm::kNone && at.type != WireType::kBytes;
  }
}

bool is_foreign_in_value(const Field& at) {
  switch (at.id) {
    case field::kTag:
    case field::kMetadata: return at.type != WireType::kBytes;
    case field::kSimpleValue: return at.type != WireType::kFixed32;
    case field::kExactValue: return at.type != WireType::kFixed64;
    default: return value_form_of(at.id) != ValueForm::kNone && at.type != WireType::kBytes;
  }
}

bool scan_value(std::string_view untrusted, ScannedValue& value) {
  value = {};
  FieldCursor cursor(untrusted);
  Field at;
  while (cursor.next(at)) {
    if (is_foreign_in_value(at)) return false;
    if (at.type == WireType::kBytes) {
      if (at.id == field::kTag) {
        value.tag = at.bytes;
      } else if (at.id == field::kMetadata) {
        value.metadata = at.bytes;
      } else if (const ValueForm form = value_form_of(at.id); form != ValueForm::kNone) {
        value.form = form;
        value.body = at.bytes;
      }
    } else if (at.is(field::kSimpleValue, WireType::kFixed32)) {
      value.form = ValueForm::kSimple;
      value.simple_value = at.as_float();
    } else if (at.is(field::kExactValue, WireType::kFixed64)) {
      value.has_exact_value = true;
      value.exact_value = at.as_double();
    }
  }
  return !cursor.damaged();
}

bool scan_plugin_data(std::string_view untrusted, Metadata& metadata) {
  FieldCursor cursor(untrusted);
  Field at;
  while (cursor.next(at)) {
    if (at.is(field::kPluginName, WireType::kBytes)) metadata.plugin = at.bytes;
    if (at.is(field::kPluginContent, WireType::kBytes)) metadata.content = at.bytes;
  }
  return !cursor.damaged();
}

}  // namespace

bool scan_event(std::string_view untrusted, ScannedEvent& event) {
  event = {};
  FieldCursor cursor(untrusted);
  Field at;
  while (cursor.next(at)) {
    if (is_foreign(at)) return false;
    if (at.is(field::kWallTime, WireType::kFixed64)) {
      event.time.wall_secs = at.as_double();
    } else if (at.is(field::kStep, WireType::kVarint)) {
      event.time.step = static_cast<std::int64_t>(at.number);
    } else if (at.type == WireType::kBytes) {
      if (const EventForm form = form_of(at.id); form != EventForm::kNone) {
        event.form = form;
        event.body = at.bytes;
      }
    }
  }
  return !cursor.damaged();
}

bool SummaryCursor::next(ScannedValue& value) {
  Field at;
  while (fields_.next(at)) {
    if (!at.is(field::kSummaryValue, WireType::kBytes)) continue;
    if (scan_value(at.bytes, value)) return true;
    damaged_ = true;
    return false;
  }
  return false;
}

bool scan_metadata(std::string_view untrusted, Metadata& metadata) {
  metadata = {};
  FieldCursor cursor(untrusted);
  Field at;
  while (cursor.next(at)) {
    if (at.is(field::kPluginData, WireType::kBytes)) {
      if (!scan_plugin_data(at.bytes, metadata)) return false;
    } else if (at.is(field::kDisplayName, WireType::kBytes)) {
      metadata.display_name = at.bytes;
    } else if (at.is(field::kDescription, WireType::kBytes)) {
      metadata.description = at.bytes;
    } else if (at.is(field::kDataClass, WireType::kVarint)) {
      metadata.data_class = at.number <= 3 ? static_cast<DataClass>(at.number) : DataClass::kUnknown;
    } else if (at.is(field::kDerived, WireType::kVarint)) {
      metadata.derived = at.number != 0;
    }
  }
  return !cursor.damaged();
}

int session_status_of(std::string_view untrusted) {
  int status = 0;
  FieldCursor cursor(untrusted);
  Field at;
  while (cursor.next(at)) {
    if (at.is(field::kSessionStatus, WireType::kVarint)) status = static_cast<int>(at.number & 0xff);
  }
  return cursor.damaged() ? -1 : status;
}

std::string_view tag_of_run_metadata(std::string_view untrusted) {
  std::string_view tag;
  FieldCursor cursor(untrusted);
  Field at;
  while (cursor.next(at)) {
    if (at.is(field::kTag, WireType::kBytes)) tag = at.bytes;
  }
  return cursor.damaged() ? std::string_view() : tag;
}

}  // namespace tensortap::event
