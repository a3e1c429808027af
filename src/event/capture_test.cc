// Capture records survive the round trip; contradictions are refused.
#include "event/capture.h"

#include <gtest/gtest.h>

#include <random>

namespace tensortap::event {
namespace {

const CaptureHead kHead{{12.5, 42}, "activations/conv1", Phase::kVal, 9};

CapturedStats stats_of(const std::vector<float>& values) {
  return {DType::kFloat32, {static_cast<std::int64_t>(values.size())}, compute_stats(view(values)).value()};
}

template <typename Body>
Body round_trip(const CaptureHead& head, const Body& body, std::string& bytes) {
  bytes = encode_capture(head, body).joined();
  auto decoded = decode_capture(bytes_of(bytes));
  EXPECT_TRUE(decoded.ok()) << decoded.status().to_string();
  EXPECT_EQ(decoded->head.tag, head.tag);
  EXPECT_EQ(decoded->head.time.step, head.time.step);
  EXPECT_EQ(decoded->head.time.wall_secs, head.time.wall_secs);
  EXPECT_EQ(decoded->head.phase, head.phase);
  EXPECT_EQ(decoded->head.sequence, head.sequence);
  return std::get<Body>(decoded->body);
}

TEST(Capture, HeaderSurvives) {
  std::string bytes;
  auto back = round_trip<CaptureHeader>({{1, 0}, "", Phase::kNone, 0}, {1, 1, "tensortap 0.1.0", "host", 77}, bytes);
  EXPECT_EQ(back.format_version, 1U);
  EXPECT_EQ(back.writer, "tensortap 0.1.0");
  EXPECT_EQ(back.process_id, 77U);
}

TEST(Capture, StatsSurviveWithEveryBucket) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(10'000);
  for (float& value : values) value = normal(random);
  values[3] = 0;
  values[4] = std::numeric_limits<float>::quiet_NaN();
  values[5] = -std::numeric_limits<float>::infinity();
  CapturedStats body = stats_of(values);
  std::string bytes;
  CapturedStats back = round_trip(kHead, body, bytes);
  EXPECT_EQ(back.dtype, DType::kFloat32);
  EXPECT_EQ(back.shape, Shape{10'000});
  EXPECT_EQ(back.stats.count, 10'000U);
  EXPECT_EQ(back.stats.zeros, body.stats.zeros);
  EXPECT_EQ(back.stats.nan, 1U);
  EXPECT_EQ(back.stats.negative_inf, 1U);
  EXPECT_EQ(back.stats.min, body.stats.min);
  EXPECT_EQ(back.stats.sum, body.stats.sum);
  EXPECT_EQ(back.stats.squared_deviations, body.stats.squared_deviations);
  EXPECT_EQ(back.stats.histogram.keys, body.stats.histogram.keys);
  EXPECT_EQ(back.stats.histogram.counts, body.stats.histogram.counts);
}

TEST(Capture, LinearGridSurvives) {
  std::vector<float> values;
  for (int i = 0; i < 1000; ++i) values.push_back(1.0F + 1e-4F * static_cast<float>(i));
  CapturedStats body = stats_of(values);
  ASSERT_EQ(body.stats.histogram.grid, Histogram::Grid::kLinear);
  std::string bytes;
  CapturedStats back = round_trip(kHead, body, bytes);
  EXPECT_EQ(back.stats.histogram.grid, Histogram::Grid::kLinear);
  EXPECT_EQ(back.stats.histogram.linear_base, body.stats.histogram.linear_base);
  EXPECT_EQ(back.stats.histogram.linear_exponent, body.stats.histogram.linear_exponent);
}

TEST(Capture, EmptyAndAllNanTensorsSurvive) {
  std::string bytes;
  EXPECT_EQ(round_trip(kHead, stats_of({}), bytes).stats.count, 0U);
  CapturedStats nan = round_trip(kHead, stats_of({NAN, NAN}), bytes);
  EXPECT_EQ(nan.stats.nan, 2U);
  EXPECT_GT(nan.stats.min, nan.stats.max);
}

TEST(Capture, TensorDataIsBorrowedNotCopied) {
  std::vector<float> values = {1, 2, 3, 4, 5, 6};
  CapturedTensor tensor{DType::kFloat32, {2, 3}, std::as_bytes(std::span(values))};
  CaptureBytes pieces = encode_capture(kHead, tensor);
  bool borrowed = false;
  for (Bytes piece : pieces.pieces()) borrowed |= piece.data() == reinterpret_cast<std::byte*>(values.data());
  EXPECT_TRUE(borrowed);
  std::string bytes;
  CapturedTensor back = round_trip(kHead, tensor, bytes);
  EXPECT_EQ(back.shape, (Shape{2, 3}));
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(back.data.data()), back.data.size()),
            std::string(reinterpret_cast<const char*>(values.data()), 24));
}

TEST(Capture, PredictionsKeepIdsLabelsAndOutputs) {
  std::vector<std::int64_t> labels = {1, 0}, ids = {10, 11};
  std::vector<float> outputs = {0.25F, 0.75F, 0.5F, 0.5F};
  CapturedPredictions body;
  body.y_true = {DType::kInt64, {2}, std::as_bytes(std::span(labels))};
  body.y_pred = {DType::kFloat32, {2, 2}, std::as_bytes(std::span(outputs))};
  body.number_ids = {DType::kInt64, {2}, std::as_bytes(std::span(ids))};
  std::string bytes;
  CapturedPredictions back = round_trip(kHead, body, bytes);
  EXPECT_EQ(back.y_pred.shape, (Shape{2, 2}));
  EXPECT_EQ(back.number_ids.data.size(), 16U);

  body.number_ids = {};
  body.text_ids = {"a.png", "b.png"};
  back = round_trip(kHead, body, bytes);
  EXPECT_EQ(back.number_ids.dtype, DType::kInvalid);
  EXPECT_EQ(back.text_ids, (std::vector<std::string_view>{"a.png", "b.png"}));
}

TEST(Capture, LossAndEndSurvive) {
  std::string bytes;
  EXPECT_EQ(round_trip<CaptureLoss>({}, {5}, bytes).dropped, 5U);
  CaptureEnd end = round_trip<CaptureEnd>({}, {false, 100, 5, 0.25, 1.5}, bytes);
  EXPECT_FALSE(end.success);
  EXPECT_EQ(end.offered, 100U);
  EXPECT_EQ(end.dropped, 5U);
  EXPECT_EQ(end.caller_secs, 0.25);
  EXPECT_EQ(end.worker_secs, 1.5);
}

TEST(Capture, UnknownFieldsAndBodiesAreSkipped) {
  std::string bytes = encode_capture(kHead, CaptureLoss{5}).joined();
  bytes += std::string("\xa2\x06\x03new", 6);  // field 100, length-delimited: a later version's
  EXPECT_EQ(std::get<CaptureLoss>(decode_capture(bytes_of(bytes)).value().body).dropped, 5U);
  std::string only_new("\xa2\x06\x03new", 6);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(decode_capture(bytes_of(only_new)).value().body));
}

TEST(Capture, CountsThatDoNotAddUpAreRefused) {
  CapturedStats body = stats_of({1, 2, 3});
  body.shape = {4};
  EXPECT_EQ(decode_capture(bytes_of(encode_capture(kHead, body).joined())).status().code(), StatusCode::kCorrupt);
}

TEST(Capture, DataOfAnotherSizeIsRefused) {
  std::vector<float> values = {1, 2, 3};
  CapturedTensor tensor{DType::kFloat32, {4}, std::as_bytes(std::span(values))};
  EXPECT_EQ(decode_capture(bytes_of(encode_capture(kHead, tensor).joined())).status().code(), StatusCode::kCorrupt);
}

TEST(Capture, ABoolWithoutItsByteIsRefused) {
  // end (field 15) holds only the key of success (field 1); found by fuzzing.
  const std::string bytes("\x7a\x01\x08", 3);
  EXPECT_EQ(decode_capture(bytes_of(bytes)).status().code(), StatusCode::kCorrupt);
}

TEST(Capture, TruncatedAndDamagedBytesNeverCrash) {
  std::string bytes = encode_capture(kHead, stats_of({1, -2, 3, 0, 1e-3F})).joined();
  for (std::size_t n = 0; n < bytes.size(); ++n) (void)decode_capture(bytes_of(bytes).first(n)).ok();
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    (void)decode_capture(bytes_of(damaged)).ok();
  }
}

}  // namespace
}  // namespace tensortap::event
