// Scanning finds what decoding finds, and the short way what the long way finds.
#include "event/event_scan.h"

#include <gtest/gtest.h>

#include <cstring>

#include "event/damage_testutil.h"
#include "event/plain_scalar.h"
#include "event/tensor_proto.h"

namespace tensortap::event {
namespace {

const Metadata kMetadata{"scalars", "content", DataClass::kScalar, "**what**", false, ""};

// Of tf.summary.scalar("train/loss", 0.25, step=3), TensorFlow 2.21.
const char kTensorFlowScalar[] =
    "096bf16d5ba0beda4110032a270a250a0a747261696e2f6c6f7373420a0801120022040000803e4a0b0a090a077363616c617273";

// The one value of a summary.
ScannedValue only_value(const ScannedEvent& event) {
  SummaryCursor cursor(event.body);
  ScannedValue value, none;
  EXPECT_TRUE(cursor.next(value));
  EXPECT_FALSE(cursor.next(none));
  EXPECT_FALSE(cursor.damaged());
  return value;
}

TEST(EventScan, FindsTimeTagTensorAndMetadata) {
  const std::string record = encode_scalar({12.5, 34}, "loss", 0.1, &kMetadata);
  ScannedEvent event;
  ASSERT_TRUE(scan_event(record, event));
  EXPECT_EQ(event.form, EventForm::kSummary);
  EXPECT_EQ(event.time.wall_secs, 12.5);
  EXPECT_EQ(event.time.step, 34);
  const ScannedValue value = only_value(event);
  EXPECT_EQ(value.tag, "loss");
  EXPECT_EQ(value.form, ValueForm::kTensor);
  EXPECT_TRUE(value.has_exact_value);
  EXPECT_EQ(value.exact_value, 0.1);
  EXPECT_EQ(scalar_of_tensor(value.body), static_cast<double>(0.1F));
  Metadata metadata;
  ASSERT_TRUE(scan_metadata(value.metadata, metadata));
  EXPECT_EQ(metadata.plugin, "scalars");
  EXPECT_EQ(metadata.content, "content");
  EXPECT_EQ(metadata.description, "**what**");
  EXPECT_EQ(metadata.data_class, DataClass::kScalar);
}

TEST(EventScan, TellsTheFormsOfEventsApart) {
  ScannedEvent event;
  const std::string version = encode_file_version(1);
  ASSERT_TRUE(scan_event(version, event));
  EXPECT_EQ(event.form, EventForm::kFileVersion);
  EXPECT_EQ(event.body, "brain.Event:2");
  const std::string start = encode_session_start({1, -5});
  ASSERT_TRUE(scan_event(start, event));
  EXPECT_EQ(event.form, EventForm::kSessionLog);
  EXPECT_EQ(event.time.step, -5);
  EXPECT_EQ(session_status_of(event.body), 1);
  const std::string graph = encode_graph_def({1, 0}, bytes_of("graph"));
  ASSERT_TRUE(scan_event(graph, event));
  EXPECT_EQ(event.form, EventForm::kGraphDef);
  EXPECT_EQ(event.body, "graph");
}

TEST(EventScan, ReadsVersionOneValues) {
  // Event{wall_time: 1, step: 2, summary{value{tag: "x", simple_value: 1.5}}}
  const std::string record = from_hex("09000000000000f03f10022a0a0a080a0178150000c03f");
  ScannedEvent event;
  ASSERT_TRUE(scan_event(record, event));
  const ScannedValue value = only_value(event);
  EXPECT_EQ(value.form, ValueForm::kSimple);
  EXPECT_EQ(value.simple_value, 1.5F);
  PlainScalar plain;
  ASSERT_TRUE(scan_plain_scalar(record, plain));
  EXPECT_TRUE(plain.is_simple);
  EXPECT_EQ(plain.simple_value, 1.5F);
  EXPECT_EQ(plain.time.step, 2);
}

TEST(PlainScalar, RecognisesWhatWritersWrite) {
  PlainScalar plain;
  const std::string theirs = from_hex(kTensorFlowScalar);
  ASSERT_TRUE(scan_plain_scalar(theirs, plain));
  EXPECT_EQ(plain.time.step, 3);
  ASSERT_TRUE(scan_plain_scalar(encode_scalar({1, 1}, "x", 0.5, nullptr), plain));
  EXPECT_FALSE(plain.has_exact_value);
  const std::string long_tag = encode_scalar({1, 0}, std::string(300, 'x'), 0.1, nullptr);
  ASSERT_TRUE(scan_plain_scalar(long_tag, plain));
  EXPECT_EQ(plain.tag.size(), 300U);
  EXPECT_EQ(plain.exact_value, 0.1);
  EXPECT_FALSE(scan_plain_scalar(encode_file_version(1), plain));
  EXPECT_FALSE(scan_plain_scalar(encode_scalar({1, -1}, "x", 0.5, nullptr), plain));  // left to the long way
}

TEST(PlainScalar, WheneverItRecognisesARecordTheLongWayFindsTheSame) {
  for (const std::string& whole : {from_hex(kTensorFlowScalar), encode_scalar({1.5, 7}, "loss", 0.1, nullptr),
                                   encode_scalar({1.5, 7000000}, "loss", 2, nullptr),
                                   from_hex("09000000000000f03f10022a0a0a080a0178150000c03f")}) {
    std::size_t recognised = 0;
    auto compare = [&](std::string_view record) {
      PlainScalar plain;
      if (!scan_plain_scalar(record, plain)) return;
      ++recognised;
      ScannedEvent event;
      ASSERT_TRUE(scan_event(record, event));
      // A NaN that damage made is still the same bits.
      EXPECT_EQ(std::memcmp(&event.time, &plain.time, sizeof plain.time), 0);
      const ScannedValue value = only_value(event);
      EXPECT_EQ(value.tag, plain.tag);
      EXPECT_EQ(value.form == ValueForm::kSimple, plain.is_simple);
      if (!plain.is_simple) {
        EXPECT_EQ(value.body, plain.tensor);
        EXPECT_EQ(value.has_exact_value, plain.has_exact_value);
      }
      EXPECT_EQ(value.metadata, plain.metadata);
    };
    compare(whole);
    decode_damaged(whole, compare);
    EXPECT_GT(recognised, 0U);
  }
}

TEST(EventScan, SurvivesEveryCutAndFlippedBit) {
  decode_damaged(encode_scalar({1.5, 7}, "loss", 0.1, &kMetadata), [](std::string_view record) {
    ScannedEvent event;
    if (!scan_event(record, event)) return;
    SummaryCursor cursor(event.body);
    ScannedValue value;
    Metadata metadata;
    while (cursor.next(value)) (void)scan_metadata(value.metadata, metadata);
  });
}

}  // namespace
}  // namespace tensortap::event
