// HeatMap: a matrix as a picture, one coloured rectangle a number.
//
// Rectangles are enlarged by whole factors, across and down by themselves, so that small matrices can be read. A
// matrix of more rows or columns than the picture has pixels is reduced first: a pixel is the mean of its numbers.
#pragma once

#include "format/pixels.h"

namespace tensortap::format {

struct HeatMapOptions {
  int max_width_px = 1024;
  int max_height_px = 1024;
  int max_cell_px = 24;
  // A dark line of one pixel below each row but the last: for rows that are things of their own.
  bool row_lines = false;
};

// Draws [rows,columns] in colours of ramp_color() from the least finite number to the greatest; all equal is the
// colour in the middle. NaN is magenta, and so is a pixel whose numbers include one; Inf is clipped.
//
// kInvalidArgument: another rank, or no element. kUnsupported: complex elements.
Result<Pixels> heat_map(const TensorView& matrix, const HeatMapOptions& options = {});

}  // namespace tensortap::format
