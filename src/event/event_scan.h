// EventScan: an event record taken apart without copying anything; what a loader does millions of times.
//
// decode_event() says everything about one record. This says what stands where, and leaves tensors, pictures and
// metadata as the bytes they are.
#pragma once

#include <cstdint>
#include <string_view>

#include "event/event.h"
#include "wire/field_cursor.h"

namespace tensortap::event {

enum class EventForm : std::uint8_t {
  kNone,  // a time and nothing else, or something no reader uses
  kFileVersion,
  kGraphDef,
  kSummary,
  kSessionLog,
  kTaggedRunMetadata,
  kMetaGraphDef,
};

// Views point into the record.
struct ScannedEvent {
  EventTime time;
  EventForm form = EventForm::kNone;
  std::string_view body;  // the text or the encoded message of the form
};

enum class ValueForm : std::uint8_t { kNone, kSimple, kTensor, kImage, kHistogram, kAudio };

struct ScannedValue {
  std::string_view tag;
  std::string_view metadata;  // encoded; data() is null when there is none
  ValueForm form = ValueForm::kNone;
  float simple_value = 0;
  std::string_view body;  // the encoded message of the form
  bool has_exact_value = false;
  double exact_value = 0;
};

// False when `untrusted` is not the encoding of an Event. Summaries are looked into by SummaryCursor only.
bool scan_event(std::string_view untrusted, ScannedEvent& event);

// The values of a summary, one after the other.
//
// Threads:  one at a time.
// Failure:  next() is false at the end and at damage; damaged() tells which.
// Lifetime: the summary must outlive the cursor and its values.
class SummaryCursor {
 public:
  explicit SummaryCursor(std::string_view summary) : fields_(summary) {}
  bool next(ScannedValue& value);
  bool damaged() const { return damaged_ || fields_.damaged(); }

 private:
  wire::FieldCursor fields_;
  bool damaged_ = false;
};

// The encoded metadata of a value; false when it is damaged. Views point into it.
bool scan_metadata(std::string_view untrusted, Metadata& metadata);

// The status of a SessionLog (kSessionStart and others); -1 when it is damaged.
int session_status_of(std::string_view untrusted);

// The tag of a TaggedRunMetadata; empty when it has none or is damaged.
std::string_view tag_of_run_metadata(std::string_view untrusted);

}  // namespace tensortap::event
