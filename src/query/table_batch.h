// BatchWriter: a batch of a table, filled cell by cell.
//
// Private to query.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tensor/table.h"

namespace tensortap::query {

using Words = std::shared_ptr<const std::vector<std::string>>;

// Rows of one batch: enough that the cost of a batch vanishes, few enough to be held several times.
inline constexpr std::size_t kBatchRows = 64 << 10;

// Cells come row by row, and within a row in the order of the heads.
//
// Threads:  one at a time.
// Failure:  a cell of another type than its head's is a bug, and throws std::bad_variant_access.
// Lifetime: `heads` must outlive it.
class BatchWriter {
 public:
  // `words` are those of the kWord columns, in their order.
  BatchWriter(const std::vector<ColumnHead>& heads, const std::vector<Words>& words);

  void add_word(std::size_t index);
  void add_int64(std::int64_t number);
  void add_uint64(std::uint64_t number);
  void add_float64(double number);  // also timestamps
  void add_text(std::string text);  // also binary
  void add_list(std::span<const double> numbers);
  void add_null();

  std::size_t rows() const { return cells_ / heads_.size(); }
  // Of tensors and pictures few rows are a batch.
  bool is_full() const { return rows() >= kBatchRows || size_bytes_ >= kBatchBytes; }
  TableBatch take() &&;

 private:
  static constexpr std::size_t kBatchBytes = std::size_t{16} << 20;

  template <typename Column>
  Column& next(bool is_valid = true);

  const std::vector<ColumnHead>& heads_;
  TableBatch batch_;
  std::size_t cells_ = 0;
  std::size_t size_bytes_ = 0;  // of lists and texts
};

}  // namespace tensortap::query
