// Tests of the PNG sink: images as they are, predictions that are maps.
#include "recorder/sinks/png_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/memory_file.h"
#include "format/png.h"
#include "recorder/sinks/sink_testutil.h"

namespace tensortap::recorder {
namespace {

using testing::ElementsAre;

class PngSinkTest : public testing::Test {
 protected:
  std::unique_ptr<PngSink> open(sinks::Options options = {}) {
    auto sink = PngSink::make(memory_, {"png", "/out", std::move(options)}).value();
    EXPECT_TRUE(sink->begin({"/run", 0}).ok());
    return sink;
  }
  format::Pixels picture(const std::string& path) {
    return format::decode_png(bytes_of(memory_.contents(path))).value();
  }

  MemoryFileSystem memory_;
};

TEST_F(PngSinkTest, WritesImagesAsTheyCome) {
  auto sink = open();
  const std::vector<EncodedImage> one{{1, 1, "png bytes"}}, two{{1, 1, "first"}, {1, 1, "second"}};
  ASSERT_TRUE(sink->images(capture_of("in", 4, 1), one).ok());
  ASSERT_TRUE(sink->images(capture_of("maps/conv", 4, 1), two).ok());
  EXPECT_THAT(memory_.paths(),
              ElementsAre("/out/epoch_1_in.png", "/out/epoch_1_maps_conv_0.png", "/out/epoch_1_maps_conv_1.png"));
  EXPECT_EQ(memory_.contents("/out/epoch_1_in.png"), "png bytes");
  EXPECT_EQ(memory_.contents("/out/epoch_1_maps_conv_1.png"), "second");
}

TEST_F(PngSinkTest, HasAPlaceForTheIndexInPatterns) {
  auto sink = open({{"pattern", "{name}/{index}.png"}});
  const std::vector<EncodedImage> two{{1, 1, "first"}, {1, 1, "second"}};
  ASSERT_TRUE(sink->images(capture_of("in", 4), two).ok());
  EXPECT_THAT(memory_.paths(), ElementsAre("/out/in/0.png", "/out/in/1.png"));
}

TEST_F(PngSinkTest, DrawsEachPredictionThatIsAMapWithItsOwnContrast) {
  auto sink = open();
  const std::vector<float> maps{0, 1, 2, 4, 10, 10, 10, 20};
  ASSERT_TRUE(sink->predictions(capture_of("predictions/val", 4, 0),
                                captured_predictions(view(maps, {2, 2, 2, 1}), {}, {"a/1", "b"}))
                  .ok());
  ASSERT_THAT(memory_.paths(), ElementsAre("/out/epoch_0_predictions_a_1.png", "/out/epoch_0_predictions_b.png"));
  EXPECT_EQ(picture("/out/epoch_0_predictions_a_1.png").bytes, (std::vector<std::uint8_t>{0, 64, 128, 255}));
  EXPECT_EQ(picture("/out/epoch_0_predictions_b.png").bytes, (std::vector<std::uint8_t>{0, 0, 0, 255}));
}

TEST_F(PngSinkTest, TakesBytesAsTheyAre) {
  auto sink = open();
  const std::vector<std::uint8_t> maps{5, 6, 7, 8};
  ASSERT_TRUE(sink->predictions(capture_of("predictions/x", 3), captured_predictions(view(maps, {1, 2, 2}))).ok());
  EXPECT_EQ(picture("/out/step_3_x_predictions_0.png").bytes, maps);
}

TEST_F(PngSinkTest, DrawsManyChannelsAsAGridAndVectorsNotAtAll) {
  auto sink = open();
  const std::vector<float> values(2 * 4 * 4 * 8);
  ASSERT_TRUE(
      is_passed_over(sink->predictions(capture_of("predictions/a", 0), captured_predictions(view(values, {2, 128})))));
  EXPECT_TRUE(memory_.paths().empty());
  ASSERT_TRUE(sink->predictions(capture_of("predictions/b", 0), captured_predictions(view(values, {2, 4, 4, 8}))).ok());
  EXPECT_GT(picture("/out/step_0_b_predictions_1.png").width, 4 * 24);
  ASSERT_TRUE(sink->predictions(capture_of("predictions/c", 0), captured_predictions(view(values, {8, 4, 4, 2}))).ok());
  EXPECT_EQ(picture("/out/step_0_c_predictions_0.png").channels, 1);
}

TEST(MakePngSink, NamesThePlaceholdersThatThereAre) {
  MemoryFileSystem memory;
  EXPECT_THAT(PngSink::make(memory, {"png", "x", {{"pattern", "{batch}"}}}).status().message(),
              testing::HasSubstr("{index}, {id}"));
}

}  // namespace
}  // namespace tensortap::recorder
