// Layers out of tags: their order, what belongs to them, their shapes.
#include "query/layers.h"

#include <gmock/gmock.h>

#include "event/plugins.h"
#include "query/layer_kinds.h"
#include "query/log_testutil.h"

namespace tensortap::query {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string stats_of_shape(std::string_view tag, const Shape& shape, std::int64_t step = 0) {
  std::size_t size = 1;
  for (std::int64_t extent : shape) size *= static_cast<std::size_t>(extent);
  const std::vector<float> values(size, 1.0f);
  const event::CapturedStats stats{DType::kFloat32, shape, compute_stats(view(values)).value()};
  return event::encode_capture(head_at(step, tag), stats).joined();
}

class LayersTest : public LogTest {
 protected:
  std::vector<Layer> all() { return layers(open()->find("a").value()); }
  std::vector<std::string> paths() {
    std::vector<std::string> found;
    for (const Layer& layer : all()) found.push_back(layer.path);
    return found;
  }
};

TEST_F(LayersTest, StandInTheOrderInWhichABatchPassesThem) {
  write_captures("a", {stats_record(0, "weights/z/kernel", {1}), stats_record(0, "activations/z", {1}),
                       stats_record(0, "activations/block/conv", {1}), stats_record(0, "activations/a", {1}),
                       stats_record(1, "activations/z", {1})});
  EXPECT_THAT(paths(), ElementsAre("z", "block/conv", "a"));
}

TEST_F(LayersTest, VariablesBelongToTheLongestPathThatBeginsThem) {
  write_captures(
      "a",
      {stats_of_shape("activations/attention", {8, 4, 2}), stats_of_shape("activations/attention/query", {8, 4, 2}),
       stats_of_shape("activations/lstm", {8, 3}), stats_of_shape("activations/att", {8, 1}),
       stats_of_shape("weights/attention/query/kernel", {4, 5}), stats_of_shape("weights/attention/query/bias", {5}),
       stats_of_shape("weights/lstm/lstm_cell/kernel", {2, 2}),
       stats_of_shape("gradients/attention/query/kernel", {4, 5})});
  const auto found = all();
  ASSERT_EQ(found.size(), 4U);
  EXPECT_THAT(found[0].weights, IsEmpty());
  EXPECT_THAT(found[1].weights, ElementsAre("weights/attention/query/kernel", "weights/attention/query/bias"));
  EXPECT_THAT(found[1].gradients, ElementsAre("gradients/attention/query/kernel"));
  EXPECT_EQ(found[1].parameters, 25U);
  EXPECT_EQ(found[1].output_shape, (Shape{4, 2}));
  EXPECT_EQ(found[1].dtype, DType::kFloat32);
  EXPECT_THAT(found[2].weights, ElementsAre("weights/lstm/lstm_cell/kernel"));
  EXPECT_THAT(found[3].weights, IsEmpty());
  EXPECT_FALSE(found[3].parameters.has_value());
}

TEST_F(LayersTest, CallsOutputsAndReplicasBelongToTheirLayer) {
  write_captures("a", {stats_of_shape("activations/dense", {2, 3}), stats_of_shape("activations/dense#1", {2, 3}),
                       stats_of_shape("activations/lstm:1", {2, 3}), stats_of_shape("activations/lstm", {2, 3}),
                       stats_of_shape("activations/r@0", {2, 3}), stats_of_shape("activations/r@1", {2, 3}),
                       stats_of_shape("weights/r/kernel@0", {3}), stats_of_shape("weights/r/kernel@1", {3})});
  const auto found = all();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_THAT(found[0].activations, ElementsAre("activations/dense", "activations/dense#1"));
  EXPECT_THAT(found[1].activations, ElementsAre("activations/lstm:1", "activations/lstm"));
  EXPECT_EQ(found[2].path, "r");
  EXPECT_EQ(found[2].parameters, 3U);
}

TEST_F(LayersTest, LayersOfTheSamePathAreToldApart) {
  write_captures("a", {stats_of_shape("activations/dense", {2, 3}), stats_of_shape("activations/dense~2", {2, 3}),
                       stats_of_shape("weights/dense/kernel", {3}), stats_of_shape("weights/dense/kernel~2", {4})});
  const auto found = all();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].parameters, 3U);
  EXPECT_EQ(found[1].parameters, 4U);
}

TEST_F(LayersTest, SubRunsCountWithTheirLayer) {
  write_captures("a", {stats_of_shape("activations/x", {2, 3})});
  write_captures("a/val", {stats_of_shape("activations/x", {2, 3}), stats_of_shape("activations/y", {2, 3})});
  const auto found = all();
  EXPECT_THAT(found[0].activations, ElementsAre("activations/x", "val/activations/x"));
  EXPECT_THAT(paths(), ElementsAre("x", "y"));
}

