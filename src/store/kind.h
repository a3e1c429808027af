// Kind: what the values of a series are, whoever wrote them and in whatever form.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "event/event.h"

namespace tensortap::store {

// In cache files: never renumber.
enum class Kind : std::uint8_t {
  kScalars = 0,
  kStats = 1,       // statistics with a histogram, out of captures
  kHistograms = 2,  // out of event files
  kTensors = 3,
  kPredictions = 4,
  kImages = 5,
  kAudio = 6,
  kText = 7,
  kHParams = 8,
  kGraphs = 9,
  kPrCurves = 10,
  kMeshes = 11,
  kOther = 12,  // of a plug-in that we do not know
};
inline constexpr std::size_t kKinds = 13;

// "scalars", "pr_curves": the word in Python, JSON, command line and page.
std::string_view kind_name(Kind kind);
std::optional<Kind> kind_from_name(std::string_view name);
std::span<const Kind> all_kinds();

// The kind of tensors whose tag has this metadata; nullopt when it says nothing.
std::optional<Kind> kind_of(const event::Metadata& metadata);

}  // namespace tensortap::store
