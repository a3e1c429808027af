// Digits: a number drawn into a picture with a 3x5 bitmap font, white with a black outline.
#include "format/digits.h"

#include <algorithm>
#include <array>
#include <string>

namespace tensortap::format {
namespace {

constexpr int kGlyphWidth = 3;
constexpr int kGlyphHeight = 5;

// Rows from the top, three bits each, the left column in the highest bit.
constexpr std::array<std::array<std::uint8_t, kGlyphHeight>, 10> kGlyphs{{
    {0b111, 0b101, 0b101, 0b101, 0b111},
    {0b010, 0b110, 0b010, 0b010, 0b111},
    {0b111, 0b001, 0b111, 0b100, 0b111},
    {0b111, 0b001, 0b111, 0b001, 0b111},
    {0b101, 0b101, 0b111, 0b001, 0b001},
    {0b111, 0b100, 0b111, 0b001, 0b111},
    {0b111, 0b100, 0b111, 0b101, 0b111},
    {0b111, 0b001, 0b001, 0b010, 0b010},
    {0b111, 0b101, 0b111, 0b101, 0b111},
    {0b111, 0b101, 0b111, 0b001, 0b111},
}};

void fill_square(Pixels& pixels, int left, int top, int side, std::uint8_t brightness) {
  const int colors = pixels.channels < 3 ? 1 : 3;
  for (int y = std::max(top, 0); y < std::min(top + side, pixels.height); ++y) {
    for (int x = std::max(left, 0); x < std::min(left + side, pixels.width); ++x) {
      const auto index = (static_cast<std::size_t>(y) * pixels.width + x) * pixels.channels;
      std::fill_n(&pixels.bytes[index], colors, brightness);
    }
  }
}

// Calls visit(column, row) for each font pixel of the digits, outline not counted.
template <typename Visit>
void for_each_font_pixel(const std::string& digits, Visit&& visit) {
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const auto& glyph = kGlyphs[static_cast<std::size_t>(digits[i] - '0')];
    for (int row = 0; row < kGlyphHeight; ++row) {
      for (int column = 0; column < kGlyphWidth; ++column) {
        const bool set = (glyph[static_cast<std::size_t>(row)] >> (kGlyphWidth - 1 - column)) & 1;
        if (set) visit(static_cast<int>(i) * (kGlyphWidth + 1) + column, row);
      }
    }
  }
}

}  // namespace

PixelSize number_size(std::uint64_t number, int font_scale) {
  const int digits = static_cast<int>(std::to_string(number).size());
  return {(digits * (kGlyphWidth + 1) + 1) * font_scale, (kGlyphHeight + 2) * font_scale};
}

void draw_number(Pixels& pixels, int left, int top, std::uint64_t number, int font_scale) {
  const std::string digits = std::to_string(number);
  // All outlines before all digits: the outline of one must not cut into its neighbour.
  for_each_font_pixel(digits, [&](int column, int row) {
    fill_square(pixels, left + column * font_scale, top + row * font_scale, 3 * font_scale, 0);
  });
  for_each_font_pixel(digits, [&](int column, int row) {
    fill_square(pixels, left + (column + 1) * font_scale, top + (row + 1) * font_scale, font_scale, 255);
  });
}

}  // namespace tensortap::format
