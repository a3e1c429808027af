// The kernel of one spot: nothing is touched while no run is open.
#include <memory>

#include "recorder/spot.h"
#include "recorder/tap_watch.h"
#include "tap_op/kernel_inputs.h"
#include "tap_op/kernels.h"

namespace tensortap::tap_op {
namespace {

using recorder::Spot;
using recorder::SpotMoment;

struct SpotKernel {
  const TensorFlowApi& api;
  Spot* spot = nullptr;  // null: of another process
};

void see(const SpotKernel& kernel, TF_OpKernelContext* context) {
  const TensorFlowApi& api = kernel.api;
  ScopedStatus status(api);
  const std::optional<std::int64_t> step = step_input(api, context, 0, status.get());
  const std::optional<KeptTensor> iterations = tensor_input(api, context, 1, status.get());
  const std::optional<KeptTensor> tensor = tensor_input(api, context, 2, status.get());
  if (!step || !iterations || !tensor) return;
  SpotMoment moment;
  if (*step != recorder::kUnknownStep) moment.step = *step;
  if (iterations->view.dtype == DType::kInt64) {
    moment.iterations = {static_cast<const std::int64_t*>(iterations->view.data),
                         static_cast<std::size_t>(iterations->view.element_count())};
  }
  std::optional<std::string> line = kernel.spot->see(*tensor, moment);
  if (line) recorder::show_line(std::move(*line));
}

}  // namespace

void* create_spot(TF_OpKernelConstruction* construction) {
  const TensorFlowApi& api = *find_tensorflow();
  return new SpotKernel{api, Spot::find(int_attribute(api, construction, "spot"))};
}

void compute_spot(void* untyped, TF_OpKernelContext* context) {
  const auto& kernel = *static_cast<SpotKernel*>(untyped);
  if (kernel.spot == nullptr || !kernel.spot->listens()) return;
  try {
    see(kernel, context);
  } catch (...) {  // no memory: this one is not recorded, and the program goes on
  }
}

void delete_spot(void* kernel) { delete static_cast<SpotKernel*>(kernel); }

}  // namespace tensortap::tap_op
