// TensorCsv: indices counted up, elements as text.
#include "format/tensor_csv.h"

#include <algorithm>
#include <utility>

#include "format/csv.h"
#include "format/element_text.h"
#include "format/number_text.h"

namespace tensortap::format {
namespace {

constexpr std::uint64_t kRows = 16 << 10;

}  // namespace

TensorCsv::TensorCsv(TensorView tensor) : tensor_(std::move(tensor)), total_(tensor_.element_count()) {}

TensorCsv::TensorCsv(std::span<const std::string> strings, Shape shape)
    : tensor_{nullptr, DType::kString, std::move(shape), {}}, strings_(strings), total_(strings.size()) {}

std::string TensorCsv::heads() const {
  std::string line;
  for (std::size_t axis = 0; axis < tensor_.shape.size(); ++axis) line += "axis_" + std::to_string(axis) + ",";
  return line + (parts_of_element(tensor_.dtype) == 2 ? "real,imag\r\n" : "value\r\n");
}

void TensorCsv::append_row(std::string& out, std::uint64_t index) const {
  std::uint64_t behind = total_, rest = index;
  for (std::int64_t extent : tensor_.shape) {
    behind /= static_cast<std::uint64_t>(extent);
    append_number(out, rest / behind);
    rest %= behind;
    out += ',';
  }
  if (tensor_.dtype == DType::kString) {
    append_csv_text(out, strings_[index]);
  } else {
    append_element(out, tensor_, index, 0);
    if (parts_of_element(tensor_.dtype) == 2) {
      out += ',';
      append_element(out, tensor_, index, 1);
    }
  }
  out += "\r\n";
}

std::optional<std::string> TensorCsv::next() {
  if (!std::exchange(started_, true)) return heads();
  if (next_ == total_) return std::nullopt;
  std::string rows;
  const std::uint64_t end = next_ + std::min(kRows, total_ - next_);
  for (; next_ < end; ++next_) append_row(rows, next_);
  return rows;
}

}  // namespace tensortap::format
