// Registration: tells TensorFlow about the ops when this library is loaded.
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "tap_op/kernel_inputs.h"
#include "tap_op/kernels.h"
#include "tap_op/op_names.h"

namespace tensortap::tap_op {
namespace {

// The sink has no outputs to infer.
void infer_nothing(TF_ShapeInferenceContext*, TF_Status*) {}

void infer_scalar(TF_ShapeInferenceContext* context, TF_Status* status) {
  const TensorFlowApi& api = *find_tensorflow();
  TF_ShapeHandle* scalar = api.TF_ShapeInferenceContextScalar(context);
  api.TF_ShapeInferenceContextSetOutput(context, 0, scalar, status);
  api.TF_DeleteShapeHandle(scalar);
}

void register_kernel(const TensorFlowApi& api, const char* op, CreateKernel create, ComputeKernel compute,
                     DeleteKernel destroy) {
  // On the processor alone. Graphs of other devices bring tensors here behind a condition: docs/design/0003.
  ScopedStatus status(api);
  api.TF_RegisterKernelBuilder(op, api.TF_NewKernelBuilder(op, "CPU", create, compute, destroy), status.get());
}

void register_ops(const TensorFlowApi& api) {
  ScopedStatus status(api);
  TF_OpDefinitionBuilder* begin = api.TF_NewOpDefinitionBuilder(kBeginOp);
  api.TF_OpDefinitionBuilderAddInput(begin, "step: int64");
  api.TF_OpDefinitionBuilderAddOutput(begin, "open: bool");
  for (const char* attribute : {"watch: int", "phase: int", "replica: int = 0"}) {
    api.TF_OpDefinitionBuilderAddAttr(begin, attribute);
  }
  // Stateful: neither pruned, nor merged with its like, nor computed ahead of time.
  api.TF_OpDefinitionBuilderSetIsStateful(begin, true);
  api.TF_OpDefinitionBuilderSetShapeInferenceFunction(begin, &infer_scalar);
  api.TF_RegisterOpDefinition(begin, status.get());

  TF_OpDefinitionBuilder* tap = api.TF_NewOpDefinitionBuilder(kTapOp);
  for (const char* input : {"step: int64", "x: T"}) api.TF_OpDefinitionBuilderAddInput(tap, input);
  for (const char* attribute : {"T: list(type) >= 1", "taps: list(int) >= 1"}) {
    api.TF_OpDefinitionBuilderAddAttr(tap, attribute);
  }
  api.TF_OpDefinitionBuilderSetIsStateful(tap, true);
  api.TF_OpDefinitionBuilderSetShapeInferenceFunction(tap, &infer_nothing);
  api.TF_RegisterOpDefinition(tap, status.get());

  TF_OpDefinitionBuilder* spot = api.TF_NewOpDefinitionBuilder(kSpotOp);
  for (const char* input : {"step: int64", "iterations: int64", "x: T"}) {
    api.TF_OpDefinitionBuilderAddInput(spot, input);
  }
  for (const char* attribute : {"T: type", "spot: int"}) api.TF_OpDefinitionBuilderAddAttr(spot, attribute);
  api.TF_OpDefinitionBuilderSetIsStateful(spot, true);
  api.TF_OpDefinitionBuilderSetShapeInferenceFunction(spot, &infer_nothing);
  api.TF_RegisterOpDefinition(spot, status.get());

  register_kernel(api, kBeginOp, &create_begin, &compute_begin, &delete_begin);
  register_kernel(api, kTapOp, &create_tap, &compute_tap, &delete_tap);
  register_kernel(api, kSpotOp, &create_spot, &compute_spot, &delete_spot);
}

// A second copy of this library would register kernels of the same names, after which TensorFlow can make none of
// either copy. The environment is the one thing that both copies surely share.
bool is_first_copy() {
  const std::string process = std::to_string(::getpid());
  const char* registered_by = std::getenv(kRegisteredVariable);
  if (registered_by != nullptr && process == registered_by) return false;
  return ::setenv(kRegisteredVariable, process.c_str(), 1) == 0;
}

[[maybe_unused]] const bool kRegistered = [] {
  const TensorFlowApi* api = find_tensorflow();
  if (api == nullptr || !is_first_copy()) return false;
  register_ops(*api);
  return true;
}();

}  // namespace
}  // namespace tensortap::tap_op
