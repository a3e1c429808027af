// Tests of feature maps: a picture for every rank, and bounds on each.
#include "format/feature_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "format/heat_map.h"
#include "format/tile_grid.h"

namespace tensortap::format {
namespace {

std::vector<float> waves(std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<float>(i) * 0.37F);
  return values;
}

TEST(FeatureMap, DrawsAllChannelsOfAnImageAsAGridForEachSample) {
  const std::vector<float> values = waves(3 * 8 * 6 * 32);
  const std::vector<Pixels> pictures = feature_maps(view(values, {3, 8, 6, 32}), 2).value();
  ASSERT_EQ(pictures.size(), 2U);
  EXPECT_EQ(pictures[1].bytes,
            tile_grid(view(values.data() + 8 * 6 * 32, {8, 6, 32}), {.min_tile_px = 64}).value().bytes);
}

TEST(FeatureMap, DrawsASequenceAsAHeatMapForEachSample) {
  const std::vector<float> values = waves(2 * 10 * 4);
  const std::vector<Pixels> pictures = feature_maps(view(values, {2, 10, 4}), 8).value();
  ASSERT_EQ(pictures.size(), 2U);
  EXPECT_EQ(pictures[1].bytes, heat_map(view(values.data() + 40, {10, 4})).value().bytes);
  EXPECT_GT(pictures[0].height, pictures[0].width);
}

TEST(FeatureMap, DrawsVectorsAsOneStripWithARowForEachSample) {
  const std::vector<float> values = waves(8 * 16);
  for (const Shape& shape : {Shape{8, 16}, Shape{8, 1, 1, 16}, Shape{8, 1, 16}, Shape{8, 16, 1}}) {
    const std::vector<Pixels> pictures = feature_maps(view(values.data(), shape), 4).value();
    ASSERT_EQ(pictures.size(), 1U) << shape_to_string(shape);
    EXPECT_EQ(pictures[0].bytes, heat_map(view(values.data(), {4, 16}), {.row_lines = true}).value().bytes);
  }
}

TEST(FeatureMap, DrawsNumbersWithoutSamplesAsOneRow) {
  const std::vector<float> values = waves(5);
  EXPECT_EQ(feature_maps(view(values), 2).value().at(0).width, 5 * 24);
  EXPECT_EQ(feature_maps(view(values.data(), Shape{}), 2).value().at(0).width, 24);
}

TEST(FeatureMap, FoldsHigherRanks) {
  const std::vector<float> values = waves(2 * 3 * 4 * 5 * 6);
  const std::vector<Pixels> folded = feature_maps(view(values, {2, 12, 5, 6}), 2).value();
  const std::vector<Pixels> pictures = feature_maps(view(values, {2, 3, 4, 5, 6}), 2).value();
  ASSERT_EQ(pictures.size(), 2U);
  EXPECT_EQ(pictures[0].bytes, folded[0].bytes);
}

TEST(FeatureMap, FollowsStrides) {
  const std::vector<float> values = waves(2 * 3 * 5);
  std::vector<float> turned(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) turned[i % 5 * 6 + i / 5] = values[i];
  const TensorView strided{turned.data(), DType::kFloat32, {2, 3, 5}, {12, 4, 24}};
  EXPECT_EQ(feature_maps(strided, 2).value()[1].bytes, feature_maps(view(values, {2, 3, 5}), 2).value()[1].bytes);
}

TEST(FeatureMap, BoundsThePicturesOfLargeLayers) {
  const std::vector<std::uint8_t> values(300 * 300 * 64, 7);
  const Pixels grid = feature_maps(view(values, {1, 300, 300, 64}), 1).value().at(0);
  EXPECT_LE(grid.width, 2048);
  EXPECT_LE(grid.height, 2048);
  EXPECT_GT(grid.width, 1024);
  const Pixels strip = feature_maps(view(values, {1, 300 * 300 * 64}), 1).value().at(0);
  EXPECT_EQ(strip.width, 1024);
}

TEST(FeatureMap, HasNoPicturesWithoutSamplesAndRefusesEmptyOnes) {
  const std::vector<float> none;
  EXPECT_TRUE(feature_maps(view(none.data(), {0, 4, 4, 8}), 1).value().empty());
  EXPECT_EQ(feature_maps(view(none.data(), {2, 0}), 1).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(feature_maps(view(none.data(), {2, 0, 4, 8}), 1).status().code(), StatusCode::kInvalidArgument);
  const std::vector<std::complex<float>> complex(4);
  EXPECT_EQ(feature_maps(view(complex, {2, 2}), 1).status().code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace tensortap::format
