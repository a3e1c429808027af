// Gathering and widening a few values.
#include "stats/value_reader.h"

#include <algorithm>
#include <array>

#include "stats/widen_kernel.h"
#include "tensor/float8.h"
#include "tensor/gather.h"

namespace tensortap::stats {

void read_values(const TensorView& view, std::uint64_t first, std::size_t count, double* out) {
  alignas(64) std::array<std::byte, kMaxValues * 16> raw;
  tensor::gather(view, first, count, raw.data());
  if (dtype_size_bytes(view.dtype) == 1) {
    const std::array<float, 256>& values = tensor::byte_values(view.dtype);
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<double>(values[static_cast<unsigned char>(raw[i])]);
  } else if (needs_doubles(view.dtype)) {
    widen(view.dtype, raw.data(), count, out);
  } else {
    std::array<float, kMaxValues> floats;
    widen(view.dtype, raw.data(), count, floats.data());
    std::copy_n(floats.data(), count, out);
  }
}

}  // namespace tensortap::stats
