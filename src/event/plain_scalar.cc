// PlainScalar: straight through, one comparison a field.
#include "event/plain_scalar.h"

#include <cstring>

namespace tensortap::event {
namespace {

// The keys of the fields, number and wire type in one byte.
constexpr unsigned char kWallTimeKey = 0x09, kStepKey = 0x10, kSummaryKey = 0x2a;
constexpr unsigned char kValueKey = 0x0a, kTagKey = 0x0a, kSimpleKey = 0x15, kTensorKey = 0x42, kMetadataKey = 0x4a;

constexpr unsigned char kExactKey0 = 0xa1, kExactKey1 = 0x38;  // field 900 takes two

// The rest of a message, always inside the record.
struct Rest {
  const unsigned char* at;
  const unsigned char* end;

  std::size_t left() const { return static_cast<std::size_t>(end - at); }
  bool starts_with(unsigned char key) const { return at != end && *at == key; }

  // The length behind a key: one or two bytes, for what is plain is short.
  bool length(std::size_t& length) {
    if (left() < 3) return false;
    length = at[1];
    at += 2;
    if (length >= 0x80) {
      if (*at >= 0x80) return false;
      length = (length & 0x7f) | (static_cast<std::size_t>(*at++) << 7);
    }
    return length <= left();
  }
  // Steps into a message that must reach to the end of this one.
  bool enter(unsigned char key) {
    std::size_t inside = 0;
    return starts_with(key) && length(inside) && inside == left();
  }
  // The exact value, which is the last field where there is one.
  bool exact(double& value) const {
    if (left() != 2 + sizeof value || at[0] != kExactKey0 || at[1] != kExactKey1) return false;
    std::memcpy(&value, at + 2, sizeof value);
    return true;
  }
  bool bytes(unsigned char key, std::string_view& bytes) {
    std::size_t inside = 0;
    if (!starts_with(key) || !length(inside)) return false;
    bytes = {reinterpret_cast<const char*>(at), inside};
    at += inside;
    return true;
  }
};

bool read_time(Rest& rest, EventTime& time) {
  if (rest.left() < 11 || *rest.at != kWallTimeKey) return false;
  std::memcpy(&time.wall_secs, rest.at + 1, sizeof time.wall_secs);
  rest.at += 9;
  time.step = 0;
  if (*rest.at != kStepKey) return true;
  ++rest.at;
  std::uint64_t step = 0;
  for (unsigned shift = 0; shift < 63; shift += 7) {
    if (rest.at == rest.end) return false;
    const unsigned char byte = *rest.at++;
    step |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) {
      time.step = static_cast<std::int64_t>(step);
      return true;
    }
  }
  return false;  // negative or wrong
}

}  // namespace

bool scan_plain_scalar(std::string_view untrusted, PlainScalar& scalar) {
  const auto* begin = reinterpret_cast<const unsigned char*>(untrusted.data());
  Rest rest{begin, begin + untrusted.size()};
  if (!read_time(rest, scalar.time) || !rest.enter(kSummaryKey) || !rest.enter(kValueKey)) return false;
  if (!rest.bytes(kTagKey, scalar.tag)) return false;
  scalar.metadata = {};
  if (rest.starts_with(kSimpleKey)) {
    scalar.is_simple = true;
    if (rest.left() != 5) return false;
    std::memcpy(&scalar.simple_value, rest.at + 1, sizeof scalar.simple_value);
    return true;
  }
  scalar.is_simple = false;
  if (!rest.bytes(kTensorKey, scalar.tensor)) return false;
  scalar.has_exact_value = false;
  if (rest.at == rest.end) return true;
  if (rest.starts_with(kMetadataKey) && !rest.bytes(kMetadataKey, scalar.metadata)) return false;
  if (rest.at == rest.end) return true;
  scalar.has_exact_value = rest.exact(scalar.exact_value);
  return scalar.has_exact_value;
}

}  // namespace tensortap::event
