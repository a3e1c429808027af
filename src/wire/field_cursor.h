// FieldCursor: walks the fields of a protobuf message without copies, allocations or exceptions.
//
// For the paths that see millions of records; elsewhere wire/protobuf.h reads more comfortably.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace tensortap::wire {

enum class WireType : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

// One field: `number` holds varints and the bits of fixed ones, `bytes` what is length-delimited.
struct Field {
  std::uint32_t id = 0;
  WireType type = WireType::kVarint;
  std::uint64_t number = 0;
  std::string_view bytes;

  bool is(std::uint32_t wanted, WireType wanted_type) const { return id == wanted && type == wanted_type; }
  double as_double() const {
    double value;
    std::memcpy(&value, &number, sizeof value);
    return value;
  }
  float as_float() const {
    const auto bits = static_cast<std::uint32_t>(number);
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
};

// Threads:  one at a time.
// Failure:  next() is false at the end and at damage; damaged() tells which.
// Lifetime: the message must outlive the cursor and every Field it gave.
class FieldCursor {
 public:
  explicit FieldCursor(std::string_view message) : at_(message.data()), end_(message.data() + message.size()) {}

  bool damaged() const { return damaged_; }

  bool next(Field& field) {
    if (at_ == end_) return false;
    std::uint64_t key;
    if (!varint(key)) return fail();
    field.id = static_cast<std::uint32_t>(key >> 3);
    if (field.id == 0 || key > 0xffffffffU) return fail();
    field.type = static_cast<WireType>(key & 7);
    switch (field.type) {
      case WireType::kVarint: return varint(field.number) || fail();
      case WireType::kFixed64: return fixed<std::uint64_t>(field.number) || fail();
      case WireType::kFixed32: return fixed<std::uint32_t>(field.number) || fail();
      case WireType::kBytes: {
        std::uint64_t untrusted_length;
        if (!varint(untrusted_length) || untrusted_length > left()) return fail();
        field.bytes = {at_, static_cast<std::size_t>(untrusted_length)};
        at_ += untrusted_length;
        return true;
      }
    }
    return fail();  // groups, which nobody writes, and numbers that mean nothing
  }

 private:
  std::uint64_t left() const { return static_cast<std::uint64_t>(end_ - at_); }

  bool varint(std::uint64_t& value) {
    if (at_ == end_) return false;
    auto byte = static_cast<unsigned char>(*at_++);
    value = byte & 0x7fU;
    for (unsigned shift = 7; byte >= 0x80; shift += 7) {
      if (at_ == end_ || shift > 63) return false;
      byte = static_cast<unsigned char>(*at_++);
      value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    }
    return true;
  }

  template <typename Word>
  bool fixed(std::uint64_t& value) {
    if (left() < sizeof(Word)) return false;
    Word word;
    std::memcpy(&word, at_, sizeof word);
    value = word;
    at_ += sizeof word;
    return true;
  }

  bool fail() {
    damaged_ = true;
    at_ = end_;
    return false;
  }

  const char* at_;
  const char* end_;
  bool damaged_ = false;
};

}  // namespace tensortap::wire
