// The field numbers of the messages in event files, TensorBoard's and our two.
#pragma once

#include <cstdint>

namespace tensortap::event::field {

using Number = std::uint32_t;

// Event
inline constexpr Number kWallTime = 1, kStep = 2, kFileVersion = 3, kGraphDef = 4, kSummary = 5, kSessionLog = 7;
inline constexpr Number kTaggedRunMetadata = 8, kMetaGraphDef = 9;
// SessionLog
inline constexpr Number kSessionStatus = 1;
inline constexpr int kSessionStart = 1;
// Summary
inline constexpr Number kSummaryValue = 1;
// Summary.Value
inline constexpr Number kTag = 1, kSimpleValue = 2, kImage = 4, kHistogram = 5, kAudio = 6, kTensor = 8, kMetadata = 9,
                        kExactValue = 900;
// SummaryMetadata
inline constexpr Number kPluginData = 1, kDisplayName = 2, kDescription = 3, kDataClass = 4, kDerived = 900;
// SummaryMetadata.PluginData
inline constexpr Number kPluginName = 1, kPluginContent = 2;
// TensorProto
inline constexpr Number kDtype = 1, kTensorShape = 2, kTensorContent = 4, kFloatVal = 5, kStringVal = 8;
// TensorShapeProto, TensorShapeProto.Dim
inline constexpr Number kDim = 2, kDimSize = 1;

}  // namespace tensortap::event::field
