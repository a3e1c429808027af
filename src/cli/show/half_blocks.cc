// HalfBlocks: the upper half of a character in one colour, the lower in another.
#include "cli/show/half_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace tensortap::cli {
namespace {

using format::Color;
using format::Pixels;

// One pixel, its alpha drawn over black.
std::array<std::uint32_t, 3> pixel_at(const Pixels& pixels, int x, int y) {
  const auto at = (static_cast<std::size_t>(y) * static_cast<std::size_t>(pixels.width) + static_cast<std::size_t>(x)) *
                  static_cast<std::size_t>(pixels.channels);
  const std::uint8_t* bytes = pixels.bytes.data() + at;
  const bool is_gray = pixels.channels <= 2;
  const bool has_alpha = pixels.channels % 2 == 0;
  const std::uint32_t alpha = has_alpha ? bytes[pixels.channels - 1] : 255;
  std::array<std::uint32_t, 3> color{};
  for (std::size_t i = 0; i < 3; ++i) color[i] = bytes[is_gray ? 0 : i] * alpha / 255;
  return color;
}

// The mean of the pixels that fall into one.
Color mean_of(const Pixels& pixels, int left, int right, int top, int bottom) {
  std::array<std::uint64_t, 3> sums{};
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x) {
      const auto color = pixel_at(pixels, x, y);
      for (std::size_t i = 0; i < 3; ++i) sums[i] += color[i];
    }
  }
  const auto count = static_cast<std::uint64_t>(right - left) * static_cast<std::uint64_t>(bottom - top);
  const auto mean = [&](std::size_t i) { return static_cast<std::uint8_t>(sums[i] / count); };
  return {mean(0), mean(1), mean(2)};
}

struct SmallPicture {
  int width, height;
  std::vector<Color> colors;
};

SmallPicture reduce(const Pixels& pixels, int most_width, int most_height) {
  const double factor =
      std::min({1.0, static_cast<double>(most_width) / pixels.width, static_cast<double>(most_height) / pixels.height});
  SmallPicture small{
      std::max(1, static_cast<int>(pixels.width * factor)), std::max(1, static_cast<int>(pixels.height * factor)), {}};
  const auto edge = [](int i, int from, int to) { return static_cast<int>(static_cast<std::int64_t>(i) * from / to); };
  for (int y = 0; y < small.height; ++y) {
    for (int x = 0; x < small.width; ++x) {
      small.colors.push_back(mean_of(pixels, edge(x, pixels.width, small.width), edge(x + 1, pixels.width, small.width),
                                     edge(y, pixels.height, small.height), edge(y + 1, pixels.height, small.height)));
    }
  }
  return small;
}

// The nearest of the 6x6x6 colours, or of the 24 grays where all three are alike.
int palette_index(const Color& color) {
  if (color.red == color.green && color.green == color.blue) {
    if (color.red < 4) return 16;
    if (color.red > 246) return 231;
    return std::clamp(232 + (color.red - 3) / 10, 232, 255);
  }
  // Its levels are 0, 95, 135, 175, 215, 255.
  const auto level = [](int value) { return value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40; };
  return 16 + 36 * level(color.red) + 6 * level(color.green) + level(color.blue);
}

std::string color_code(const Color& color, bool is_background, Colors colors) {
  const int kind = is_background ? 48 : 38;
  if (colors == Colors::k256) return fmt::format("\x1b[{};5;{}m", kind, palette_index(color));
  return fmt::format("\x1b[{};2;{};{};{}m", kind, color.red, color.green, color.blue);
}

}  // namespace

std::string half_blocks(const Pixels& pixels, int columns, int rows, Colors colors) {
  const SmallPicture small = reduce(pixels, columns, 2 * rows);
  std::string out;
  for (int y = 0; y < small.height; y += 2) {
    std::string codes;  // of the character before: most are like it
    for (int x = 0; x < small.width; ++x) {
      const auto at = static_cast<std::size_t>(y) * static_cast<std::size_t>(small.width) + static_cast<std::size_t>(x);
      std::string wanted = color_code(small.colors[at], false, colors);
      const bool has_lower = y + 1 < small.height;
      if (has_lower) wanted += color_code(small.colors[at + static_cast<std::size_t>(small.width)], true, colors);
      if (wanted != codes) out += wanted;
      codes = std::move(wanted);
      out += "▀";
    }
    out += "\x1b[0m\n";
  }
  return out;
}

}  // namespace tensortap::cli
