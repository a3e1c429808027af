// ElementRows: indices counted up, elements as text.
#include "format/element_rows.h"

#include <algorithm>
#include <utility>

#include "format/csv.h"
#include "format/element_text.h"
#include "format/number_text.h"

namespace tensortap::format {
namespace {

constexpr std::uint64_t kRows = 16 << 10;

}  // namespace

void append_index(std::string& out, const Shape& shape, std::uint64_t index, char joint) {
  std::uint64_t behind = 1;
  for (std::int64_t extent : shape) behind *= static_cast<std::uint64_t>(extent);
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    behind /= static_cast<std::uint64_t>(shape[axis]);
    if (axis > 0) out += joint;
    append_number(out, index / behind);
    index %= behind;
  }
}

ElementRows::ElementRows(TensorView tensor, std::string before)
    : tensor_(std::move(tensor)), before_(std::move(before)), total_(tensor_.element_count()) {}

void ElementRows::append_row(std::string& out) const {
  out += before_;
  const bool quoted = tensor_.shape.size() > 1;
  if (quoted) out += '"';
  append_index(out, tensor_.shape, next_);
  if (quoted) out += '"';
  out += ',';
  append_whole_element(out, tensor_, next_);
  out += kCsvLineEnd;
}

std::optional<std::string> ElementRows::next() {
  if (next_ == total_) return std::nullopt;
  std::string rows;
  const std::uint64_t end = next_ + std::min(kRows, total_ - next_);
  rows.reserve((end - next_) * (before_.size() + 24));
  for (; next_ < end; ++next_) append_row(rows);
  return rows;
}

}  // namespace tensortap::format
