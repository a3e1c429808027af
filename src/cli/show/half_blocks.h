// HalfBlocks: a picture in a terminal, two pixels a character.
#pragma once

#include <string>

#include "cli/terminal.h"
#include "format/pixels.h"

namespace tensortap::cli {

// At most `columns` wide and `rows` high, in its own proportions; small pictures are not enlarged. Alpha is drawn over
// black. `colors` must not be kNone. Every line resets its colours.
std::string half_blocks(const format::Pixels& pixels, int columns, int rows, Colors colors);

}  // namespace tensortap::cli
