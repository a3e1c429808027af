// Tests of Pixels: which pictures a tensor becomes.
#include "format/pixels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace tensortap::format {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Pixels> draw(const TensorView& tensor, const PixelOptions& options = {}) {
  Result<std::vector<Pixels>> pictures = pixels_from_tensor(tensor, options);
  EXPECT_TRUE(pictures.ok()) << pictures.status().to_string();
  return pictures.ok() ? std::move(pictures).value() : std::vector<Pixels>{};
}

Pixels draw_one(const TensorView& tensor, const PixelOptions& options = {}) {
  std::vector<Pixels> pictures = draw(tensor, options);
  EXPECT_EQ(pictures.size(), 1u);
  return pictures.empty() ? Pixels{} : pictures[0];
}

TEST(Pixels, OfRankTwoAreOneGrayPicture) {
  const Pixels pixels = draw_one(view(std::vector<float>{0, 0.5, 1, 2, -1, 0.25}, {2, 3}));
  EXPECT_EQ(pixels.width, 3);
  EXPECT_EQ(pixels.height, 2);
  EXPECT_EQ(pixels.channels, 1);
  EXPECT_THAT(pixels.bytes, ElementsAre(0, 127, 255, 255, 0, 63));
}

TEST(Pixels, OfRankThreeAreOnePictureWithUpToFourChannels) {
  std::vector<std::uint8_t> elements(16);
  std::iota(elements.begin(), elements.end(), std::uint8_t{0});
  for (int channels = 1; channels <= 4; ++channels) {
    const Pixels pixels = draw_one(view(elements.data(), {2, 2, channels}));
    EXPECT_EQ(pixels.channels, channels);
    EXPECT_EQ(pixels.bytes, std::vector<std::uint8_t>(elements.begin(),
                                                      elements.begin() + static_cast<std::ptrdiff_t>(4 * channels)));
  }
}

TEST(Pixels, OfRankFourAreOnePictureForEachImageWithItsOwnContrast) {
  const std::vector<float> elements{0, 1, 2, 4, -8, -8, 0, 8};
  const std::vector<Pixels> pictures = draw(view(elements, {2, 2, 2, 1}), {.scale = PixelScale::kMinMax});
  ASSERT_EQ(pictures.size(), 2u);
  EXPECT_THAT(pictures[0].bytes, ElementsAre(0, 64, 128, 255));
  EXPECT_THAT(pictures[1].bytes, ElementsAre(0, 0, 128, 255));
  EXPECT_EQ(draw(view(elements, {2, 2, 2, 1}), {.max_images = 1}).size(), 1u);
}

TEST(Pixels, OfAnEmptyBatchAreNone) {
  EXPECT_TRUE(draw(view<float>(nullptr, {0, 28, 28, 1})).empty());
  EXPECT_TRUE(draw(view<float>(nullptr, {0, 28, 28, 64})).empty());
}

TEST(Pixels, FollowStrides) {
  // [2,2,3] stored with the channels outermost, as [3,2,2], and read upside down.
  std::vector<std::uint8_t> planes(12);
  std::iota(planes.begin(), planes.end(), std::uint8_t{0});
  const TensorView turned{&planes[2], DType::kUint8, {2, 2, 3}, {-2, 1, 4}};
  EXPECT_THAT(draw_one(turned).bytes, ElementsAre(2, 6, 10, 3, 7, 11, 0, 4, 8, 1, 5, 9));
}

TEST(Pixels, OfABroadcastBatchAreEqual) {
  const float value = 1;
  const TensorView repeated{&value, DType::kFloat32, {3, 2, 2, 1}, {0, 0, 0, 0}};
  const std::vector<Pixels> pictures = draw(repeated);
  ASSERT_EQ(pictures.size(), 3u);
  for (const Pixels& pixels : pictures) EXPECT_THAT(pixels.bytes, ElementsAre(255, 255, 255, 255));
}

TEST(Pixels, OfEveryRealDtypeCanBeDrawnOnEveryScale) {
  const std::vector<std::uint64_t> zeros(6 * 2);
  int drawn = 0;
  for (int number = 1; number <= 30; ++number) {
    const DType dtype = dtype_from_number(static_cast<std::uint64_t>(number));
    if (dtype == DType::kInvalid || dtype == DType::kString) continue;
    for (const PixelScale scale : {PixelScale::kAuto, PixelScale::kUnit, PixelScale::kMinMax, PixelScale::kSymmetric}) {
      const auto pictures = pixels_from_tensor({zeros.data(), dtype, {2, 3}, {}}, {.scale = scale});
      if (dtype == DType::kComplex64 || dtype == DType::kComplex128) {
        EXPECT_EQ(pictures.status().code(), StatusCode::kUnsupported);
        continue;
      }
      ASSERT_TRUE(pictures.ok()) << dtype_name(dtype);
      EXPECT_THAT(pictures.value()[0].bytes, testing::Each(needs_range(scale) ? 128 : 0)) << dtype_name(dtype);
      ++drawn;
    }
  }
  EXPECT_EQ(drawn, 20 * 4);
}

