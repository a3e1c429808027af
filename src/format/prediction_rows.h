// PredictionRows: predictions as CSV, one row a sample.
//
//   y_pred       columns                         y_true       columns
//   [n] [n,1]    output                          none         label, empty
//   [n,k]        class_0 .. class_{k-1}          [n] [n,1]    label
//   [n,...]      output_0_0, output_0_1, ...     [n,...]      label_0, label_1, ...
//
// What has more than kMaxSampleColumns numbers a sample is no row: SampleElements gives it one row a number.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/element_rows.h"
#include "tensortap/tensor_view.h"

namespace tensortap::format {

inline constexpr std::uint64_t kMaxSampleColumns = 1000;

// Tensors are valid and without gaps; kInvalid as dtype: not given.
struct PredictionTensors {
  TensorView y_pred;
  TensorView y_true;
  TensorView number_ids;  // int64
  std::span<const std::string_view> text_ids = {};

  std::uint64_t samples() const { return static_cast<std::uint64_t>(y_pred.shape[0]); }
  // The id of a sample, or its place; and the same as a cell.
  std::string id_of(std::uint64_t sample) const;
  void append_id(std::string& out, std::uint64_t sample) const;
};

// The numbers of one sample, and the shape they have.
Shape sample_shape(const TensorView& tensor);
std::uint64_t sample_size(const TensorView& tensor);
TensorView sample_of(const TensorView& tensor, std::uint64_t sample);

// Threads:  one at a time.
// Failure:  none but for memory.
// Lifetime: the tensors must outlive it.
class PredictionRows {
 public:
  // `before`: whole cells that begin each row, their last comma included.
  PredictionRows(PredictionTensors tensors, std::string before);

  bool has_labels() const { return tensors_.y_true.dtype != DType::kInvalid; }
  bool labels_fit() const { return labels_fit_; }
  bool outputs_fit() const { return outputs_fit_; }
  // False when neither fits: a table of ids alone tells nothing.
  bool has_table() const { return outputs_fit_ || (has_labels() && labels_fit_); }

  // "id,label,class_0,class_1", without a line end.
  std::string heads() const;
  // Some thousand numbers at a time; nullopt at the end.
  std::optional<std::string> next();

 private:
  void append_row(std::string& out) const;

  PredictionTensors tensors_;
  std::string before_;
  bool labels_fit_;
  bool outputs_fit_;
  std::uint64_t next_ = 0;
};

// The same for samples of many numbers: "id,index,value".
//
// Threads:  one at a time.
// Failure:  none but for memory.
// Lifetime: the tensors must outlive it.
class SampleElements {
 public:
  // `values` is y_pred or y_true of `tensors`.
  SampleElements(PredictionTensors tensors, TensorView values, std::string before);

  std::optional<std::string> next();

 private:
  PredictionTensors tensors_;
  TensorView values_;
  std::string before_;
  std::uint64_t sample_ = 0;
  std::optional<ElementRows> rows_;
};

}  // namespace tensortap::format
