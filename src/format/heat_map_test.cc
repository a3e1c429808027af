// Tests of heat maps: colours, whole factors, reduction, NaN.
#include "format/heat_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numeric>

#include "format/color_ramp.h"

namespace tensortap::format {
namespace {

std::vector<int> color_at(const Pixels& picture, int x, int y) {
  const std::uint8_t* pixel = &picture.bytes[(static_cast<std::size_t>(y) * picture.width + x) * 3];
  return {pixel[0], pixel[1], pixel[2]};
}
std::vector<int> ramp(int brightness) {
  const Color color = ramp_color(static_cast<std::uint8_t>(brightness));
  return {color.red, color.green, color.blue};
}

TEST(ColorRamp, GetsBrighterWithEveryStep) {
  double before = -1;
  for (int i = 0; i < 256; ++i) {
    const Color color = ramp_color(static_cast<std::uint8_t>(i));
    const double luma = 0.2126 * color.red + 0.7152 * color.green + 0.0722 * color.blue;
    ASSERT_GE(luma, before - 0.3) << i;  // colours are rounded to whole bytes
    before = luma;
  }
}

TEST(HeatMap, ColoursFromTheLeastToTheGreatestAndEnlargesByWholeFactors) {
  const std::vector<float> values{0, 1, 2, 3, 4, 5};
  const Pixels picture = heat_map(view(values, {2, 3})).value();
  EXPECT_EQ(picture.width, 3 * 24);
  EXPECT_EQ(picture.height, 2 * 24);
  EXPECT_EQ(color_at(picture, 0, 0), ramp(0));
  EXPECT_EQ(color_at(picture, 23, 23), ramp(0));
  EXPECT_EQ(color_at(picture, 24, 0), ramp(51));
  EXPECT_EQ(color_at(picture, 71, 47), ramp(255));
}

TEST(HeatMap, ReducesWhatHasMoreNumbersThanPixels) {
  std::vector<double> values(4096);
  std::iota(values.begin(), values.end(), 0.0);
  const Pixels picture = heat_map(view(values, {1, 4096}), {.max_width_px = 1000}).value();
  EXPECT_EQ(picture.width, 1000);
  EXPECT_EQ(color_at(picture, 0, 0), ramp(0));
  EXPECT_EQ(color_at(picture, 999, 0), ramp(255));
  EXPECT_EQ(color_at(picture, 500, 0), ramp(128));
}

TEST(HeatMap, ShowsNanWhereverOneIs) {
  std::vector<float> values(2048, 1.0F);
  values[1001] = NAN;
  const Pixels picture = heat_map(view(values, {1, 2048}), {.max_width_px = 1024}).value();
  EXPECT_EQ(color_at(picture, 500, 0), (std::vector<int>{255, 0, 255}));
  EXPECT_EQ(color_at(picture, 499, 0), ramp(128));
}

TEST(HeatMap, DrawsLinesBetweenRowsWhenAsked) {
  const std::vector<float> values{0, 1, 0, 1};
  const Pixels picture = heat_map(view(values, {2, 2}), {.row_lines = true}).value();
  EXPECT_EQ(picture.height, 49);
  EXPECT_EQ(color_at(picture, 30, 24), (std::vector<int>{24, 24, 24}));
  EXPECT_EQ(color_at(picture, 30, 25), ramp(255));
}

TEST(HeatMap, RefusesWhatIsNoMatrix) {
  const std::vector<float> values(8);
  EXPECT_EQ(heat_map(view(values)).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(heat_map(view(values, {0, 8})).status().code(), StatusCode::kInvalidArgument);
  const std::vector<std::complex<float>> complex(4);
  EXPECT_EQ(heat_map(view(complex, {2, 2})).status().code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace tensortap::format
