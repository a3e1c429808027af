// TensorText: one element at a time; only what is printed is looked at.
#include "cli/show/tensor_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <cstring>

#include "cli/units.h"
#include "cli/visible_text.h"
#include "format/values.h"

namespace tensortap::cli {
namespace {

constexpr std::uint64_t kWholeElements = 100;  // a tensor up to here is printed whole
constexpr std::uint64_t kMostElements = 2000;  // and no tensor beyond, however many dimensions it has
constexpr std::int64_t kAcross = 8;            // elements on a line of one dimension
constexpr std::size_t kTextColumns = 40;       // of a string

template <typename T>
T read(const query::OwnedTensor& tensor, std::uint64_t index) {
  T value;
  std::memcpy(&value, tensor.data.data() + index * sizeof(T), sizeof(T));
  return value;
}

double number_at(const query::OwnedTensor& tensor, std::uint64_t index) {
  const TensorView view{tensor.data.data(), tensor.dtype, tensor.shape, {}};
  double value = 0;
  format::read_values(view, index, 1, &value);
  return value;
}

bool is_complex(DType dtype) { return dtype == DType::kComplex64 || dtype == DType::kComplex128; }

std::complex<double> complex_at(const query::OwnedTensor& tensor, std::uint64_t index) {
  if (tensor.dtype == DType::kComplex128) return read<std::complex<double>>(tensor, index);
  return std::complex<double>(read<std::complex<float>>(tensor, index));
}

class Printer {
 public:
  explicit Printer(const query::OwnedTensor& tensor)
      : tensor_(tensor), is_whole_(element_count(tensor) <= kWholeElements), edge_(edge(tensor.shape.size())) {}

  std::string print() {
    // Twice: the first pass learns how wide an element is.
    for (const bool measures : {true, false}) {
      measures_ = measures;
      printed_ = 0;
      out_.clear();
      dimension(0, 0);
    }
    return std::move(out_);
  }

 private:
  // Indices at each end of a dimension: a screen shall hold it all.
  static std::int64_t edge(std::size_t rank) { return rank <= 2 ? 3 : rank <= 4 ? 2 : 1; }

  void element(std::uint64_t index) {
    const std::string text = element_text(tensor_, index);
    const std::size_t columns = display_width(text);
    if (measures_) width_ = std::max(width_, columns);
    out_.append(width_ - std::min(width_, columns), ' ').append(text);
    ++printed_;
  }

  void separate(std::size_t depth, std::int64_t index) {
    const bool is_innermost = depth + 1 == tensor_.shape.size();
    if (is_innermost && index % kAcross != 0) {
      out_ += ' ';
    } else {
      out_.append("\n").append(depth + 1, ' ');
    }
  }

  void dimension(std::size_t depth, std::uint64_t first) {
    if (depth == tensor_.shape.size()) return element(first);
    std::uint64_t below = 1;  // elements of one index
    for (std::size_t i = depth + 1; i < tensor_.shape.size(); ++i)
      below *= static_cast<std::uint64_t>(tensor_.shape[i]);
    const std::int64_t extent = tensor_.shape[depth];
    const bool is_cut = !is_whole_ && extent > 2 * edge_ + 1;
    out_ += '[';
    for (std::int64_t i = 0; i < extent; ++i) {
      if (i > 0) separate(depth, is_cut && i > edge_ ? i - extent + 2 * edge_ + 1 : i);
      if ((is_cut && i == edge_) || printed_ >= kMostElements) {
        out_ += "...";
        if (printed_ >= kMostElements) break;
        i = extent - edge_ - 1;
        continue;
      }
      dimension(depth + 1, first + static_cast<std::uint64_t>(i) * below);
    }
    out_ += ']';
  }

  const query::OwnedTensor& tensor_;
  const bool is_whole_;
  const std::int64_t edge_;
  bool measures_ = true;
  std::size_t width_ = 0;
  std::uint64_t printed_ = 0;
  std::string out_;
};

}  // namespace

std::uint64_t element_count(const query::OwnedTensor& tensor) {
  if (tensor.dtype == DType::kString) return tensor.strings.size();
  return tensor.data.size() / std::max<std::size_t>(dtype_size_bytes(tensor.dtype), 1);
}

std::string element_text(const query::OwnedTensor& tensor, std::uint64_t index, int digits) {
  switch (tensor.dtype) {
    case DType::kString: return "'" + cut_to_width(visible_text(tensor.strings[index]), kTextColumns) + "'";
    case DType::kBool: return number_at(tensor, index) != 0 ? "True" : "False";
    // Beyond what a double can hold.
    case DType::kInt64: return std::to_string(read<std::int64_t>(tensor, index));
    case DType::kUint64: return std::to_string(read<std::uint64_t>(tensor, index));
    default: break;
  }
  if (is_complex(tensor.dtype)) {
    const std::complex<double> value = complex_at(tensor, index);
    return fmt::format("({:.{}g}{:+.{}g}j)", value.real(), digits, value.imag(), digits);
  }
  const double value = number_at(tensor, index);
  return format::is_float(tensor.dtype) ? number_text(value, digits) : fmt::format("{:.0f}", value);
}

std::string tensor_text(const query::OwnedTensor& tensor) {
  if (element_count(tensor) == 0) return "[]";
  return Printer(tensor).print();
}

void put_elements(JsonOut& json, std::string_view name, const query::OwnedTensor& tensor) {
  json.key(name);
  json.begin_array();
  const std::uint64_t count = element_count(tensor);
  const auto each = [&](const auto& put) {
    for (std::uint64_t i = 0; i < count; ++i) put(i);
  };
  switch (tensor.dtype) {
    case DType::kString: each([&](std::uint64_t i) { json.value(tensor.strings[i]); }); break;
    case DType::kBool: each([&](std::uint64_t i) { json.value(tensor.data[i] != std::byte{0}); }); break;
    case DType::kInt64: each([&](std::uint64_t i) { json.value(read<std::int64_t>(tensor, i)); }); break;
    case DType::kUint64: each([&](std::uint64_t i) { json.value(read<std::uint64_t>(tensor, i)); }); break;
    case DType::kComplex64:
    case DType::kComplex128: each([&](std::uint64_t i) { json.value(element_text(tensor, i, 17)); }); break;
    default:
      if (count == 0) break;
      format::for_each_block({tensor.data.data(), tensor.dtype, tensor.shape, {}},
                             [&](std::uint64_t, std::span<const double> values) {
                               for (const double value : values) json.value(value);
                             });
  }
  json.end_array();
}

}  // namespace tensortap::cli
