// What is recorded of a variable's change.
#include <gtest/gtest.h>

#include <cmath>

#include "recorder/payload.h"

namespace tensortap::recorder {
namespace {

class HeldSink : public Sink {
 public:
  Status stats(const CaptureInfo&, const event::CapturedStats& stats) override {
    held = stats;
    return {};
  }
  Status scalar(const CaptureInfo&, double value) override {
    ratio = value;
    return {};
  }
  event::CapturedStats held;
  double ratio = -1;
};

Status deliver(const TensorView& before, const TensorView& after, HeldSink& sink) {
  auto [change, ratio] = update_payloads(before, after);
  Status prepared = change->prepare();
  if (!prepared.ok()) return prepared;
  EXPECT_TRUE(change->deliver({}, sink).ok());
  return ratio->deliver({}, sink);
}

TEST(UpdatePayloads, AreTheChangeAndItsNormRelativeToTheWeights) {
  std::vector<float> before(3000, 2.0F), after(3000, 2.5F);
  after[0] = 2.0F;
  HeldSink sink;
  ASSERT_TRUE(deliver(view(before, {30, 100}), view(after, {30, 100}), sink).ok());
  EXPECT_EQ(sink.held.dtype, DType::kFloat32);
  EXPECT_EQ(sink.held.shape, (Shape{30, 100}));
  EXPECT_EQ(sink.held.stats.zeros, 1U);
  EXPECT_EQ(sink.held.stats.max, 0.5);
  EXPECT_DOUBLE_EQ(sink.ratio, std::sqrt(2999 * 0.25) / std::sqrt(3000 * 4.0));
}

TEST(UpdatePayloads, KeepDoublesAsDoubles) {
  std::vector<double> before = {1.0}, after = {1.0 + 1e-12};
  HeldSink sink;
  ASSERT_TRUE(deliver(view(before), view(after), sink).ok());
  EXPECT_EQ(sink.held.dtype, DType::kFloat64);
  EXPECT_EQ(sink.held.stats.max, after[0] - before[0]);
}

TEST(UpdatePayloads, OfAZeroVariableHaveNoFiniteRatio) {
  std::vector<float> before = {0, 0}, after = {1, 0};
  HeldSink sink;
  ASSERT_TRUE(deliver(view(before), view(after), sink).ok());
  EXPECT_TRUE(std::isinf(sink.ratio));
}

TEST(UpdatePayloads, RefuseAVariableOfAnotherShape) {
  std::vector<float> before = {0, 0}, after = {1};
  HeldSink sink;
  EXPECT_FALSE(deliver(view(before), view(after), sink).ok());
}

}  // namespace
}  // namespace tensortap::recorder
