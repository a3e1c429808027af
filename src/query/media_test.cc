// Media of both versions of summaries come back byte for byte.
#include "query/media.h"

#include <gtest/gtest.h>

#include "event/damage_testutil.h"
#include "event/plugins.h"
#include "query/log_testutil.h"

namespace tensortap::query {
namespace {

using event::DataClass;
using event::from_hex;
using event::Metadata;
using store::Kind;
using Strings = std::vector<std::string>;

const Metadata kImages{event::plugin::kImages, "", DataClass::kBlobSequence, "", false};
const Metadata kAudio{event::plugin::kAudio, "", DataClass::kBlobSequence, "", false};
const Metadata kText{event::plugin::kText, "", DataClass::kTensor, "", false};
const Metadata kKeras{event::plugin::kKerasModel, "1", DataClass::kBlobSequence, "", false};

constexpr const char* kPng =
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c6360606000000004"
    "0001f61738550000000049454e44ae426082";
constexpr const char* kWav =
    "524946462800000057415645666d74201000000001000100401f0000803e000002001000646174610400000000000000";
// tensorboardX: add_image("img", one black pixel, 2)
const std::string kImageRecord =
    from_hex(std::string("09000000000000f83f10022a560a540a03696d67224d0801100118032245") + kPng);
// tensorboardX: add_text("note", "hi", 4)
constexpr const char* kTextRecord =
    "09000000000000f83f10042a2d0a2b0a116e6f74652f746578745f73756d6d617279420c0807120412020801420268694a080a060a04"
    "74657874";
// Event(wall_time=2, step=5, tagged_run_metadata=TaggedRunMetadata(tag="step5", run_metadata=b"\n\0"))
constexpr const char* kRunMetadataRecord = "0900000000000000401005420b0a05737465703512020a00";
// Event(wall_time=2, meta_graph_def=b"\n\2\n\0")
constexpr const char* kMetaGraphRecord = "0900000000000000404a040a020a00";

class MediaTest : public LogTest {
 protected:
  query::Run run() { return open()->find("a").value(); }
  Place at(const std::string& tag, Kind kind, std::int64_t step) { return place("a", tag, kind, step); }
};

TEST_F(MediaTest, ImagesOfTensorFlow2) {
  write_events("a", {event::encode_strings({1, 2}, "img", Strings{"3", "2", "one", "two"}, {4}, &kImages)});
  const Images images = images_at(at("img", Kind::kImages, 2)).value();
  EXPECT_EQ(images.width, 3);
  EXPECT_EQ(images.height, 2);
  EXPECT_EQ(images.encoded, (Strings{"one", "two"}));
}

TEST_F(MediaTest, ImagesOfTensorFlow1) {
  write_events("a", {kImageRecord});
  const Images images = images_at(at("img", Kind::kImages, 2)).value();
  EXPECT_EQ(images.width, 1);
  EXPECT_EQ(images.height, 1);
  EXPECT_EQ(images.encoded, Strings{from_hex(kPng)});
}

TEST_F(MediaTest, SoundsOfTensorFlow2AreWav) {
  write_events("a", {event::encode_strings({1, 2}, "snd", Strings{"x", "", "y", ""}, {2, 2}, &kAudio)});
  const AudioClips clips = audio_at(at("snd", Kind::kAudio, 2)).value();
  EXPECT_EQ(clips.encoded, (Strings{"x", "y"}));
  EXPECT_EQ(clips.content_type, "audio/wav");
  EXPECT_EQ(clips.sample_rate, 0);
}

TEST_F(MediaTest, SoundsOfTensorFlow1KnowTheirRate) {
  // tf.compat.v1.summary.audio("snd", two samples, 8000) at step 3
  write_events("a", {from_hex(std::string("09000000000000f83f10032a4f0a4d0a03736e6432460d0000fa45100118022230") + kWav +
                              "2a09617564696f2f776176")});
  const AudioClips clips = audio_at(at("snd", Kind::kAudio, 3)).value();
  EXPECT_EQ(clips.encoded, Strings{from_hex(kWav)});
  EXPECT_EQ(clips.content_type, "audio/wav");
  EXPECT_EQ(clips.sample_rate, 8000);
}

TEST_F(MediaTest, TextsKeepTheirShape) {
  write_events(
      "a", {event::encode_strings({1, 2}, "note", Strings{"a", "b", "c", "d"}, {2, 2}, &kText), from_hex(kTextRecord)});
  const Text table = text_at(at("note", Kind::kText, 2)).value();
  EXPECT_EQ(table.shape, (Shape{2, 2}));
  EXPECT_EQ(table.strings, (Strings{"a", "b", "c", "d"}));
  EXPECT_EQ(text_at(at("note/text_summary", Kind::kText, 4)).value().strings, Strings{"hi"});
}

TEST_F(MediaTest, GraphsComeInAllForms) {
  write_events("a", {event::encode_graph_def({1, 0}, bytes_of("graph")), from_hex(kMetaGraphRecord),
                     from_hex(kRunMetadataRecord)});
  const Graph graph = graph_at(at("__run_graph__", Kind::kGraphs, 0), run(), "__run_graph__").value();
  EXPECT_EQ(graph.form, GraphForm::kGraphDef);
  EXPECT_EQ(graph.bytes, "graph");
  const Graph meta = graph_at(at("__meta_graph__", Kind::kGraphs, 0), run(), "__meta_graph__").value();
  EXPECT_EQ(meta.form, GraphForm::kMetaGraphDef);
  EXPECT_EQ(meta.bytes, from_hex("0a020a00"));
  const Graph profile = graph_at(at("step5", Kind::kGraphs, 5), run(), "step5").value();
  EXPECT_EQ(profile.form, GraphForm::kRunMetadata);
  EXPECT_EQ(profile.bytes, from_hex("0a00"));
}

TEST_F(MediaTest, AKerasModelIsKnownByTheFirstMetadataOfItsTag) {
  write_events("a", {event::encode_strings({1, 0}, "keras", Strings{"{}"}, {1}, &kKeras),
                     event::encode_strings({2, 1}, "keras", Strings{"{1}"}, {}, nullptr)});
  for (std::int64_t step : {0, 1}) {
    const Graph graph = graph_at(at("keras", Kind::kGraphs, step), run(), "keras").value();
    EXPECT_EQ(graph.form, GraphForm::kKerasModel);
    EXPECT_EQ(graph.bytes, step == 0 ? "{}" : "{1}");
  }
}

TEST_F(MediaTest, ValuesThatAreSomethingElseAreNamedWithTheirPlace) {
  write_events("a", {event::encode_strings({1, 0}, "img", Strings{"wide", "high"}, {2}, &kImages),
                     event::encode_tensor({1, 0}, "note", view<float>(nullptr, {0}), &kText), kImageRecord});
  for (const Status& status :
       {images_at(at("img", Kind::kImages, 0)).status(), text_at(at("note", Kind::kText, 0)).status()}) {
    EXPECT_EQ(status.code(), StatusCode::kCorrupt);
    EXPECT_NE(status.message().find("at offset"), std::string::npos) << status.message();
  }
  EXPECT_EQ(text_at(at("img", Kind::kImages, 2)).status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tensortap::query