TEST_F(LayersTest, WeightsAloneMakeLayersToo) {
  write_captures("a", {stats_of_shape("activations/b", {2, 3}), stats_of_shape("weights/a/kernel", {3}),
                       stats_of_shape("weights/b/kernel", {3}), stats_of_shape("weights/c/kernel", {3}),
                       stats_of_shape("weights/alone", {3})});
  EXPECT_THAT(paths(), ElementsAre("a", "b", "c", "alone"));
}

TEST_F(LayersTest, PicturesTensorsAndScalarsFindTheirLayer) {
  const event::Metadata images{event::plugin::kImages, "", event::DataClass::kBlobSequence, "", false};
  write_captures(
      "a", {stats_of_shape("activations/conv", {2, 3}), tensor_record<float>(0, "activations/conv", {1, 2}, {1, 2}),
            tensor_record<float>(0, "logits", {1, 2}, {2})});
  write_events(
      "a", {event::encode_strings({1, 0}, "feature_maps/conv", std::vector<std::string>{"1", "1", "png"}, {3}, &images),
            event::encode_scalar({1, 0}, "update_ratio/conv/kernel", 1, nullptr),
            event::encode_scalar({1, 0}, "train/conv", 1, nullptr)});
  const auto found = all();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].images, ElementsAre("feature_maps/conv"));
  EXPECT_THAT(found[0].tensors, ElementsAre("activations/conv"));
  EXPECT_THAT(found[0].other, ElementsAre("update_ratio/conv/kernel"));
}

TEST_F(LayersTest, RawValuesAloneTellTheShape) {
  write_captures("a", {tensor_record<double>(0, "activations/x", {1, 2, 3, 4, 5, 6}, {2, 3}),
                       tensor_record<double>(0, "weights/x/kernel", {1, 2, 3, 4}, {2, 2})});
  const auto found = all();
  EXPECT_EQ(found.at(0).output_shape, Shape{3});
  EXPECT_EQ(found.at(0).dtype, DType::kFloat64);
  EXPECT_EQ(found.at(0).parameters, 4U);
}

TEST_F(LayersTest, TheKerasModelSaysWhatTheyAre) {
  const event::Metadata keras{event::plugin::kKerasModel, "1", event::DataClass::kBlobSequence, "", false};
  const std::string model =
      R"({"class_name": "Functional", "config": {"name": "m", "layers": [)"
      R"({"class_name": "Dense", "config": {"name": "a#"}},)"
      R"({"class_name": "Sequential", "config": {"name": "block", "layers": [{"class_name": "ReLU", "config": )"
      R"({"name": "relu"}}, 7, {"class_name": 8}]}}]}})";
  write_captures("a", {stats_of_shape("activations/a%23", {2, 3}), stats_of_shape("activations/block/relu~2", {2, 3}),
                       stats_of_shape("activations/other", {2, 3})});
  write_events("a", {event::encode_strings({1, 0}, "keras", std::vector<std::string>{model}, {1}, &keras)});
  const auto found = all();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].kind, "Dense");
  EXPECT_EQ(found[1].kind, "ReLU");
  EXPECT_EQ(found[2].kind, "");
}

TEST(LayerKinds, AreTakenOutOfNothingThatIsNoModel) {
  for (const char* json : {"", "7", "[]", "{", R"({"config": 1})", R"({"config": {"layers": 3}})", "\xff\xfe",
                           R"({"config": {"layers": [null, [], {"config": null}, {"name": 5}]}})"}) {
    EXPECT_TRUE(kinds_in_keras_model(json).empty()) << json;
  }
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += R"({"config":{"layers":[{"name":"x","class_name":"Y"},)";
  EXPECT_TRUE(kinds_in_keras_model(deep).empty());  // cut off, and no stack overflow
}

TEST_F(LayersTest, ARunWithoutAModelHasNone) {
  write_events("a", {event::encode_scalar({1, 0}, "loss", 1, nullptr)});
  EXPECT_THAT(all(), IsEmpty());
}

TEST(TagParts, AreTakenApart) {
  const TagParts parts = tag_parts("activations/block/dense%231~2#1:3@0").value();
  EXPECT_EQ(parts.kind, "activations");
  EXPECT_EQ(parts.path, "block/dense%231~2");
  EXPECT_EQ(parts.rest, "#1:3@0");
  for (const char* tag : {"", "loss", "/x", "x/", "x/#1"}) EXPECT_FALSE(tag_parts(tag).has_value()) << tag;
}

}  // namespace
}  // namespace tensortap::query
