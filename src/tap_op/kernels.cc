// The kernels of a watch: a gate first, inputs only behind it.
#include "tap_op/kernels.h"

#include <algorithm>
#include <memory>

#include "recorder/tap_watch.h"
#include "tap_op/kernel_inputs.h"

namespace tensortap::tap_op {
namespace {

using recorder::Tap;
using recorder::TapValue;
using recorder::TapWatch;

struct BeginKernel {
  const TensorFlowApi& api;
  std::shared_ptr<TapWatch> watch;  // null: closed before, or of another process
  Phase phase = Phase::kNone;
  int replica = 0;
};

struct TapKernel {
  const TensorFlowApi& api;
  std::vector<std::shared_ptr<const Tap>> taps;  // one per input; null: unknown here
  std::vector<const std::atomic<bool>*> gates;   // of all of them, each once
};

bool any_open(const TapKernel& kernel) {
  return std::any_of(kernel.gates.begin(), kernel.gates.end(),
                     [](const std::atomic<bool>* gate) { return gate->load(std::memory_order_relaxed); });
}

void set_open(const TensorFlowApi& api, TF_OpKernelContext* context, bool open, TF_Status* status) {
  TF_Tensor* output =
      api.TF_AllocateOutput(context, 0, static_cast<int>(DType::kBool), nullptr, 0, sizeof(bool), status);
  if (output == nullptr) return;
  *static_cast<bool*>(api.TF_TensorData(output)) = open;
  api.TF_DeleteTensor(output);
}

void record(const TapKernel& kernel, TF_OpKernelContext* context) {
  const TensorFlowApi& api = kernel.api;
  ScopedStatus status(api);
  const std::optional<std::int64_t> step = step_input(api, context, 0, status.get());
  if (!step) return;
  const int inputs = std::min(api.TF_NumInputs(context) - 1, static_cast<int>(kernel.taps.size()));
  std::vector<TapValue> values;
  values.reserve(kernel.taps.size());
  for (int i = 0; i < inputs;) {
    const Tap* tap = kernel.taps[static_cast<std::size_t>(i)].get();
    const int count = tap == nullptr ? 1 : tap->input_count();
    if (tap != nullptr && tap->is_open() && i + count <= inputs) {
      TapValue value{tap, {}, {}};
      std::optional<KeptTensor> tensor = tensor_input(api, context, i + 1, status.get());
      if (tensor) value.tensor = std::move(*tensor);
      if (count == 2) {
        std::optional<KeptTensor> after = tensor_input(api, context, i + 2, status.get());
        if (after) value.after = std::move(*after);
      }
      values.push_back(std::move(value));
    }
    i += count;
  }
  if (values.empty()) return;
  recorder::record_taps(values, *step == recorder::kUnknownStep ? values.front().tap->watch->current_step() : *step);
}

}  // namespace

void* create_begin(TF_OpKernelConstruction* construction) {
  const TensorFlowApi& api = *find_tensorflow();
  auto kernel = std::make_unique<BeginKernel>(BeginKernel{api, nullptr, Phase::kNone, 0});
  kernel->watch = recorder::find_watch(int_attribute(api, construction, "watch"));
  kernel->phase = static_cast<Phase>(std::clamp<std::int64_t>(int_attribute(api, construction, "phase"), 0, 3));
  kernel->replica = static_cast<int>(int_attribute(api, construction, "replica"));
  return kernel.release();
}

void compute_begin(void* untyped, TF_OpKernelContext* context) {
  auto& kernel = *static_cast<BeginKernel*>(untyped);
  const TensorFlowApi& api = kernel.api;
  bool open = false;
  ScopedStatus status(api);
  try {
    std::optional<std::int64_t> step;
    if (kernel.watch) step = step_input(api, context, 0, status.get());
    if (step) open = kernel.watch->begin_batch(kernel.phase, kernel.replica, *step);
  } catch (...) {  // no memory: this batch is not recorded
    open = false;
  }
  set_open(api, context, open, status.get());
}

void delete_begin(void* kernel) { delete static_cast<BeginKernel*>(kernel); }

void* create_tap(TF_OpKernelConstruction* construction) {
  const TensorFlowApi& api = *find_tensorflow();
  auto kernel = std::make_unique<TapKernel>(TapKernel{api, {}, {}});
  for (const std::int64_t number : ints_attribute(api, construction, "taps")) {
    auto tap = recorder::find_tap(number);
    if (tap && std::find(kernel->gates.begin(), kernel->gates.end(), tap->gate) == kernel->gates.end()) {
      kernel->gates.push_back(tap->gate);
    }
    kernel->taps.push_back(std::move(tap));
  }
  return kernel.release();
}

void compute_tap(void* untyped, TF_OpKernelContext* context) {
  const auto& kernel = *static_cast<TapKernel*>(untyped);
  if (!any_open(kernel)) return;
  try {
    record(kernel, context);
  } catch (...) {  // no memory: this step is not recorded, and the training goes on
  }
}

void delete_tap(void* kernel) { delete static_cast<TapKernel*>(kernel); }

}  // namespace tensortap::tap_op
