// Kernels: what the ops do when they run. Neither ever fails a step.
#pragma once

#include "tap_op/tensorflow_api.h"

namespace tensortap::tap_op {

// TensortapBeginV1(step: int64; watch: int, phase: int, replica: int) -> open: bool
// A batch begins. `open` says whether any tap of the watch is to record in it.
void* create_begin(TF_OpKernelConstruction* construction);
void compute_begin(void* kernel, TF_OpKernelContext* context);
void delete_begin(void* kernel);

// TensortapTapV1(step: int64, x: list of any; taps: list(int))
// Records x[i] for taps[i], where the gate of that tap is open.
void* create_tap(TF_OpKernelConstruction* construction);
void compute_tap(void* kernel, TF_OpKernelContext* context);
void delete_tap(void* kernel);

// TensortapSpotV1(step: int64, iterations: int64, x: any; spot: int)
// Records x at the spot. `step` is kUnknownStep where only the run knows it; `iterations` are those of the loops
// around.
void* create_spot(TF_OpKernelConstruction* construction);
void compute_spot(void* kernel, TF_OpKernelContext* context);
void delete_spot(void* kernel);

}  // namespace tensortap::tap_op
