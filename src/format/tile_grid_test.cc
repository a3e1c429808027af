// Tests of the tile grid: its layout, its contrast and its marks.
#include "format/tile_grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tensortap::format {
namespace {

TileLayout layout(const Shape& shape, const TileGridOptions& options = {}) {
  return tile_layout(shape, options).value();
}

// The gray of element (x, y) of a channel, read in its lower right corner, away from the labels.
int gray_at(const Pixels& grid, const TileLayout& where, int channel, int x, int y) {
  const int column = where.left(channel) + (x + 1) * where.factor - 1;
  const int row = where.top(channel) + (y + 1) * where.factor - 1;
  return grid.bytes[(static_cast<std::size_t>(row) * grid.width + column) * grid.channels];
}

TEST(TileLayout, HasAtLeastAsManyColumnsAsRowsAndFewEmptyCells) {
  const auto cells = [](std::int64_t channels) {
    const TileLayout found = layout({4, 4, channels});
    return std::pair(found.columns, found.rows);
  };
  EXPECT_EQ(cells(1), std::pair(1, 1));
  EXPECT_EQ(cells(5), std::pair(3, 2));
  EXPECT_EQ(cells(6), std::pair(3, 2));
  EXPECT_EQ(cells(7), std::pair(3, 3));
  EXPECT_EQ(cells(8), std::pair(4, 2));
  EXPECT_EQ(cells(16), std::pair(4, 4));
  EXPECT_EQ(cells(32), std::pair(8, 4));
  EXPECT_EQ(cells(64), std::pair(8, 8));
  EXPECT_EQ(cells(512), std::pair(32, 16));
  for (std::int64_t channels = 1; channels < 2000; ++channels) {
    const TileLayout found = layout({1, 1, channels});
    ASSERT_GE(found.columns, found.rows) << channels;
    ASSERT_GE(found.columns * found.rows, channels);
    ASSERT_LT(found.columns * (found.rows - 1), channels) << "an empty row for " << channels;
  }
}

TEST(TileLayout, EnlargesSmallTilesByAWholeFactor) {
  EXPECT_EQ(layout({7, 7, 8}).factor, 4);
  EXPECT_EQ(layout({8, 8, 8}).tile_width, 24);
  EXPECT_EQ(layout({24, 24, 8}).factor, 1);
  EXPECT_EQ(layout({224, 3, 8}).factor, 8);
  EXPECT_EQ(layout({7, 7, 8}, {.min_tile_px = 0}).factor, 1);
}

TEST(TileLayout, KeepsTheGridBelowItsLimitWherePossible) {
  const TileLayout many = layout({7, 7, 65536});
  EXPECT_EQ(many.factor, 2);
  EXPECT_LE(many.width(), 4096);
  EXPECT_EQ(layout({1, 1024, 16}).width(), 4101);
  EXPECT_EQ(layout({512, 512, 128}).width(), 16 * 513 + 1);
}

TEST(TileLayout, RefusesOtherShapesAndGridsThatAreTooLarge) {
  for (const Shape& shape : {Shape{4, 4}, Shape{4, 4, 0}, Shape{0, 4, 8}, Shape{1, 4, 4, 8}}) {
    const Status status = tile_layout(shape).status();
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(), testing::HasSubstr(shape_to_string(shape)));
  }
  for (const Shape& shape : {Shape{1024, 1024, 1024}, Shape{1, 1, std::int64_t{1} << 59}, Shape{1 << 30, 1, 8}}) {
    EXPECT_EQ(tile_layout(shape).status().code(), StatusCode::kInvalidArgument);
  }
}

// [2,2,5]: channel c holds c * 10 + {0, 1, 2, 3}, but channel 4 is constant.
std::vector<float> five_channels() {
  std::vector<float> elements;
  for (int element = 0; element < 4; ++element) {
    for (int channel = 0; channel < 5; ++channel) {
      elements.push_back(static_cast<float>(channel == 4 ? 20 : channel * 10 + element));
    }
  }
  return elements;
}

TEST(TileGrid, StretchesEachChannelByItself) {
  const std::vector<float> elements = five_channels();
  const Pixels grid = tile_grid(view(elements, {2, 2, 5})).value();
  const TileLayout where = layout({2, 2, 5});
  EXPECT_EQ(grid.channels, 1);
  EXPECT_EQ(grid.width, where.width());
  EXPECT_EQ(grid.height, where.height());
  EXPECT_EQ(grid.bytes.size(), static_cast<std::size_t>(where.width() * where.height()));
  for (int channel = 0; channel < 4; ++channel) {
    EXPECT_EQ(gray_at(grid, where, channel, 0, 0), 0);
    EXPECT_EQ(gray_at(grid, where, channel, 1, 0), 85);
    EXPECT_EQ(gray_at(grid, where, channel, 0, 1), 170);
    EXPECT_EQ(gray_at(grid, where, channel, 1, 1), 255);
  }
  for (int element = 0; element < 4; ++element) EXPECT_EQ(gray_at(grid, where, 4, element % 2, element / 2), 128);
}

