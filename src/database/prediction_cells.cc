// PredictionCells: lists, files, and the number that stands for a vector.
#include "database/prediction_cells.h"

#include <algorithm>
#include <cmath>

#include "database/capture_rows.h"
#include "format/npy.h"
#include "format/values.h"

namespace tensortap::database {

SampleReader::SampleReader(const event::CapturedTensor& tensor, std::int64_t samples) : tensor_(tensor) {
  if (tensor.dtype == DType::kInvalid || tensor.shape.empty() || samples == 0) return;
  sample_shape_.assign(tensor.shape.begin() + 1, tensor.shape.end());
  sample_numbers_ = 1;
  for (std::int64_t extent : sample_shape_) sample_numbers_ *= static_cast<std::uint64_t>(extent);
}

bool SampleReader::is_listed() const {
  const bool is_complex = tensor_.dtype == DType::kComplex64 || tensor_.dtype == DType::kComplex128;
  return tensor_.dtype != DType::kInvalid && !is_complex && sample_numbers_ <= kMaxListNumbers;
}

TensorView SampleReader::view_of(std::int64_t sample) const {
  const std::uint64_t bytes = sample_numbers_ * dtype_size_bytes(tensor_.dtype);
  return {tensor_.data.data() + static_cast<std::uint64_t>(sample) * bytes, tensor_.dtype, sample_shape_, {}};
}

Cell SampleReader::numbers(std::int64_t sample) const {
  if (!is_listed()) return {};
  std::vector<double> list(sample_numbers_);
  const TensorView view = view_of(sample);
  if (!format::check_values(view).ok()) return {};
  static_assert(kMaxListNumbers <= format::kValueBlock);
  if (!list.empty()) format::read_values(view, 0, sample_numbers_, list.data());
  return list;
}

Cell SampleReader::npy(std::int64_t sample) const {
  if (tensor_.dtype == DType::kInvalid || is_listed()) return {};
  Result<std::string> file = format::encode_npy(view_of(sample));
  if (!file.ok()) return {};
  return Blob{std::move(*file)};
}

Cell predicted_class(const Cell& numbers, const Shape& sample_shape) {
  const auto* list = std::get_if<std::vector<double>>(&numbers);
  if (list == nullptr || list->empty()) return {};
  if (list->size() == 1) return list->front();
  const bool has_nan = std::any_of(list->begin(), list->end(), [](double value) { return std::isnan(value); });
  if (sample_shape.size() != 1 || has_nan) return {};
  return static_cast<double>(std::max_element(list->begin(), list->end()) - list->begin());
}

Cell label_class(const Cell& numbers, const Shape& sample_shape) {
  const auto* list = std::get_if<std::vector<double>>(&numbers);
  if (list == nullptr || list->empty()) return {};
  if (list->size() == 1) return list->front();
  const auto ones = std::count(list->begin(), list->end(), 1.0);
  const auto zeros = std::count(list->begin(), list->end(), 0.0);
  const bool is_one_hot = ones == 1 && zeros + 1 == static_cast<std::ptrdiff_t>(list->size());
  if (sample_shape.size() != 1 || !is_one_hot) return {};
  return static_cast<double>(std::find(list->begin(), list->end(), 1.0) - list->begin());
}

}  // namespace tensortap::database
