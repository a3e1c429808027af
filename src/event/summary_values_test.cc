// Summary values of both versions come out the same; damaged ones are refused, never crash.
#include "event/summary_values.h"

#include <gtest/gtest.h>

#include "event/damage_testutil.h"

namespace tensortap::event {
namespace {

using Doubles = std::vector<double>;

// tf.summary.histogram("h", [0., 1., 1., 3.], buckets=3)
constexpr const char* kHistogramTensor =
    "08021208120208031202080322480000000000000000000000000000f03f000000000000f03f000000000000f03f0000000000000040"
    "000000000000004000000000000000400000000000000840000000000000f03f";
// summary_pb2.HistogramProto(min=0.5, max=3, num=5, sum=8, sum_squares=15, bucket_limit=[0, 1, 2, 4, DBL_MAX],
// bucket=[0, 1, 0, 4, 0])
constexpr const char* kHistogramV1 =
    "09000000000000e03f110000000000000840190000000000001440210000000000002040290000000000002e40322800000000000000"
    "00000000000000f03f00000000000000400000000000001040ffffffffffffef7f3a280000000000000000000000000000f03f000000"
    "000000000000000000000010400000000000000000";
// tf.compat.v1.summary.histogram("h", [0., 1., 1., 3.])
constexpr const char* kHistogramV1OfTensorFlow =
    "1100000000000008401900000000000010402100000000000014402900000000000026403238000000000000000011ea2d819997713d"
    "08996919155aed3f2b14facdbe24f03f68bc10359a0707400d9cc5a029550940ffffffffffffef7f3a38000000000000000000000000"
    "0000f03f000000000000000000000000000000400000000000000000000000000000f03f0000000000000000";
constexpr const char* kPng =
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a4944415408996360000000020001f47164"
    "a60000000049454e44ae426082";
constexpr const char* kWav =
    "524946462800000057415645666d74201000000001000100401f0000803e00000200100064617461040000000000"
    "0000";

// tf.summary.image and tf.compat.v1.summary.image of one black pixel.
std::string image_tensor() { return from_hex(std::string("08071204120208034201314201314243") + kPng); }
std::string image_v1() { return from_hex(std::string("0801100118012243") + kPng); }
// tf.summary.audio and tf.compat.v1.summary.audio of two samples at 8000 Hz.
std::string audio_tensor() { return from_hex(std::string("0807120812020801120208024230") + kWav + "4200"); }
std::string audio_v1() { return from_hex(std::string("0d0000fa45100118022230") + kWav + "2a09617564696f2f776176"); }

TEST(HistogramValue, TensorRowsAreReadAsTensorFlowWritesThem) {
  HistogramRows rows = histogram_of_tensor(from_hex(kHistogramTensor)).value();
  EXPECT_EQ(rows.left, (Doubles{0, 1, 2}));
  EXPECT_EQ(rows.right, (Doubles{1, 2, 3}));
  EXPECT_EQ(rows.count, (Doubles{1, 2, 1}));
}

TEST(HistogramValue, FloatRowsAreReadToo) {
  // tf.make_tensor_proto(np.array([[0, 1, 3]], np.float32))
  HistogramRows rows = histogram_of_tensor(from_hex("080112081202080112020803220c000000000000803f00004040")).value();
  EXPECT_EQ(rows.left, Doubles{0});
  EXPECT_EQ(rows.right, Doubles{1});
  EXPECT_EQ(rows.count, Doubles{3});
}

TEST(HistogramValue, NoRowsAreNoBuckets) {
  EXPECT_TRUE(histogram_of_tensor(from_hex("08021206120012020803")).value().left.empty());
}

TEST(HistogramValue, OtherTensorsAreRefused) {
  EXPECT_EQ(histogram_of_tensor(from_hex("08011204120208032a0400004040")).status().code(), StatusCode::kCorrupt);
  EXPECT_EQ(histogram_of_tensor(from_hex("080312081202080112020803220c000000000000803f00004040")).status().code(),
            StatusCode::kCorrupt);
}

TEST(HistogramValue, V1LosesItsEmptyEndsAndItsEndlessEdges) {
  HistogramRows rows = histogram_of_v1(from_hex(kHistogramV1)).value();
  // What data_compat.migrate_value makes of it.
  EXPECT_EQ(rows.left, (Doubles{0.5, 1, 2}));
  EXPECT_EQ(rows.right, (Doubles{1, 2, 3}));
  EXPECT_EQ(rows.count, (Doubles{1, 0, 4}));
}

TEST(HistogramValue, V1OfTensorFlowIsRead) {
  HistogramRows rows = histogram_of_v1(from_hex(kHistogramV1OfTensorFlow)).value();
  ASSERT_EQ(rows.count, (Doubles{1, 0, 2, 0, 1}));
  EXPECT_EQ(rows.left.front(), 0);
  EXPECT_EQ(rows.right.back(), 3);
  for (std::size_t i = 0; i + 1 < rows.left.size(); ++i) EXPECT_EQ(rows.right[i], rows.left[i + 1]);
}

TEST(HistogramValue, V1WithoutCountsHasNoBuckets) {
  EXPECT_TRUE(histogram_of_v1("").value().left.empty());
  EXPECT_TRUE(histogram_of_v1(from_hex("3a080000000000000000")).value().left.empty());
}

TEST(HistogramValue, V1ListsMayBeUnpacked) {
  // bucket_limit 1, bucket 2, min 0.5
  HistogramRows rows = histogram_of_v1(from_hex("09000000000000e03f31000000000000f03f390000000000000040")).value();
  EXPECT_EQ(rows.left, Doubles{0.5});
  EXPECT_EQ(rows.right, Doubles{0});  // max is not given
  EXPECT_EQ(rows.count, Doubles{2});
}

TEST(HistogramValue, V1WithTooFewLimitsIsDamage) {
  EXPECT_EQ(histogram_of_v1(from_hex("3a10000000000000f03f000000000000f03f")).status().code(), StatusCode::kCorrupt);
}

TEST(ImageValue, BothVersionsComeOutTheSame) {
  const std::string v1 = image_v1(), v2 = image_tensor();
  for (const ImagesView& images : {images_of_v1(v1).value(), images_of_tensor(v2).value()}) {
    EXPECT_EQ(images.width, 1);
    EXPECT_EQ(images.height, 1);
    ASSERT_EQ(images.encoded.size(), 1U);
    EXPECT_EQ(images.encoded[0], from_hex(kPng));
  }
}

TEST(ImageValue, WidthAndHeightAreNotMixedUp) {
  ImagesView v1 = images_of_v1(from_hex("08031002220178")).value();
  EXPECT_EQ(v1.height, 3);
  EXPECT_EQ(v1.width, 2);
  const std::string tensor = from_hex("0807120412020804420132420133420178420179");
  ImagesView v2 = images_of_tensor(tensor).value();
  EXPECT_EQ(v2.width, 2);
  EXPECT_EQ(v2.height, 3);
  EXPECT_EQ(v2.encoded, (std::vector<std::string_view>{"x", "y"}));
}

TEST(ImageValue, WhatIsNoImageIsRefused) {
  EXPECT_EQ(images_of_tensor(from_hex("0807120412020802420132420178")).status().code(), StatusCode::kCorrupt);
  EXPECT_EQ(images_of_tensor(from_hex("0807120412020801420132")).status().code(), StatusCode::kCorrupt);
  EXPECT_EQ(images_of_tensor(from_hex("0807120412020809420132420133")).status().code(), StatusCode::kCorrupt);
  EXPECT_EQ(images_of_tensor(from_hex("080112002a040000003f")).status().code(), StatusCode::kCorrupt);
  EXPECT_EQ(images_of_v1(from_hex("08ffffffffffffffffff01")).status().code(), StatusCode::kCorrupt);
}

TEST(AudioValue, V1SaysItsRateAndType) {
  const std::string bytes = audio_v1();
  AudioView audio = audio_of_v1(bytes).value();
  EXPECT_EQ(audio.sample_rate, 8000);
  EXPECT_EQ(audio.content_type, "audio/wav");
  ASSERT_EQ(audio.encoded.size(), 1U);
  EXPECT_EQ(audio.encoded[0], from_hex(kWav));
}

TEST(AudioValue, TensorClipsComeWithoutTheirLabels) {
  const std::string bytes = audio_tensor();
  AudioView audio = audio_of_tensor(bytes).value();
  EXPECT_EQ(audio.sample_rate, 0);
  ASSERT_EQ(audio.encoded.size(), 1U);
  EXPECT_EQ(audio.encoded[0], from_hex(kWav));
}

TEST(AudioValue, ClipsWithoutLabelsAreRead) {
  const std::string bytes = from_hex("0807120412020802420178420179");
  EXPECT_EQ(audio_of_tensor(bytes).value().encoded, (std::vector<std::string_view>{"x", "y"}));
  EXPECT_TRUE(audio_of_tensor(from_hex("080712021200")).value().encoded.empty());
}

TEST(AudioValue, OtherShapesAreRefused) {
  EXPECT_EQ(audio_of_tensor(from_hex("08071200420178")).status().code(), StatusCode::kCorrupt);
  EXPECT_EQ(audio_of_tensor(from_hex("080712081202080112020803420178420178420178")).status().code(),
            StatusCode::kCorrupt);
}

TEST(SummaryValues, DamageIsRefusedOrReadButNeverCrashes) {
  const auto decode_all = [](std::string_view bytes) {
    const char* end = bytes.data() + bytes.size();
    const auto within = [&](std::string_view view) {
      return view.empty() || (view.data() >= bytes.data() && view.data() + view.size() <= end);
    };
    for (const auto& rows : {histogram_of_tensor(bytes), histogram_of_v1(bytes)}) {
      if (!rows.ok()) continue;
      EXPECT_EQ(rows.value().left.size(), rows.value().count.size());
    }
    for (const auto& images : {images_of_tensor(bytes), images_of_v1(bytes)}) {
      if (!images.ok()) continue;
      for (std::string_view view : images.value().encoded) EXPECT_TRUE(within(view));
    }
    for (const auto& audio : {audio_of_tensor(bytes), audio_of_v1(bytes)}) {
      if (!audio.ok()) continue;
      for (std::string_view view : audio.value().encoded) EXPECT_TRUE(within(view));
    }
  };
  for (const std::string& bytes :
       {from_hex(kHistogramTensor), from_hex(kHistogramV1), image_tensor(), image_v1(), audio_tensor(), audio_v1()}) {
    decode_damaged(bytes, decode_all);
  }
}

}  // namespace
}  // namespace tensortap::event
