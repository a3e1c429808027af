// PlaceValues: what stands at a place, decoded as far as every question needs it.
//
// Private to query. Views that `use` is given point into the record and end with the call.
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "query/places.h"

namespace tensortap::query {

inline bool is_in_captures(const Place& place) { return place.file->file().kind == store::RunFileKind::kCaptures; }

// Says where the value stands, when the value is what is wrong.
Status located(const Status& status, const Place& place);

template <typename T>
Result<T> located(Result<T> result, const Place& place) {
  if (result.ok()) return result;
  return located(result.status(), place);
}

// kInvalidArgument: what stands at the place is not what was asked for.
Status not_there(const Place& place, std::string_view wanted);

// use(const event::ScannedValue&) of a place in an event file. `Use` returns a Result.
template <typename Use>
std::invoke_result_t<Use, const event::ScannedValue&> use_value(const Place& place, std::string_view wanted,
                                                                const Use& use) {
  if (is_in_captures(place)) return not_there(place, wanted);
  Result<std::string> record = read_record(place);
  if (!record.ok()) return record.status();
  Result<event::ScannedValue> value = value_of(place, *record);
  if (!value.ok()) return value.status();
  return located(use(*value), place);
}

// use(const Body&) of a place in a capture file, where Body is one of event::CaptureBody. `Use` returns a Result.
template <typename Body, typename Use>
std::invoke_result_t<Use, const Body&> use_capture(const Place& place, std::string_view wanted, const Use& use) {
  if (!is_in_captures(place)) return not_there(place, wanted);
  Result<std::string> record = read_record(place);
  if (!record.ok()) return record.status();
  Result<event::CaptureView> capture = event::decode_capture(bytes_of(*record));
  if (!capture.ok()) return located(capture.status(), place);
  const Body* body = std::get_if<Body>(&capture->body);
  if (body == nullptr) return not_there(place, wanted);
  return located(use(*body), place);
}

}  // namespace tensortap::query
