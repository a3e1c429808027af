// OpNames: what the ops are called in graphs. The number is raised with every change of their signature.
#pragma once

namespace tensortap::tap_op {

inline constexpr char kBeginOp[] = "TensortapBeginV1";
inline constexpr char kTapOp[] = "TensortapTapV1";
inline constexpr char kSpotOp[] = "TensortapSpotV1";

// Set to the process's number by the copy of this library that registered the ops.
inline constexpr char kRegisteredVariable[] = "TENSORTAP_OPS_V1_REGISTERED_BY";

}  // namespace tensortap::tap_op
