// ColorRamp: brightness as colours that the eye takes for even steps, from dark violet over green to yellow.
#pragma once

#include <cstdint>

#include "format/pixels.h"

namespace tensortap::format {

// The colours of matplotlib's "viridis", interpolated: brighter with every step, and readable for the colour-blind.
Color ramp_color(std::uint8_t brightness);

}  // namespace tensortap::format
