// Histograms keep every bucket through their compact bytes.
#include "event/histogram_codec.h"

#include <gtest/gtest.h>

#include <random>

namespace tensortap::event {
namespace {

Histogram make(std::vector<std::uint16_t> keys, std::vector<std::uint64_t> counts) {
  Histogram histogram;
  histogram.keys = std::move(keys);
  histogram.counts = std::move(counts);
  return histogram;
}

void expect_round_trip(const Histogram& histogram) {
  Histogram back;
  ASSERT_TRUE(decode_buckets(encode_buckets(histogram), back).ok());
  EXPECT_EQ(back.keys, histogram.keys);
  EXPECT_EQ(back.counts, histogram.counts);
}

TEST(HistogramCodec, RoundTripsEdgesOfTheGrid) {
  expect_round_trip(make({}, {}));
  expect_round_trip(make({0}, {1}));
  expect_round_trip(make({Histogram::kKeys - 1}, {UINT64_MAX}));
  expect_round_trip(make({0, 1, 2, 100, 101, 4095}, {1, 2, 3, 1, 128, 1}));
}

TEST(HistogramCodec, RoundTripsRandomHistograms) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    Histogram histogram;
    for (int key = 0; key < Histogram::kKeys; ++key) {
      if (random() % 7 < static_cast<std::uint64_t>(round % 7)) {
        histogram.keys.push_back(static_cast<std::uint16_t>(key));
        histogram.counts.push_back((random() >> (random() % 64)) | 1);
      }
    }
    expect_round_trip(histogram);
  }
}

TEST(HistogramCodec, ADenseRunOfSmallCountsCostsOneByteEach) {
  Histogram histogram;
  for (std::uint16_t key = 1000; key < 1100; ++key) {
    histogram.keys.push_back(key);
    histogram.counts.push_back(100);
  }
  EXPECT_LE(encode_buckets(histogram).size(), 104U);
}

TEST(HistogramCodec, RandomBytesNeverLeaveTheGrid) {
  std::mt19937 random(5);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes(random() % 40, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    Histogram histogram;
    if (!decode_buckets(bytes, histogram).ok()) continue;
    for (std::size_t i = 0; i < histogram.keys.size(); ++i) {
      ASSERT_LT(histogram.keys[i], Histogram::kKeys);
      ASSERT_GT(histogram.counts[i], 0U);
      if (i > 0) {
        ASSERT_GT(histogram.keys[i], histogram.keys[i - 1]);
      }
    }
  }
}

}  // namespace
}  // namespace tensortap::event
