// record_taps(): from the tensors of an op to the queue, without a second look at tags and rules.
#include <algorithm>

#include "base/clock.h"
#include "recorder/call_checks.h"
#include "recorder/first_samples.h"
#include "recorder/recorder.h"
#include "recorder/tap_watch.h"
#include "stats/value_reader.h"

namespace tensortap::recorder {
namespace {

// The trainer waits while this is computed; beyond it a queue entry costs less.
constexpr std::uint64_t kReduceInOpBytes = 1 << 10;
constexpr std::uint64_t kStatsBytes = 1024;

// One op's captures for one recorder.
class Offers {
 public:
  Offers(std::size_t most, std::int64_t epoch) : epoch_(epoch) { captures_.reserve(most); }

  void add(const Tap& tap, Tag* tag, std::int64_t step, std::uint64_t bytes, PayloadPtr payload) {
    QueuedCapture& capture = captures_.emplace_back();
    capture.channel = tap.channel.get();
    capture.tag = tag;
    capture.step = step;
    capture.phase = tap.options.phase;
    capture.epoch = epoch_;
    capture.bytes = sizeof(QueuedCapture) + bytes;
    capture.payload = std::move(payload);
  }
  void add_scalar(const Tap& tap, Tag* tag, std::int64_t step, double value) {
    add(tap, tag, step, 0, nullptr);
    captures_.back().value = value;
  }

  std::vector<QueuedCapture>& captures() { return captures_; }

 private:
  const std::int64_t epoch_;
  std::vector<QueuedCapture> captures_;
};

Status offer_tensor(Offers& offers, TapValue& value, std::int64_t step) {
  const Tap& tap = *value.tap;
  const TensorView& view = value.tensor.view;
  Status valid = tap.options.values ? check_tensor(view) : view.validate();
  if (!valid.ok()) return valid;
  const std::uint64_t held_bytes = view.size_bytes();
  if (tap.options.stats && held_bytes <= kReduceInOpBytes) {
    Result<TensorStats> stats = compute_stats(view);
    if (!stats.ok()) return stats.status();
    offers.add(tap, tap.tag, step, kStatsBytes, computed_stats_payload({view.dtype, view.shape, std::move(*stats)}));
  } else if (tap.options.stats) {
    KeptTensor kept = tap.options.values ? value.tensor : std::move(value.tensor);
    offers.add(tap, tap.tag, step, kStatsBytes + held_bytes, stats_payload(std::move(kept)));
  }
  if (tap.options.values) {
    offers.add(tap, tap.tag, step, held_bytes,
               tensor_payload(first_samples(std::move(value.tensor), tap.options.first_samples)));
  }
  return {};
}

Status offer_scalar(Offers& offers, const TapValue& value, std::int64_t step) {
  if (value.tensor.view.element_count() != 1) {
    return Status(StatusCode::kInvalidArgument,
                  "a scalar has one element, not the shape " + shape_to_string(value.tensor.view.shape));
  }
  Status valid = value.tensor.view.validate();
  if (!valid.ok()) return valid;
  double number = 0;
  stats::read_values(value.tensor.view, 0, 1, &number);
  offers.add_scalar(*value.tap, value.tap->tag, step, number);
  return {};
}

Status offer_update(Offers& offers, TapValue& value, std::int64_t step) {
  const Tap& tap = *value.tap;
  const std::uint64_t held_bytes = value.tensor.view.size_bytes() + value.after.view.size_bytes();
  auto [change, ratio] = update_payloads(std::move(value.tensor), std::move(value.after));
  offers.add(tap, tap.tag, step, kStatsBytes + held_bytes, std::move(change));
  if (tap.ratio_tag != nullptr) offers.add(tap, tap.ratio_tag, step, 0, std::move(ratio));
  return {};
}

Status offer(Offers& offers, TapValue& value, std::int64_t step) {
  switch (value.tap->options.kind) {
    case TapKind::kScalar: return offer_scalar(offers, value, step);
    case TapKind::kUpdate: return offer_update(offers, value, step);
    case TapKind::kTensor: break;
  }
  return offer_tensor(offers, value, step);
}

}  // namespace

void Channel::record_taps(std::span<TapValue> values, std::int64_t step) {
  const std::int64_t start_nanos = monotonic_nanos();
  Recorder& recorder = recorder_;
  Offers offers(2 * values.size(), recorder.clock().published_epoch());
  for (TapValue& value : values) {
    Status status = offer(offers, value, step);
    if (status.ok()) continue;
    recorder.queue().count_refused();
    recorder.remember(Status(
        status.code(), "'" + value.tap->options.tag + "' at step " + std::to_string(step) + ": " + status.message()));
  }
  const OfferOutcome sent = recorder.queue().offer_all(offers.captures());
  if (sent.admission != Admission::kAdmitted) {
    const QueuedCapture& refused = offers.captures()[sent.index];
    (void)outcome(sent.admission, *refused.tag, step);
  }
  recorder.queue().add_caller_nanos(monotonic_nanos() - start_nanos);
}

void record_taps(std::span<TapValue> values, std::int64_t step) {
  // Two recorders may share an op; each has a queue of its own.
  while (!values.empty()) {
    const TapWatch* watch = values.front().tap->watch.get();
    auto end =
        std::find_if(values.begin(), values.end(), [&](const TapValue& v) { return v.tap->watch.get() != watch; });
    const auto count = static_cast<std::size_t>(end - values.begin());
    values.front().tap->channel->record_taps(values.first(count), step);
    values = values.subspan(count);
  }
}

}  // namespace tensortap::recorder
