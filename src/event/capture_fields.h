// The field numbers of capture records; they stand in files: never renumber, never reuse.
#pragma once

#include <cstdint>

namespace tensortap::event::capture_field {

using Number = std::uint32_t;

// Record
inline constexpr Number kWallTime = 1, kStep = 2, kTag = 3, kPhase = 4, kSequence = 5;
inline constexpr Number kHeader = 10, kStats = 11, kTensor = 12, kPredictions = 13, kLoss = 14, kEnd = 15;
// Header
inline constexpr Number kFormatVersion = 1, kLeastReader = 2, kWriter = 3, kHost = 4, kProcessId = 5;
// Tensor
inline constexpr Number kDtype = 1, kShape = 2, kData = 3;
// Stats
inline constexpr Number kStatsDtype = 1, kStatsShape = 2;
inline constexpr Number kZeros = 3, kNan = 4, kPositiveInf = 5, kNegativeInf = 6, kNegatives = 7, kSubnormals = 8;
inline constexpr Number kMin = 9, kMax = 10, kSum = 11, kSumSquares = 12, kL1 = 13, kSquaredDeviations = 14;
inline constexpr Number kLogBuckets = 15, kLinearBuckets = 16, kLinearExponent = 17, kLinearBase = 18;
// Predictions
inline constexpr Number kTrue = 1, kPred = 2, kNumberIds = 3, kTextIds = 4;
// Loss
inline constexpr Number kLossDropped = 1;
// End
inline constexpr Number kSuccess = 1, kOffered = 2, kDropped = 3, kCallerSeconds = 4, kWorkerSeconds = 5;

}  // namespace tensortap::event::capture_field
