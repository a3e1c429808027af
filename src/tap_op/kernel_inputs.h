// KernelInputs: an op's inputs and attributes as C++ values.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tap_op/tensorflow_api.h"
#include "tensortap/tensor_view.h"

namespace tensortap::tap_op {

// A status that dies with its scope; one per thread would outlive TensorFlow.
//
// Threads:  one.
// Failure:  none.
// Lifetime: its scope.
class ScopedStatus {
 public:
  explicit ScopedStatus(const TensorFlowApi& api) : api_(api), status_(api.TF_NewStatus()) {}
  ~ScopedStatus() { api_.TF_DeleteStatus(status_); }
  ScopedStatus(const ScopedStatus&) = delete;
  ScopedStatus& operator=(const ScopedStatus&) = delete;

  TF_Status* get() { return status_; }
  bool ok() const { return api_.TF_GetCode(status_) == 0; }

 private:
  const TensorFlowApi& api_;
  TF_Status* status_;
};

// An attribute; 0 or empty when it cannot be read.
std::int64_t int_attribute(const TensorFlowApi& api, TF_OpKernelConstruction* construction, const char* name);
std::vector<std::int64_t> ints_attribute(const TensorFlowApi& api, TF_OpKernelConstruction* construction,
                                         const char* name);

// Input `index` as a 0-d int64.
std::optional<std::int64_t> step_input(const TensorFlowApi& api, TF_OpKernelContext* context, int index,
                                       TF_Status* status);

// Input `index`, with a reference to its buffer that the owner gives back. Its dtype is kInvalid when it has none that
// can be recorded.
//
// A reference is enough: TensorFlow writes to a buffer in place only while nobody else refers to it.
std::optional<KeptTensor> tensor_input(const TensorFlowApi& api, TF_OpKernelContext* context, int index,
                                       TF_Status* status);

}  // namespace tensortap::tap_op
