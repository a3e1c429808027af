// Digits: a number drawn into a picture with a 3x5 bitmap font, white with a black outline.
//
//   . . . . .      one digit in font pixels: '#' the digit, '.' its outline;
//   . # # # .      neighbours share an outline column, so a number of n digits
//   . # . # .      is 4 n + 1 font pixels wide and 7 high
//   . # # # .
//   . # . # .
//   . # # # .
//   . . . . .
#pragma once

#include <cstdint>

#include "format/pixels.h"

namespace tensortap::format {

struct PixelSize {
  int width = 0;
  int height = 0;
};

// Size in picture pixels of `number` drawn with `font_scale` picture pixels for each font pixel.
PixelSize number_size(std::uint64_t number, int font_scale);

// Draws `number` with its upper left corner, outline included, at (left, top).
// What lies outside of the picture is cut off; alpha is left as it is.
void draw_number(Pixels& pixels, int left, int top, std::uint64_t number, int font_scale);

}  // namespace tensortap::format
