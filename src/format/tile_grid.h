// A tile grid: one picture of all channels of an image that has too many for colours.
//
//   +---+---+---+
//   |0  |1  |2  |    each channel is a gray tile, labelled with its index;
//   +---+---+---+    as many columns as rows or more; lines of one pixel between the tiles
//   |3  |4  |    |
//   +---+---+---+
#pragma once

#include "format/pixels.h"

namespace tensortap::format {

struct TileGridOptions {
  // kAuto is kMinMax here: channels of a layer share no natural range.
  PixelScale scale = PixelScale::kAuto;
  // kMinMax and kSymmetric look at all channels together: brightness can be compared, weak channels vanish.
  bool shared_scale = false;
  // Tiles are enlarged by a whole factor until their shorter side has this many pixels ...
  int min_tile_px = 24;
  // ... but not so far that a side of the grid grows beyond this. Tiles are never made smaller.
  int max_grid_px = 4096;
};

// Where the tiles of a grid lie.
struct TileLayout {
  int columns = 0;
  int rows = 0;
  int factor = 1;      // picture pixels on a side of one element
  int tile_width = 0;  // in picture pixels
  int tile_height = 0;

  int width() const { return columns * (tile_width + 1) + 1; }
  int height() const { return rows * (tile_height + 1) + 1; }
  int left(int channel) const { return channel % columns * (tile_width + 1) + 1; }
  int top(int channel) const { return channel / columns * (tile_height + 1) + 1; }
};

// kInvalidArgument: a shape other than [height,width,channels] of at least one each, or a grid of more than
// kMaxImagePixels.
Result<TileLayout> tile_layout(const Shape& shape, const TileGridOptions& options = {});

// Draws [height,width,channels]. A channel whose finite values are all equal is mid-gray (128) on the scales
// that look at the range; NaN is magenta, and makes the grid RGB instead of gray. Labels that do not fit are
// left out.
//
// kInvalidArgument: as tile_layout(). kUnsupported: complex elements.
Result<Pixels> tile_grid(const TensorView& image, const TileGridOptions& options = {});

}  // namespace tensortap::format
