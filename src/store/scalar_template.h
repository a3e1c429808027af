// ScalarTemplate: the bytes that all events of one scalar tag have in common.
//
//   09 wall_time  10 step | 2a .. 0a .. 0a .. tag .. xx xx xx xx ..
//                         | the template, with a hole where the number is
//
// A writer repeats itself: but for time, step and number, an event is the one before it. Comparing it with a template
// is several times faster than reading it, and means the same.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "event/plain_scalar.h"
#include "store/scalar_column.h"

namespace tensortap::store {

class ScalarTemplate {
 public:
  // Records must be followed by this many readable bytes.
  static constexpr std::size_t kSlackBytes = 8;

  bool is_made() const { return !words_.empty(); }

  // Learns from a record that scan_plain_scalar() has recognised. Does nothing when its number cannot be told by its
  // place alone.
  void make(std::string_view record, const event::PlainScalar& scalar);

  // Whether `record` differs from the template in time, step and number only; then these are in `point`.
  bool read(std::string_view record, ScalarPoint& point) const {
    const char* at = record.data();
    const char* const end = at + record.size();
    if (record.size() < kShortestBytes || *at != kWallTimeKey) return false;
    std::memcpy(&point.wall_secs, at + 1, sizeof point.wall_secs);
    at += 9;
    point.step = 0;
    if (*at == kStepKey && !read_step(++at, end, point.step)) return false;
    if (static_cast<std::size_t>(end - at) != size_bytes_) return false;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      std::uint64_t bits;
      std::memcpy(&bits, at + i * sizeof bits, sizeof bits);
      if (((bits ^ words_[i].bits) & words_[i].mask) != 0) return false;
    }
    if (is_wide_) {
      std::memcpy(&point.value, at + value_at_, sizeof point.value);
    } else {
      float value;
      std::memcpy(&value, at + value_at_, sizeof value);
      point.value = value;
    }
    return true;
  }

 private:
  struct Word {
    std::uint64_t bits;
    std::uint64_t mask;  // 0 where the number is, and behind the end
  };
  static constexpr char kWallTimeKey = 0x09, kStepKey = 0x10;
  static constexpr std::size_t kShortestBytes = 16;

  static bool read_step(const char*& at, const char* end, std::int64_t& step) {
    std::uint64_t bits = 0;
    for (unsigned shift = 0; shift < 63 && at != end; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at++);
      bits |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if (byte < 0x80) {
        step = static_cast<std::int64_t>(bits);
        return true;
      }
    }
    return false;
  }

  std::vector<Word> words_;
  std::size_t size_bytes_ = 0;
  std::size_t value_at_ = 0;
  bool is_wide_ = false;  // a double, where float32 would not be exact
};

}  // namespace tensortap::store
