// What TensorBoard's plug-ins expect as metadata of their tags.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "event/event.h"
#include "tensortap/media.h"

namespace tensortap::event {

// The plug-in names, as TensorBoard spells them.
namespace plugin {
inline constexpr std::string_view kScalars = "scalars";
inline constexpr std::string_view kHistograms = "histograms";
inline constexpr std::string_view kImages = "images";
inline constexpr std::string_view kAudio = "audio";
inline constexpr std::string_view kText = "text";
inline constexpr std::string_view kHParams = "hparams";
inline constexpr std::string_view kPrCurves = "pr_curves";
inline constexpr std::string_view kMesh = "mesh";
inline constexpr std::string_view kKerasModel = "graph_keras_model";
}  // namespace plugin

inline constexpr std::string_view kHParamsStartTag = "_hparams_/session_start_info";
inline constexpr std::string_view kHParamsEndTag = "_hparams_/session_end_info";
inline constexpr std::string_view kHParamsExperimentTag = "_hparams_/experiment";
inline constexpr std::string_view kKerasModelTag = "keras";

// The plug-in content of the three hparams tags.
std::string hparams_start_content(const HParams& hparams, std::string_view group_name, double start_secs);
std::string hparams_end_content(bool success, double end_secs);
std::string hparams_experiment_content(const HParams& hparams, const std::vector<std::string>& metric_tags,
                                       double created_secs);

std::string pr_curve_content(int num_thresholds);

// The parts of a mesh; TensorBoard's numbers.
enum class MeshPart : std::uint8_t { kVertices = 1, kFaces = 2, kColors = 3 };

// "<tag>_VERTEX": each part of a mesh is a tag of its own.
std::string mesh_part_tag(std::string_view tag, MeshPart part);

// `components` has bit 1 << part set for every part that is there.
std::string mesh_content(std::string_view tag, MeshPart part, unsigned components, const Shape& shape,
                         std::string_view json_config);

// WAV, the only encoding TensorBoard knows.
std::string audio_content();

}  // namespace tensortap::event
