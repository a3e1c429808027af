// PlaceValues: the sentences about values that are not what they should be.
#include "query/place_values.h"

namespace tensortap::query {
namespace {

std::string where(const Place& place) {
  return " (at offset " + std::to_string(place.entry.offset) + " of " + place.file->file().path() + ")";
}

}  // namespace

Status located(const Status& status, const Place& place) {
  // Other codes are about the question, not about the file.
  const bool is_of_file = status.code() == StatusCode::kCorrupt || status.code() == StatusCode::kUnsupported;
  return is_of_file ? Status(status.code(), status.message() + where(place)) : status;
}

Status not_there(const Place& place, std::string_view wanted) {
  return Status(StatusCode::kInvalidArgument, "the value is of kind " + std::string(store::kind_name(place.kind)) +
                                                  " and holds no " + std::string(wanted) + where(place));
}

}  // namespace tensortap::query
