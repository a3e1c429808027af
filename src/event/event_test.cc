// Events survive the round trip; damaged ones are refused, never crash.
#include "event/event.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "event/file_names.h"
#include "event/plugins.h"

namespace tensortap::event {
namespace {

const Metadata kScalarMetadata{plugin::kScalars, "", DataClass::kScalar, "", false};

TEST(FileNames, AreTheOnesReadersLookFor) {
  EXPECT_TRUE(is_run_file_name("events.out.tfevents.1700000000.host.1.0"));
  EXPECT_TRUE(is_run_file_name("captures.1700000000.host.1.0.tap"));
  EXPECT_FALSE(is_run_file_name("notes.txt"));
  EXPECT_FALSE(is_run_file_name("captures.txt"));
}

TEST(Event, FileVersionIsTheOneTensorBoardAsksFor) {
  std::string bytes = encode_file_version(12.5);
  EXPECT_EQ(bytes.size(), 24U);  // as TensorFlow's
  EventView event = decode_event(bytes_of(bytes)).value();
  EXPECT_EQ(event.file_version, "brain.Event:2");
  EXPECT_EQ(event.time.wall_secs, 12.5);
}

TEST(Event, ScalarKeepsItsDouble) {
  for (double value : {0.0, 0.5, 0.1, -1e300, 1e-300, 16777217.0, -0.0}) {
    std::string bytes = encode_scalar({1.0, 7}, "loss", value, nullptr);
    EventView event = decode_event(bytes_of(bytes)).value();
    ASSERT_EQ(event.values.size(), 1U);
    const ValueView& view = event.values[0];
    EXPECT_EQ(event.time.step, 7);
    EXPECT_EQ(view.tag, "loss");
    ASSERT_EQ(view.floats.size(), 1U);
    EXPECT_EQ(view.floats[0], static_cast<float>(value));
    EXPECT_EQ(view.exact_value.value_or(view.floats[0]), value);
    EXPECT_EQ(view.exact_value.has_value(), static_cast<double>(static_cast<float>(value)) != value);
  }
}

TEST(Event, ScalarKeepsNanAndInf) {
  const double inf = std::numeric_limits<double>::infinity();
  for (double value : {inf, -inf, std::nan("")}) {
    std::string bytes = encode_scalar({}, "x", value, nullptr);
    float back = decode_event(bytes_of(bytes)).value().values[0].floats.at(0);
    EXPECT_TRUE(std::isnan(value) ? std::isnan(back) : back == value);
  }
}

TEST(Event, StepsOfBothSignsSurvive) {
  for (std::int64_t step : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 40, INT64_MAX, INT64_MIN}) {
    std::string bytes = encode_scalar({0, step}, "x", 1, nullptr);
    EXPECT_EQ(decode_event(bytes_of(bytes)).value().time.step, step);
  }
}

TEST(Event, MetadataSurvives) {
  Metadata metadata{plugin::kHistograms, "content", DataClass::kTensor, "**what**", true};
  std::vector<double> rows = {0, 1, 5, 1, 2, 6};
  std::string bytes = encode_tensor({3, 4}, "h", view(rows, {2, 3}), &metadata);
  std::string copy = bytes;  // views must point into what was given
  const EventView event = decode_event(bytes_of(copy)).value();
  const ValueView& value = event.values.at(0);
  ASSERT_TRUE(value.metadata.has_value());
  EXPECT_EQ(value.metadata->plugin, plugin::kHistograms);
  EXPECT_EQ(value.metadata->content, "content");
  EXPECT_EQ(value.metadata->data_class, DataClass::kTensor);
  EXPECT_EQ(value.metadata->description, "**what**");
  EXPECT_TRUE(value.metadata->derived);
  EXPECT_EQ(value.dtype, DType::kFloat64);
  EXPECT_EQ(value.shape, (Shape{2, 3}));
  EXPECT_EQ(value.tensor_content.size(), 48U);
}

TEST(Event, StringsKeepTheirShapeAndBytes) {
  std::vector<std::string> strings = {"3", "4", std::string("\x89PNG\0\xff", 6)};
  std::string bytes = encode_strings({}, "i", strings, {3}, nullptr);
  const EventView event = decode_event(bytes_of(bytes)).value();
  EXPECT_EQ(event.values[0].shape, Shape{3});
  EXPECT_EQ(event.values[0].dtype, DType::kString);
  ASSERT_EQ(event.values[0].strings.size(), 3U);
  EXPECT_EQ(event.values[0].strings[2], strings[2]);
}

TEST(Event, GraphAndSessionStartSurvive) {
  std::string graph = encode_graph_def({1, 0}, bytes_of("graph"));
  EXPECT_EQ(decode_event(bytes_of(graph)).value().graph_def, "graph");
  std::string start = encode_session_start({1, 80});
  EventView event = decode_event(bytes_of(start)).value();
  EXPECT_EQ(event.session_status, 1);
  EXPECT_EQ(event.time.step, 80);
}

TEST(Event, TruncatedAndDamagedBytesNeverCrash) {
  std::string bytes = encode_scalar({1, 2}, "some tag", 0.1, &kScalarMetadata);
  for (std::size_t n = 0; n < bytes.size(); ++n) (void)decode_event(bytes_of(bytes).first(n)).ok();
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    (void)decode_event(bytes_of(damaged)).ok();
  }
  std::mt19937 random(9);
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string noise(random() % 64, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    refused += decode_event(bytes_of(noise)).ok() ? 0 : 1;
  }
  EXPECT_GT(refused, 10'000);
}

TEST(Event, AKnownFieldOfAnotherWireTypeIsRefused) {
  const std::string step_as_text(
      "\x12\x01"
      "7",
      3);
  EXPECT_EQ(decode_event(bytes_of(step_as_text)).status().code(), StatusCode::kCorrupt);
}

}  // namespace
}  // namespace tensortap::event
