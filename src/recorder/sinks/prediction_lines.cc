// PredictionLines: what the outputs are is told by their shape and their labels.
#include "recorder/sinks/prediction_lines.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <vector>

#include "base/utf8.h"
#include "format/element_text.h"
#include "format/values.h"

namespace tensortap::recorder {
namespace {

constexpr std::uint64_t kMaxNumbers = 8;

using Numbers = std::vector<double>;

Numbers numbers_of(const TensorView& tensor, std::uint64_t sample) {
  Numbers numbers;
  format::for_each_block(format::sample_of(tensor, sample), [&](std::uint64_t, std::span<const double> values) {
    numbers.insert(numbers.end(), values.begin(), values.end());
  });
  return numbers;
}

// NaN is never the greatest.
std::size_t greatest(const Numbers& numbers) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    if (numbers[i] > numbers[best] || std::isnan(numbers[best])) best = i;
  }
  return best;
}

// The class that a label names: an index, or the one 1 among zeros.
std::optional<std::size_t> class_of(const Numbers& label, std::uint64_t classes) {
  if (label.size() == 1) {
    const double index = label[0];
    const bool is_class = index >= 0 && index < static_cast<double>(classes) && index == std::floor(index);
    return is_class ? std::optional(static_cast<std::size_t>(index)) : std::nullopt;
  }
  const auto ones = std::count(label.begin(), label.end(), 1.0), zeros = std::count(label.begin(), label.end(), 0.0);
  if (label.size() != classes || ones != 1 || ones + zeros != static_cast<std::ptrdiff_t>(classes)) return std::nullopt;
  return greatest(label);
}

std::string list_text(const Numbers& numbers) {
  if (numbers.size() == 1) return short_number(numbers[0]);
  std::string text = "[";
  for (std::size_t i = 0; i < numbers.size(); ++i) text += (i > 0 ? ", " : "") + short_number(numbers[i]);
  return text + "]";
}

std::string map_text(const TensorView& tensor, std::uint64_t sample) {
  double low = NAN, high = NAN, sum = 0;
  std::uint64_t count = 0;
  for (double value : numbers_of(tensor, sample)) {
    if (!std::isfinite(value)) continue;
    low = count == 0 ? value : std::min(low, value);
    high = count == 0 ? value : std::max(high, value);
    sum += value;
    ++count;
  }
  const double mean = count == 0 ? NAN : sum / static_cast<double>(count);
  return shape_to_string(format::sample_shape(tensor)) + ": " + short_number(low) + " .. " + short_number(mean) +
         " .. " + short_number(high);
}

// Predictions of one capture, and what they are taken for.
class Lines {
 public:
  Lines(std::string name, const format::PredictionTensors& tensors) : name_(std::move(name)), tensors_(tensors) {
    const TensorView &outputs = tensors.y_pred, &labels = tensors.y_true;
    has_labels_ = labels.dtype != DType::kInvalid && format::check_values(labels).ok();
    classes_ = outputs.shape.size() == 2 && outputs.shape[1] > 1 ? static_cast<std::uint64_t>(outputs.shape[1]) : 0;
    if (has_labels_ && classes_ > 0) count_right();
  }

  std::string sample(std::uint64_t i) const {
    std::string line = "  " + name_ + " id " + printable(tensors_.id_of(i));
    if (has_labels_) line += "  label " + label_text(i);
    if (classes_ == 0) return line + "  output " + output_text(tensors_.y_pred, i) + "\n";
    const Numbers outputs = numbers_of(tensors_.y_pred, i);
    const std::size_t best = greatest(outputs);
    return line + "  predicted " + std::to_string(best) + " (" + short_number(outputs[best]) + ")\n";
  }

  std::string share() const {
    const std::uint64_t samples = tensors_.samples();
    if (!has_labels_ || classes_ == 0 || samples == 0) return {};
    char percent[16];
    std::snprintf(percent, sizeof percent, "%.1f %%", 100 * static_cast<double>(right_) / static_cast<double>(samples));
    return "  " + name_ + ": " + std::to_string(right_) + " of " + std::to_string(samples) + " right (" + percent +
           ")\n";
  }

 private:
  static std::string output_text(const TensorView& tensor, std::uint64_t i) {
    return format::sample_size(tensor) <= kMaxNumbers ? list_text(numbers_of(tensor, i)) : map_text(tensor, i);
  }

  std::string label_text(std::uint64_t i) const {
    if (classes_ > 0) return std::to_string(*class_of(numbers_of(tensors_.y_true, i), classes_));
    return output_text(tensors_.y_true, i);
  }

  // One label that names no class shows that these are no classes at all.
  void count_right() {
    for (std::uint64_t i = 0; i < tensors_.samples(); ++i) {
      const std::optional<std::size_t> label = class_of(numbers_of(tensors_.y_true, i), classes_);
      if (!label) {
        classes_ = 0;
        return;
      }
      right_ += greatest(numbers_of(tensors_.y_pred, i)) == *label ? 1 : 0;
    }
  }

  std::string name_;
  const format::PredictionTensors& tensors_;
  bool has_labels_ = false;
  std::uint64_t classes_ = 0;  // 0: no class vectors
  std::uint64_t right_ = 0;
};

}  // namespace

std::string short_number(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "Infinity" : "-Infinity";
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", number);
  return text;
}

std::string printable(std::string_view untrusted) {
  std::string text;
  for (std::size_t at = 0; at < untrusted.size();) {
    const std::size_t start = at;
    char32_t point = 0;
    const bool is_text = next_code_point(untrusted, at, point) && !drives_terminal(point);
    text += is_text ? untrusted.substr(start, at - start) : "?";
  }
  return text;
}

std::string prediction_lines(const std::string& name, const format::PredictionTensors& tensors,
                             std::uint64_t max_samples) {
  const std::string shown_name = printable(name);
  const std::uint64_t samples = tensors.samples(), shown = std::min(samples, max_samples);
  if (!format::check_values(tensors.y_pred).ok()) {
    return "  " + shown_name + " " + std::to_string(samples) + " outputs of " +
           std::string(dtype_name(tensors.y_pred.dtype)) + shape_to_string(tensors.y_pred.shape) + "\n";
  }
  const Lines lines(shown_name, tensors);
  std::string text;
  for (std::uint64_t i = 0; i < shown; ++i) text += lines.sample(i);
  if (shown > 0 && shown < samples) text += "  ... and " + std::to_string(samples - shown) + " more\n";
  return text + lines.share();
}

}  // namespace tensortap::recorder
