// Columns: named numbers with what they mean, in one answer that a page reads without parsing them.
//
//   0    "TTCOLS1\n"
//   8    length of the header: u32      12   zero: u32
//   16   {"meta": {...}, "columns": [{"type": "f32", "offset": 0, "length": 200}, ...]}   padded with spaces to 8
//   ...  data; every column at a multiple of 8 from its start
//
// All little-endian. In the meta a column is its number. Values are f32 where every one of them is exactly a float32,
// and f64 otherwise; marks are u8. A column whose value i is first + i * stride has no data, only
// {"type": "range", "first": 0, "stride": 10, "length": 200}. Equal columns are there once.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "format/json.h"

namespace tensortap::format {

// The same answer for people and programs without the patience for binary data: columns stand in the meta as lists.
enum class ColumnsForm { kBinary, kJson };

// Threads:  one at a time.
// Failure:  none but for memory.
// Lifetime: finish() ends it.
class ColumnsWriter {
 public:
  explicit ColumnsWriter(ColumnsForm form) : form_(form) { meta_.begin_object(); }

  // The meta, inside of its outermost object.
  JsonWriter& meta() { return meta_; }

  // A member of the meta's current object.
  void column(std::string_view name, std::span<const double> values);
  void column(std::string_view name, std::span<const std::int64_t> values);  // beyond 2^53 rounded in kBinary
  void column(std::string_view name, std::span<const std::uint64_t> values);
  void column(std::string_view name, std::span<const std::uint8_t> values);

  std::string finish() &&;

 private:
  void refer(std::string_view name, std::string description);
  void number_column(std::string_view name, std::span<const double> values);
  std::size_t place_data(std::string_view data);

  const ColumnsForm form_;
  JsonWriter meta_;
  std::vector<std::string> descriptions_;
  std::string data_;
  std::vector<double> converted_;
  std::string narrowed_;
  // By description, and by a hash of data: the columns and the data that are there already.
  std::unordered_map<std::string, std::size_t> known_;
  struct Stretch {
    std::size_t offset, size_bytes;
  };
  std::unordered_multimap<std::size_t, Stretch> stretches_;
};

}  // namespace tensortap::format
