// FeatureMap: what a layer puts out, as pictures, whatever rank it has.
//
//   [n,h,w,c]       a labelled grid of all channels for each sample, each channel with its own contrast (tile_grid.h)
//   [n,t,c]         a heat map for each sample: a row a position, a column a channel (heat_map.h)
//   [n,c]           one strip for all samples: a row a sample; so is [n,1,1,c] and [n,t,1]
//   [n] []          one row
//   [n,d,h,w,c]     as [n,d*h,w,c]; higher ranks alike
//
// Pictures have at most some two thousand pixels on a side: larger tiles show every second, third ... element.
#pragma once

#include <cstdint>
#include <vector>

#include "format/pixels.h"

namespace tensortap::format {

// The first samples of a tensor; all of it where there is no more, or no dimension that counts them.
TensorView first_samples(const TensorView& output, std::int64_t max_samples);

// The errors of feature_maps(), without drawing anything: for a call that must answer at once.
Status check_feature_maps(const TensorView& output);

// Draws at most `max_samples` samples. No samples give no pictures.
//
// kInvalidArgument: a sample without elements, or more channels than a grid has room for. kUnsupported: complex
// elements.
Result<std::vector<Pixels>> feature_maps(const TensorView& output, std::int64_t max_samples);

}  // namespace tensortap::format
