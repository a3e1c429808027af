// Fuzzes the scanner of event records: views stay inside, and the short way finds what the long way finds.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "event/event_scan.h"
#include "event/plain_scalar.h"
#include "event/tensor_proto.h"

namespace {

using namespace tensortap::event;

void expect(bool condition) {
  if (!condition) std::abort();
}

void compare(std::string_view record, const ScannedEvent& event) {
  PlainScalar plain;
  if (!scan_plain_scalar(record, plain)) return;
  expect(event.form == EventForm::kSummary && std::memcmp(&event.time, &plain.time, sizeof plain.time) == 0);
  SummaryCursor values(event.body);
  ScannedValue value;
  // A damaged tensor inside is found by neither.
  if (!values.next(value)) return;
  expect(value.tag == plain.tag && (value.form == ValueForm::kSimple) == plain.is_simple);
  if (!plain.is_simple) expect(value.body == plain.tensor && value.has_exact_value == plain.has_exact_value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view record(reinterpret_cast<const char*>(data), size);
  ScannedEvent event;
  if (!scan_event(record, event)) {
    PlainScalar plain;
    expect(!scan_plain_scalar(record, plain));
    return 0;
  }
  compare(record, event);
  SummaryCursor values(event.body);
  ScannedValue value;
  Metadata metadata;
  while (values.next(value)) {
    (void)scan_metadata(value.metadata, metadata);
    (void)scalar_of_tensor(value.body);
  }
  (void)session_status_of(event.body);
  (void)tag_of_run_metadata(event.body);
  return 0;
}
