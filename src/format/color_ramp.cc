// ColorRamp: nine colours, and straight lines between them.
#include "format/color_ramp.h"

#include <array>

namespace tensortap::format {
namespace {

constexpr std::array<Color, 9> kAnchors{{{68, 1, 84},
                                         {71, 44, 122},
                                         {59, 82, 139},
                                         {44, 113, 142},
                                         {33, 145, 140},
                                         {39, 173, 129},
                                         {92, 200, 99},
                                         {170, 220, 50},
                                         {253, 231, 37}}};
constexpr int kSteps = static_cast<int>(kAnchors.size()) - 1;

constexpr std::uint8_t between(int from, int to, int part) {
  return static_cast<std::uint8_t>((from * (255 - part) + to * part + 127) / 255);
}

constexpr std::array<Color, 256> all_colors() {
  std::array<Color, 256> colors{};
  for (int i = 0; i < 255; ++i) {
    const Color& from = kAnchors[static_cast<std::size_t>(i * kSteps / 255)];
    const Color& to = kAnchors[static_cast<std::size_t>(i * kSteps / 255 + 1)];
    const int part = i * kSteps % 255;
    colors[static_cast<std::size_t>(i)] = {between(from.red, to.red, part), between(from.green, to.green, part),
                                           between(from.blue, to.blue, part)};
  }
  colors[255] = kAnchors.back();
  return colors;
}

constexpr std::array<Color, 256> kColors = all_colors();

}  // namespace

Color ramp_color(std::uint8_t brightness) { return kColors[brightness]; }

}  // namespace tensortap::format
