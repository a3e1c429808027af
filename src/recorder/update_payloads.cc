// The payloads of an update: how a variable changed in one step.
#include <algorithm>
#include <array>
#include <limits>

#include "recorder/payload.h"
#include "stats/value_reader.h"

namespace tensortap::recorder {
namespace {

// after - before, element by element. Doubles where the dtype has more than a float's precision.
template <typename Value>
std::vector<Value> difference(const TensorView& before, const TensorView& after) {
  std::vector<Value> change(before.element_count());
  std::array<double, stats::kMaxValues> from, to;
  for (std::uint64_t first = 0; first < change.size(); first += stats::kMaxValues) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(stats::kMaxValues, change.size() - first));
    stats::read_values(before, first, count, from.data());
    stats::read_values(after, first, count, to.data());
    for (std::size_t i = 0; i < count; ++i) change[first + i] = static_cast<Value>(to[i] - from[i]);
  }
  return change;
}

bool fits_float(DType dtype) { return dtype == DType::kFloat32 || dtype_size_bytes(dtype) <= 2; }

// What both payloads share; written by the first, read by the second, both on the worker.
struct Update {
  double ratio = std::numeric_limits<double>::quiet_NaN();
};

class ChangePayload : public Payload {
 public:
  ChangePayload(KeptTensor before, KeptTensor after, std::shared_ptr<Update> update)
      : before_(std::move(before)), after_(std::move(after)), update_(std::move(update)) {}

  Status prepare() override {
    if (before_.view.shape != after_.view.shape || before_.view.dtype != after_.view.dtype) {
      return Status(StatusCode::kInvalidArgument, "a variable changed its shape or dtype in one step");
    }
    for (const KeptTensor* tensor : {&before_, &after_}) {
      Status valid = tensor->view.validate();
      if (!valid.ok()) return valid;
    }
    Result<TensorStats> was = compute_stats(before_.view);
    if (!was.ok()) return was.status();
    Result<TensorStats> change = change_stats();
    if (!change.ok()) return change.status();
    update_->ratio = change->l2() / was->l2();
    stats_.shape = before_.view.shape;
    stats_.stats = std::move(*change);
    before_ = after_ = {};
    return {};
  }

  Status deliver(const CaptureInfo& info, Sink& sink) override { return sink.stats(info, stats_); }

 private:
  Result<TensorStats> change_stats() {
    if (fits_float(before_.view.dtype)) {
      stats_.dtype = DType::kFloat32;
      return compute_stats(view(difference<float>(before_.view, after_.view).data(), before_.view.shape));
    }
    stats_.dtype = DType::kFloat64;
    return compute_stats(view(difference<double>(before_.view, after_.view).data(), before_.view.shape));
  }

  KeptTensor before_;
  KeptTensor after_;
  std::shared_ptr<Update> update_;
  event::CapturedStats stats_;
};

class RatioPayload : public Payload {
 public:
  explicit RatioPayload(std::shared_ptr<const Update> update) : update_(std::move(update)) {}

  Status deliver(const CaptureInfo& info, Sink& sink) override { return sink.scalar(info, update_->ratio); }

 private:
  std::shared_ptr<const Update> update_;
};

}  // namespace

std::pair<PayloadPtr, PayloadPtr> update_payloads(KeptTensor before, KeptTensor after) {
  auto update = std::make_shared<Update>();
  auto change = std::make_unique<ChangePayload>(std::move(before), std::move(after), update);
  return {std::move(change), std::make_unique<RatioPayload>(std::move(update))};
}

}  // namespace tensortap::recorder
