// Reading inputs and attributes through the C API.
#include "tap_op/kernel_inputs.h"

#include <cstring>

namespace tensortap::tap_op {

std::int64_t int_attribute(const TensorFlowApi& api, TF_OpKernelConstruction* construction, const char* name) {
  ScopedStatus status(api);
  std::int64_t value = 0;
  api.TF_OpKernelConstruction_GetAttrInt64(construction, name, &value, status.get());
  return status.ok() ? value : 0;
}

std::vector<std::int64_t> ints_attribute(const TensorFlowApi& api, TF_OpKernelConstruction* construction,
                                         const char* name) {
  ScopedStatus status(api);
  std::int32_t count = 0;
  std::int32_t total_bytes = 0;
  api.TF_OpKernelConstruction_GetAttrSize(construction, name, &count, &total_bytes, status.get());
  if (!status.ok() || count <= 0) return {};
  std::vector<std::int64_t> values(static_cast<std::size_t>(count));
  api.TF_OpKernelConstruction_GetAttrInt64List(construction, name, values.data(), count, status.get());
  if (!status.ok()) values.clear();
  return values;
}

std::optional<std::int64_t> step_input(const TensorFlowApi& api, TF_OpKernelContext* context, int index,
                                       TF_Status* status) {
  TF_Tensor* tensor = nullptr;
  api.TF_GetInput(context, index, &tensor, status);
  if (api.TF_GetCode(status) != 0) return std::nullopt;
  std::optional<std::int64_t> step;
  if (api.TF_TensorType(tensor) == static_cast<int>(DType::kInt64) &&
      api.TF_TensorByteSize(tensor) == sizeof(std::int64_t)) {
    step.emplace();
    std::memcpy(&*step, api.TF_TensorData(tensor), sizeof(std::int64_t));
  }
  api.TF_DeleteTensor(tensor);
  return step;
}

std::optional<KeptTensor> tensor_input(const TensorFlowApi& api, TF_OpKernelContext* context, int index,
                                       TF_Status* status) {
  TF_Tensor* tensor = nullptr;
  api.TF_GetInput(context, index, &tensor, status);
  if (api.TF_GetCode(status) != 0) return std::nullopt;
  KeptTensor kept;
  kept.owner = std::shared_ptr<const void>(tensor, [&api](TF_Tensor* held) { api.TF_DeleteTensor(held); });
  kept.view.data = api.TF_TensorData(tensor);
  kept.view.dtype = dtype_from_number(static_cast<std::uint64_t>(api.TF_TensorType(tensor)));
  const int rank = api.TF_NumDims(tensor);
  kept.view.shape.resize(static_cast<std::size_t>(rank < 0 ? 0 : rank));
  for (int i = 0; i < rank; ++i) kept.view.shape[static_cast<std::size_t>(i)] = api.TF_Dim(tensor, i);
  if (dtype_size_bytes(kept.view.dtype) == 0 || kept.view.size_bytes() != api.TF_TensorByteSize(tensor)) {
    kept.view.dtype = DType::kInvalid;
  }
  return kept;
}

}  // namespace tensortap::tap_op