TEST(TileGrid, StretchesAllChannelsTogetherWhenAsked) {
  const std::vector<float> elements = five_channels();
  const Pixels grid = tile_grid(view(elements, {2, 2, 5}), {.shared_scale = true}).value();
  const TileLayout where = layout({2, 2, 5});
  EXPECT_EQ(gray_at(grid, where, 0, 0, 0), 0);
  EXPECT_EQ(gray_at(grid, where, 3, 1, 1), 255);
  EXPECT_EQ(gray_at(grid, where, 4, 0, 0), 155);  // 20 / 33 * 255 = 154.5
}

TEST(TileGrid, KeepsTheScaleThatIsAskedFor) {
  const std::vector<float> elements = five_channels();
  const Pixels grid = tile_grid(view(elements, {2, 2, 5}), {.scale = PixelScale::kUnit}).value();
  EXPECT_EQ(gray_at(grid, layout({2, 2, 5}), 4, 1, 1), 255);
}

TEST(TileGrid, FollowsStrides) {
  const std::vector<float> elements = five_channels();
  std::vector<float> planes(20);
  for (std::size_t i = 0; i < 20; ++i) planes[i % 5 * 4 + i / 5] = elements[i];
  const TensorView turned{planes.data(), DType::kFloat32, {2, 2, 5}, {8, 4, 16}};
  EXPECT_EQ(tile_grid(turned).value().bytes, tile_grid(view(elements, {2, 2, 5})).value().bytes);
}

TEST(TileGrid, ShowsNanInMagentaAndStaysGrayAround) {
  std::vector<float> elements = five_channels();
  elements[3 * 5 + 1] = NAN;
  const Pixels grid = tile_grid(view(elements, {2, 2, 5})).value();
  const TileLayout where = layout({2, 2, 5});
  ASSERT_EQ(grid.channels, 3);
  ASSERT_EQ(grid.bytes.size(), static_cast<std::size_t>(grid.width * grid.height * 3));
  const int x = where.left(1) + 2 * where.factor - 1;
  const int y = where.top(1) + 2 * where.factor - 1;
  const std::uint8_t* pixel = &grid.bytes[(static_cast<std::size_t>(y) * grid.width + x) * 3];
  EXPECT_EQ(std::vector<std::uint8_t>(pixel, pixel + 3), (std::vector<std::uint8_t>{255, 0, 255}));
  EXPECT_EQ(gray_at(grid, where, 0, 1, 0), 85);
  EXPECT_EQ(gray_at(grid, where, 1, 0, 1), 255);  // the largest that is left
}

TEST(TileGrid, LabelsEachTileAndSeparatesThem) {
  const std::vector<float> elements(8 * 8 * 6, 1.0f);
  const Pixels grid = tile_grid(view(elements, {8, 8, 6})).value();
  const TileLayout where = layout({8, 8, 6});
  const int line = grid.bytes[0];
  for (int x = 0; x < grid.width; ++x) {
    ASSERT_EQ(grid.bytes[static_cast<std::size_t>(x)], line);
    ASSERT_EQ(grid.bytes[static_cast<std::size_t>((where.tile_height + 1) * grid.width + x)], line);
  }
  for (int channel = 0; channel < 6; ++channel) {
    int white = 0;
    for (int y = 0; y < where.tile_height; ++y) {
      for (int x = 0; x < where.tile_width; ++x) {
        const int index = (where.top(channel) + y) * grid.width + where.left(channel) + x;
        white += grid.bytes[static_cast<std::size_t>(index)] == 255 ? 1 : 0;
      }
    }
    EXPECT_GE(white, 8) << channel;
  }
}

TEST(TileGrid, LeavesOutLabelsThatDoNotFit) {
  const std::vector<float> elements(2 * 2 * 5, 1.0f);
  const Pixels grid = tile_grid(view(elements, {2, 2, 5}), {.min_tile_px = 1}).value();
  EXPECT_EQ(std::count(grid.bytes.begin(), grid.bytes.end(), 255), 0);
}

TEST(TileGrid, RefusesComplexElements) {
  const std::vector<std::complex<float>> elements(20);
  EXPECT_EQ(tile_grid(view(elements, {2, 2, 5})).status().code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace tensortap::format
