// TensorFlow's C kernel and op API, as far as the taps need it: own prototypes, found at run time.
//
// No header and no library of TensorFlow takes part in the build, so one binary serves TensorFlow 2.16 and everything
// later that keeps these C functions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tensortap::tap_op {

// Opaque, as TensorFlow has them.
struct TF_Status;
struct TF_Tensor;
struct TF_KernelBuilder;
struct TF_OpKernelConstruction;
struct TF_OpKernelContext;
struct TF_OpDefinitionBuilder;
struct TF_ShapeInferenceContext;
struct TF_ShapeHandle;

using CreateKernel = void* (*)(TF_OpKernelConstruction*);
using ComputeKernel = void (*)(void*, TF_OpKernelContext*);
using DeleteKernel = void (*)(void*);
using InferShape = void (*)(TF_ShapeInferenceContext*, TF_Status*);

// name, result, arguments: the functions of tensorflow/c/{tf_status,tf_tensor,kernels,ops}.h that are called.
#define TENSORTAP_TENSORFLOW_FUNCTIONS(X)                                                                              \
  X(TF_NewStatus, TF_Status*, ())                                                                                      \
  X(TF_DeleteStatus, void, (TF_Status*))                                                                               \
  X(TF_GetCode, int, (const TF_Status*))                                                                               \
  X(TF_Message, const char*, (const TF_Status*))                                                                       \
  X(TF_DeleteTensor, void, (TF_Tensor*))                                                                               \
  X(TF_TensorType, int, (const TF_Tensor*))                                                                            \
  X(TF_NumDims, int, (const TF_Tensor*))                                                                               \
  X(TF_Dim, std::int64_t, (const TF_Tensor*, int))                                                                     \
  X(TF_TensorByteSize, std::size_t, (const TF_Tensor*))                                                                \
  X(TF_TensorData, void*, (const TF_Tensor*))                                                                          \
  X(TF_NumInputs, int, (TF_OpKernelContext*))                                                                          \
  X(TF_GetInput, void, (TF_OpKernelContext*, int, TF_Tensor**, TF_Status*))                                            \
  X(TF_AllocateOutput, TF_Tensor*, (TF_OpKernelContext*, int, int, const std::int64_t*, int, std::size_t, TF_Status*)) \
  X(TF_OpKernelConstruction_GetAttrInt64, void, (TF_OpKernelConstruction*, const char*, std::int64_t*, TF_Status*))    \
  X(TF_OpKernelConstruction_GetAttrSize, void,                                                                         \
    (TF_OpKernelConstruction*, const char*, std::int32_t*, std::int32_t*, TF_Status*))                                 \
  X(TF_OpKernelConstruction_GetAttrInt64List, void,                                                                    \
    (TF_OpKernelConstruction*, const char*, std::int64_t*, int, TF_Status*))                                           \
  X(TF_NewKernelBuilder, TF_KernelBuilder*, (const char*, const char*, CreateKernel, ComputeKernel, DeleteKernel))     \
  X(TF_RegisterKernelBuilder, void, (const char*, TF_KernelBuilder*, TF_Status*))                                      \
  X(TF_NewOpDefinitionBuilder, TF_OpDefinitionBuilder*, (const char*))                                                 \
  X(TF_OpDefinitionBuilderAddInput, void, (TF_OpDefinitionBuilder*, const char*))                                      \
  X(TF_OpDefinitionBuilderAddOutput, void, (TF_OpDefinitionBuilder*, const char*))                                     \
  X(TF_OpDefinitionBuilderAddAttr, void, (TF_OpDefinitionBuilder*, const char*))                                       \
  X(TF_OpDefinitionBuilderSetIsStateful, void, (TF_OpDefinitionBuilder*, bool))                                        \
  X(TF_OpDefinitionBuilderSetShapeInferenceFunction, void, (TF_OpDefinitionBuilder*, InferShape))                      \
  X(TF_RegisterOpDefinition, void, (TF_OpDefinitionBuilder*, TF_Status*))                                              \
  X(TF_NewShapeHandle, TF_ShapeHandle*, ())                                                                            \
  X(TF_DeleteShapeHandle, void, (TF_ShapeHandle*))                                                                     \
  X(TF_ShapeInferenceContextScalar, TF_ShapeHandle*, (TF_ShapeInferenceContext*))                                      \
  X(TF_ShapeInferenceContextSetOutput, void, (TF_ShapeInferenceContext*, int, TF_ShapeHandle*, TF_Status*))

// Null until find_tensorflow() has found them.
struct TensorFlowApi {
#define TENSORTAP_MEMBER(name, result, arguments) result(*name) arguments = nullptr;
  TENSORTAP_TENSORFLOW_FUNCTIONS(TENSORTAP_MEMBER)
#undef TENSORTAP_MEMBER
};

// The functions of the TensorFlow that is loaded into this process; null when there is none, or one that lacks any of
// them. Threads: any.
const TensorFlowApi* find_tensorflow();

}  // namespace tensortap::tap_op
