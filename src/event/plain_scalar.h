// PlainScalar: the event that makes up most of every log, one scalar and nothing else, recognised at a glance.
//
// Summary writers put their fields in the order of their numbers:
//   wall_time [step] summary{ value{ tag  simple_value | tensor  [metadata] [exact_value] } }
// Anything else is left to event_scan.h, which reads every event.
#pragma once

#include <string_view>

#include "event/event.h"

namespace tensortap::event {

// Views point into the record.
struct PlainScalar {
  EventTime time;
  std::string_view tag;
  bool is_simple = false;  // then simple_value counts, otherwise tensor
  float simple_value = 0;
  std::string_view tensor;    // encoded
  std::string_view metadata;  // encoded; data() is null when there is none
  bool has_exact_value = false;
  double exact_value = 0;
};

// False when the record is anything else; `scalar` then holds nothing of use.
bool scan_plain_scalar(std::string_view untrusted, PlainScalar& scalar);

}  // namespace tensortap::event
