// Tensors come back whole or in part, whoever wrote them.
#include "query/tensors.h"

#include <gtest/gtest.h>

#include <fstream>
#include <numeric>

#include "event/damage_testutil.h"
#include "event/plugins.h"
#include "query/log_testutil.h"

namespace tensortap::query {
namespace {

using store::Kind;
using Ints = std::vector<std::int32_t>;

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

Ints counting(std::int32_t count) {
  Ints values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

class TensorsTest : public LogTest {
 protected:
  // A capture of 0, 1, 2, ... in the given shape.
  Place captured_place(Shape shape) {
    std::int64_t count = 1;
    for (std::int64_t extent : shape) count *= extent;
    write_captures("a", {tensor_record(3, "t", counting(static_cast<std::int32_t>(count)), std::move(shape))});
    return place("a", "t", Kind::kTensors, 3);
  }
  Place event_place(const std::string& record, const std::string& tag, Kind kind = Kind::kTensors) {
    write_events("e", {record});
    return place("e", tag, kind, 3);
  }
};

// An event at step 3 of a value "t" whose TensorProto is given.
std::string event_of(const std::string& tensor_proto) {
  const std::string value = event::from_hex("0a017442") + static_cast<char>(tensor_proto.size()) + tensor_proto;
  const std::string summary = event::from_hex("0a") + static_cast<char>(value.size()) + value;
  return event::from_hex("09000000000000f83f10032a") + static_cast<char>(summary.size()) + summary;
}

TEST_F(TensorsTest, ACaptureComesBackWithDtypeAndShape) {
  const OwnedTensor tensor = tensor_at(captured_place({2, 3})).value();
  EXPECT_EQ(tensor.shape, (Shape{2, 3}));
  EXPECT_EQ(elements<std::int32_t>(tensor), counting(6));
}

TEST_F(TensorsTest, AnEventTensorComesBackWithDtypeAndShape) {
  const std::vector<double> values = {1.5, -2, 0.25};
  const event::Metadata metadata{"mine", "", event::DataClass::kTensor, "", false};
  const Place place = event_place(event::encode_tensor({1, 3}, "t", view(values, {3, 1}), &metadata), "t");
  const OwnedTensor tensor = tensor_at(place).value();
  EXPECT_EQ(tensor.shape, (Shape{3, 1}));
  EXPECT_EQ(elements<double>(tensor), values);
}

TEST_F(TensorsTest, ValuesInATypedListAreReadAndSliced) {
  // tf.make_tensor_proto([7, 7, 7, 7]) as TensorFlow compresses it: int32 [4], int_val 7.
  const Place place = event_place(event_of(event::from_hex("08031204120208043807")), "t");
  EXPECT_EQ(elements<std::int32_t>(tensor_at(place).value()), (Ints{7, 7, 7, 7}));
  EXPECT_EQ(elements<std::int32_t>(tensor_at(place, {{1, 3}}).value()), (Ints{7, 7}));
}

TEST_F(TensorsTest, SlicesFollowPython) {
  const Place place = captured_place({4, 5});
  struct Case {
    std::vector<Slice> slices;
    Shape shape;
    Ints values;
  };
  const std::vector<Case> cases = {
      {{{1, 2}}, {1, 5}, {5, 6, 7, 8, 9}},
      {{{-1}}, {1, 5}, {15, 16, 17, 18, 19}},
      {{{0, std::nullopt, 3}}, {2, 5}, {0, 1, 2, 3, 4, 15, 16, 17, 18, 19}},
      {{{1, 3}, {-2}}, {2, 2}, {8, 9, 13, 14}},
      {{{0}, {1, 5, 2}}, {4, 2}, {1, 3, 6, 8, 11, 13, 16, 18}},
      {{{-100, 1}, {3, 100}}, {1, 2}, {3, 4}},
      {{{2, 1}}, {0, 5}, {}},
      {{{9}, {9}}, {0, 0}, {}},
      {{{kLowest, kHighest, kHighest}, {4, kHighest, kHighest}}, {1, 1}, {4}},
      {{{kHighest, kLowest}}, {0, 5}, {}},
  };
  for (const Case& each : cases) {
    const OwnedTensor tensor = tensor_at(place, each.slices).value();
    EXPECT_EQ(tensor.shape, each.shape);
    EXPECT_EQ(elements<std::int32_t>(tensor), each.values) << shape_to_string(each.shape);
  }
}

TEST_F(TensorsTest, SlicesThatDoNotFitAreNamed) {
  const Place place = captured_place({4, 5});
  const Status too_many = tensor_at(place, {{0}, {0}, {0}}).status();
  EXPECT_EQ(too_many.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(too_many.message(), "the tensor has rank 2, [4,5]; 3 slices were given");
  const Status no_stride = tensor_at(place, {{0}, {0, std::nullopt, 0}}).status();
  EXPECT_EQ(no_stride.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(no_stride.message(), "the stride of slice 1 is 0; it must be above 0");
}

TEST_F(TensorsTest, ScalarsAndEmptyTensorsHaveTheirShape) {
  const OwnedTensor scalar = tensor_at(captured_place({})).value();
  EXPECT_TRUE(scalar.shape.empty());
  EXPECT_EQ(elements<std::int32_t>(scalar), Ints{0});
  const Place empty = captured_place({3, 0, kHighest});
  EXPECT_EQ(tensor_at(empty, {{1}}).value().shape, (Shape{2, 0, kHighest}));
}

TEST_F(TensorsTest, StringsAreSlicedToo) {
  const std::vector<std::string> words = {"a", "b", "c", "d", "e", "f"};
  const event::Metadata metadata{"text", "", event::DataClass::kTensor, "", false};
  const Place place = event_place(event::encode_strings({1, 3}, "t", words, {2, 3}, &metadata), "t", Kind::kText);
  EXPECT_EQ(tensor_at(place).value().strings, words);
  const OwnedTensor part = tensor_at(place, {{1}, {0, std::nullopt, 2}}).value();
  EXPECT_EQ(part.dtype, DType::kString);
  EXPECT_EQ(part.shape, (Shape{1, 2}));
  EXPECT_EQ(part.strings, (std::vector<std::string>{"d", "f"}));
}

TEST_F(TensorsTest, DescriptionsNeedNoValues) {
  const TensorDescription captured = describe_tensor(captured_place({2, 3})).value();
  EXPECT_EQ(captured.dtype, DType::kInt32);
  EXPECT_EQ(captured.shape, (Shape{2, 3}));
  write_captures("s", {stats_record(3, "w", {1, 2, 3})});
  EXPECT_EQ(describe_tensor(place("s", "w", Kind::kStats, 3)).value().shape, Shape{3});
  // A quint8, which is none of our dtypes: described, but not decoded.
  const Place quantized = event_place(event_of(event::from_hex("080c12041202080222020102")), "t");
  EXPECT_EQ(describe_tensor(quantized).value().shape, Shape{2});
  const Status status = tensor_at(quantized).status();
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_NE(status.message().find("events.out.tfevents"), std::string::npos) << status.message();
}

TEST_F(TensorsTest, OtherKindsAreRefused) {
  write_captures("s", {stats_record(3, "w", {1, 2, 3})});
  EXPECT_EQ(tensor_at(place("s", "w", Kind::kStats, 3)).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(predictions_at(captured_place({2})).status().code(), StatusCode::kInvalidArgument);
}

TEST_F(TensorsTest, AFileThatWasReplacedIsNoticed) {
  const Place place = captured_place({2, 3});
  std::ofstream(place.file->file().path(), std::ios::binary | std::ios::trunc) << std::string(500, 'x');
  EXPECT_EQ(tensor_at(place).status().code(), StatusCode::kCorrupt);
}

class PredictionsTest : public LogTest {
 protected:
  Place predictions_place(const event::CapturedPredictions& predictions) {
    write_captures("a", {event::encode_capture(head_at(3, "val"), predictions).joined()});
    return place("a", "val", Kind::kPredictions, 3);
  }
  const std::vector<float> outputs_ = {0.1F, 0.9F, 0.8F, 0.2F};
  const std::vector<std::int64_t> labels_ = {1, 0};
};

TEST_F(PredictionsTest, OutputsComeWithLabelsAndIds) {
  const std::vector<std::int64_t> ids = {70, -2};
  const PredictionSet set =
      predictions_at(predictions_place({captured(labels_, {2}), captured(outputs_, {2, 2}), captured(ids, {2}), {}}))
          .value();
  EXPECT_EQ(elements<std::int64_t>(set.y_true), labels_);
  EXPECT_EQ(elements<float>(set.y_pred), outputs_);
  EXPECT_EQ(set.y_pred.shape, (Shape{2, 2}));
  EXPECT_EQ(set.number_ids, ids);
  EXPECT_TRUE(set.text_ids.empty());
}

TEST_F(PredictionsTest, IdsMayBeTexts) {
  const PredictionSet set = predictions_at(predictions_place({{}, captured(outputs_, {2, 2}), {}, {"x", "y"}})).value();
  EXPECT_EQ(set.y_true.dtype, DType::kInvalid);
  EXPECT_EQ(set.text_ids, (std::vector<std::string>{"x", "y"}));
  EXPECT_TRUE(set.number_ids.empty());
}

TEST_F(PredictionsTest, WithoutIdsSamplesCountFromZero) {
  const PredictionSet set = predictions_at(predictions_place({{}, captured(outputs_, {4}), {}, {}})).value();
  EXPECT_EQ(set.number_ids, (std::vector<std::int64_t>{0, 1, 2, 3}));
}

TEST_F(PredictionsTest, NumbersOfSamplesThatDisagreeAreDamage) {
  const std::vector<std::int64_t> three = {1, 2, 3};
  const std::vector<float> none;
  const std::vector<event::CapturedPredictions> wrong = {
      {captured(three, {3}), captured(outputs_, {2, 2}), {}, {}},
      {{}, captured(outputs_, {2, 2}), captured(three, {3}), {}},
      {{}, captured(outputs_, {2, 2}), {}, {"x"}},
      {captured(labels_, {2}), {}, {}, {}},
      {{}, captured(none, {kHighest, 0}), {}, {}},
  };
  for (const event::CapturedPredictions& each : wrong) {
    const Status status = predictions_at(predictions_place(each)).status();
    EXPECT_EQ(status.code(), StatusCode::kCorrupt);
    EXPECT_NE(status.message().find("at offset"), std::string::npos) << status.message();
  }
}

}  // namespace
}  // namespace tensortap::query
