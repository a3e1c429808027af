// Tests of TensorView's count, layout and checks.
#include "tensortap/tensor_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tensortap {
namespace {

using testing::HasSubstr;

const float kElements[24] = {};

TEST(TensorView, CountsElements) {
  EXPECT_EQ(view(kElements, {2, 3, 4}).element_count(), 24u);
  EXPECT_EQ(view(kElements, {}).element_count(), 1u);
  EXPECT_EQ(view(kElements, {2, 0, 4}).element_count(), 0u);
  EXPECT_EQ(view(kElements, {2, 3}).size_bytes(), 24u);
}

TEST(TensorView, PrintsItsShape) {
  EXPECT_EQ(shape_to_string({64, 32}), "[64,32]");
  EXPECT_EQ(shape_to_string({}), "[]");
}

TEST(TensorView, RowMajorStridesAreContiguous) {
  TensorView tensor = view(kElements, {2, 3, 4});
  EXPECT_TRUE(tensor.is_contiguous());
  tensor.strides_bytes = {48, 16, 4};
  EXPECT_TRUE(tensor.is_contiguous());
  tensor.strides_bytes = {48, 4, 12};
  EXPECT_FALSE(tensor.is_contiguous());
}

TEST(TensorView, StridesOfSingleIndicesDoNotMatter) {
  TensorView tensor = view(kElements, {1, 6, 1});
  tensor.strides_bytes = {-7, 4, 1000};
  EXPECT_TRUE(tensor.is_contiguous());
}

TEST(TensorView, ValidViewsAreAccepted) {
  EXPECT_TRUE(view(kElements, {2, 3, 4}).validate().ok());
  EXPECT_TRUE(view(kElements, {}).validate().ok());
  EXPECT_TRUE((TensorView{nullptr, DType::kFloat32, {0, 5}, {}}).validate().ok());
  EXPECT_TRUE((TensorView{nullptr, DType::kInt8, {std::int64_t{1} << 62, 0, 8}, {}}).validate().ok());
  EXPECT_TRUE((TensorView{kElements, DType::kFloat32, {4, 4}, {0, -4}}).validate().ok());
}

void expect_refused(const TensorView& tensor, const std::string& part_of_message) {
  const Status status = tensor.validate();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr(part_of_message));
}

TEST(TensorView, BadViewsAreRefusedWithTheReason) {
  expect_refused({kElements, DType::kFloat32, {2, -3}, {}}, "negative extent at axis 1");
  expect_refused({nullptr, DType::kFloat32, {}, {}}, "null");
  expect_refused({kElements, DType::kString, {1}, {}}, "string");
  expect_refused({kElements, DType::kInvalid, {1}, {}}, "invalid");
  expect_refused({kElements, DType::kFloat32, {2, 3}, {4}}, "needs 2 strides");
}

TEST(TensorView, ProductsThatWouldOverflowAreRefused) {
  const std::int64_t large = std::int64_t{1} << 32;
  expect_refused({kElements, DType::kFloat32, {large, large}, {}}, "2^60");
  expect_refused({kElements, DType::kInt8, {large, large, large}, {}}, "2^60");
  expect_refused({kElements, DType::kFloat64, {std::int64_t{1} << 58}, {}}, "2^60");
  EXPECT_TRUE((TensorView{kElements, DType::kFloat64, {std::int64_t{1} << 57}, {}}).validate().ok());
}

}  // namespace
}  // namespace tensortap
