// SpotDisplay: a tensor as a line for people, and how often one may appear.
//
//   encoder/attention  step 12  float32 [32,10]  min -1.2  mean 0.01  max 3.4  std 0.5  [0.13, -0.4, 1.2, ...]
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "tensortap/export.h"
#include "tensortap/tensor_view.h"

namespace tensortap::recorder {

// The line, without its end. Statistics are of all finite values; NaN and infinities are counted behind them.
std::string describe_tensor(std::string_view name, std::optional<std::int64_t> step, const TensorView& tensor);

// Threads:  any.
// Failure:  none.
// Lifetime: its spot's.
class SpotDisplay {
 public:
  // The first few lines always come; then so many a second. 0: none ever.
  explicit SpotDisplay(double lines_per_second) : lines_per_second_(lines_per_second) {}

  bool is_on() const { return lines_per_second_ > 0; }
  // Whether a line may come now; if so, how many were held back since the one before.
  std::optional<std::uint64_t> turn(std::int64_t now_nanos);

 private:
  const double lines_per_second_;
  std::mutex mutex_;
  std::uint64_t shown_ = 0;
  std::uint64_t held_back_ = 0;
  std::int64_t last_nanos_ = 0;
};

// Writes a line to the standard output at once: of one thread's line no other's is in the middle.
TENSORTAP_API void show_line(std::string line);

}  // namespace tensortap::recorder
