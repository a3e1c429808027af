// SpotDisplay: statistics and the first values, as short as they can be read.
#include "recorder/spot_display.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>

#include "format/element_text.h"
#include "stats/value_reader.h"
#include "tensor/gather.h"
#include "tensortap/tensor_stats.h"

namespace tensortap::recorder {
namespace {

constexpr std::uint64_t kShownAlways = 3;
constexpr std::uint64_t kFirstValues = 6;

std::string short_number(double number) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.4g", number);
  return text.data();
}

void append_stats(std::string& out, const TensorStats& stats) {
  if (stats.finite_count() > 0) {
    out += "  min " + short_number(stats.min) + "  mean " + short_number(stats.mean()) + "  max " +
           short_number(stats.max) + "  std " + short_number(stats.std());
  }
  if (stats.nan > 0) out += "  nan " + std::to_string(stats.nan);
  const std::uint64_t infinite = stats.positive_inf + stats.negative_inf;
  if (infinite > 0) out += "  inf " + std::to_string(infinite);
}

void append_first_values(std::string& out, const TensorView& tensor) {
  const std::uint64_t count = tensor.element_count();
  const std::uint64_t shown = std::min(count, kFirstValues);
  std::array<double, kFirstValues> values{};
  stats::read_values(tensor, 0, static_cast<std::size_t>(shown), values.data());
  out += "  [";
  for (std::uint64_t i = 0; i < shown; ++i) out += (i == 0 ? "" : ", ") + short_number(values[i]);
  out += count > shown ? ", ...]" : "]";
}

}  // namespace

std::string describe_tensor(std::string_view name, std::optional<std::int64_t> step, const TensorView& tensor) {
  std::string out(name);
  if (step) out += "  step " + std::to_string(*step);
  out += "  " + std::string(dtype_name(tensor.dtype)) + " " + shape_to_string(tensor.shape);
  if (!tensor.validate().ok()) return out;
  Result<TensorStats> stats = compute_stats(tensor);
  if (!stats.ok()) return out;
  append_stats(out, *stats);
  append_first_values(out, tensor);
  return out;
}

std::optional<std::uint64_t> SpotDisplay::turn(std::int64_t now_nanos) {
  std::lock_guard lock(mutex_);
  const bool is_time = static_cast<double>(now_nanos - last_nanos_) * 1e-9 * lines_per_second_ >= 1;
  if (!is_on() || (shown_ >= kShownAlways && !is_time)) {
    ++held_back_;
    return std::nullopt;
  }
  ++shown_;
  last_nanos_ = now_nanos;
  return std::exchange(held_back_, 0);
}

void show_line(std::string line) {
  line += '\n';
  // A pipe that nobody reads must not hold the training: what does not fit at once is not shown.
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  if (::poll(&output, 1, 0) != 1 || (output.revents & POLLOUT) == 0) return;
  while (::write(STDOUT_FILENO, line.data(), line.size()) < 0 && errno == EINTR) {
  }
}

}  // namespace tensortap::recorder
