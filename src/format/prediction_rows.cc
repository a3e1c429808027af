// PredictionRows: heads from the shapes, then the samples.
#include "format/prediction_rows.h"

#include <algorithm>
#include <utility>

#include "format/csv.h"
#include "format/element_text.h"
#include "format/number_text.h"

namespace tensortap::format {
namespace {

// Numbers in one piece of text, more or less.
constexpr std::uint64_t kPieceNumbers = 16 << 10;

void append_heads(std::string& out, const TensorView& tensor, std::string_view one, std::string_view many) {
  const std::uint64_t size = sample_size(tensor);
  if (size == 1) {
    out += ',';
    out += one;
    return;
  }
  const Shape shape = sample_shape(tensor);
  for (std::uint64_t i = 0; i < size; ++i) {
    out += ',';
    out += many;
    append_index(out, shape, i, '_');
  }
}

void append_numbers(std::string& out, const TensorView& tensor, std::uint64_t sample) {
  const std::uint64_t size = sample_size(tensor);
  for (std::uint64_t i = sample * size; i < (sample + 1) * size; ++i) {
    out += ',';
    append_whole_element(out, tensor, i);
  }
}

}  // namespace

Shape sample_shape(const TensorView& tensor) { return Shape(tensor.shape.begin() + 1, tensor.shape.end()); }

std::uint64_t sample_size(const TensorView& tensor) {
  std::uint64_t size = 1;
  for (std::size_t axis = 1; axis < tensor.shape.size(); ++axis) size *= static_cast<std::uint64_t>(tensor.shape[axis]);
  return size;
}

TensorView sample_of(const TensorView& tensor, std::uint64_t sample) {
  TensorView one{nullptr, tensor.dtype, sample_shape(tensor), {}};
  one.data = static_cast<const std::byte*>(tensor.data) + sample * one.size_bytes();
  return one;
}

std::string PredictionTensors::id_of(std::uint64_t sample) const {
  if (!text_ids.empty()) return std::string(text_ids[sample]);
  std::string id;
  if (number_ids.dtype != DType::kInvalid) {
    append_element(id, number_ids, sample);
  } else {
    append_number(id, sample);
  }
  return id;
}

void PredictionTensors::append_id(std::string& out, std::uint64_t sample) const {
  if (text_ids.empty()) {
    out += id_of(sample);
  } else {
    append_csv_text(out, text_ids[sample]);
  }
}

PredictionRows::PredictionRows(PredictionTensors tensors, std::string before)
    : tensors_(std::move(tensors)),
      before_(std::move(before)),
      labels_fit_(!has_labels() || sample_size(tensors_.y_true) <= kMaxSampleColumns),
      outputs_fit_(sample_size(tensors_.y_pred) <= kMaxSampleColumns) {}

std::string PredictionRows::heads() const {
  std::string line = "id";
  if (!has_labels()) {
    line += ",label";
  } else if (labels_fit_) {
    append_heads(line, tensors_.y_true, "label", "label_");
  }
  const bool is_vector = tensors_.y_pred.shape.size() == 2;
  if (outputs_fit_) append_heads(line, tensors_.y_pred, "output", is_vector ? "class_" : "output_");
  return line;
}

void PredictionRows::append_row(std::string& out) const {
  out += before_;
  tensors_.append_id(out, next_);
  if (!has_labels()) {
    out += ',';
  } else if (labels_fit_) {
    append_numbers(out, tensors_.y_true, next_);
  }
  if (outputs_fit_) append_numbers(out, tensors_.y_pred, next_);
  out += kCsvLineEnd;
}

std::optional<std::string> PredictionRows::next() {
  const std::uint64_t total = tensors_.samples();
  if (next_ >= total) return std::nullopt;
  const std::uint64_t numbers = outputs_fit_ ? std::max<std::uint64_t>(1, sample_size(tensors_.y_pred)) : 1;
  const std::uint64_t end = next_ + std::min(total - next_, kPieceNumbers / numbers + 1);
  std::string rows;
  for (; next_ < end; ++next_) append_row(rows);
  return rows;
}

SampleElements::SampleElements(PredictionTensors tensors, TensorView values, std::string before)
    : tensors_(std::move(tensors)), values_(std::move(values)), before_(std::move(before)) {}

std::optional<std::string> SampleElements::next() {
  while (true) {
    if (!rows_) {
      if (sample_ == tensors_.samples()) return std::nullopt;
      std::string cells = before_;
      tensors_.append_id(cells, sample_);
      rows_.emplace(sample_of(values_, sample_++), cells + ",");
    }
    if (std::optional<std::string> piece = rows_->next()) return piece;
    rows_.reset();
  }
}

}  // namespace tensortap::format