TEST(Pixels, WithNanBecomeColouredAndMagenta) {
  const Pixels gray = draw_one(view(std::vector<float>{1, NAN, 0, 0.5}, {2, 2}));
  EXPECT_EQ(gray.channels, 3);
  EXPECT_THAT(gray.bytes, ElementsAre(255, 255, 255, 255, 0, 255, 0, 0, 0, 127, 127, 127));
  const Pixels alpha = draw_one(view(std::vector<float>{1, 0.5, 0, NAN}, {1, 2, 2}));
  EXPECT_EQ(alpha.channels, 4);
  EXPECT_THAT(alpha.bytes, ElementsAre(255, 255, 255, 127, 255, 0, 255, 255));
  const Pixels rgba = draw_one(view(std::vector<float>{NAN, NAN, 1, 0, 1, 0, 0, 0.5}, {1, 2, 4}));
  EXPECT_EQ(rgba.channels, 4);
  EXPECT_THAT(rgba.bytes, ElementsAre(255, 0, 255, 255, 255, 0, 0, 127));
}

TEST(Pixels, StayGrayInImagesOfABatchWithoutNan) {
  const std::vector<Pixels> pictures = draw(view(std::vector<float>{NAN, 1}, {2, 1, 1, 1}));
  ASSERT_EQ(pictures.size(), 2u);
  EXPECT_EQ(pictures[0].channels, 3);
  EXPECT_EQ(pictures[1].channels, 1);
}

TEST(Pixels, ClipInfinitiesAndLeaveThemOutOfTheRange) {
  const std::vector<float> elements{-INFINITY, 1, 2, 3, INFINITY};
  EXPECT_THAT(draw_one(view(elements, {1, 5}), {.scale = PixelScale::kMinMax}).bytes, ElementsAre(0, 0, 128, 255, 255));
}

TEST(Pixels, FindNanInLargeImages) {
  std::vector<float> elements(300 * 200 * 3, 0.5f);
  elements[100'000] = NAN;
  const Pixels pixels = draw_one(view(elements, {200, 300, 3}));
  const std::size_t pixel = 100'000 / 3 * 3;
  EXPECT_EQ(pixels.bytes[pixel], 255);
  EXPECT_EQ(pixels.bytes[pixel + 1], 0);
  EXPECT_EQ(pixels.bytes[pixel + 2], 255);
  EXPECT_EQ(std::count(pixels.bytes.begin(), pixels.bytes.end(), 127), 300 * 200 * 3 - 3);
}

TEST(Pixels, OfMoreThanFourChannelsAreAGrid) {
  const std::vector<float> elements(2 * 8 * 8 * 6, 0.5f);
  const std::vector<Pixels> pictures = draw(view(elements, {2, 8, 8, 6}));
  ASSERT_EQ(pictures.size(), 2u);
  EXPECT_EQ(pictures[0].width, 3 * 25 + 1);
  EXPECT_EQ(pictures[0].height, 2 * 25 + 1);
}

TEST(Pixels, OfOtherShapesAreRefusedWithTheShapeAndWhatIsAccepted) {
  const std::vector<float> elements(32);
  for (const Shape& shape : {Shape{}, Shape{4}, Shape{1, 1, 1, 1, 1}}) {
    const Status status = pixels_from_tensor(view(elements.data(), shape)).status();
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(), HasSubstr(shape_to_string(shape)));
    EXPECT_THAT(status.message(), HasSubstr("[height,width,channels]"));
  }
  for (const Shape& shape : {Shape{0, 4}, Shape{4, 0, 3}, Shape{4, 4, 0}, Shape{2, 0, 4, 1}}) {
    const Status status = pixels_from_tensor(view(elements.data(), shape)).status();
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(), HasSubstr("at least 1"));
  }
}

TEST(Pixels, BeyondTheLimitAreRefusedBeforeTheyAreAllocated) {
  const float value = 1;
  const auto code = [&](Shape shape, PixelOptions options = {}) {
    std::vector<std::int64_t> strides(shape.size(), 0);
    return pixels_from_tensor({&value, DType::kFloat32, std::move(shape), strides}, options).status().code();
  };
  EXPECT_EQ(code({1 << 28, 1 << 28}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({1 << 30, 1, 1, 1}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({1 << 30, 1, 1, 1}, {.max_images = 2}), StatusCode::kOk);
  EXPECT_EQ(code({1 << 30, 2, 2, 8}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({1, 1 << 14, 1 << 14, 8}), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tensortap::format
