// Tests of DType's sizes, names and numbers.
#include "tensortap/dtype.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tensortap {
namespace {

using testing::HasSubstr;

TEST(DType, EveryNumberWithANameComesBackFromIt) {
  int known = 0;
  for (std::uint64_t number = 0; number < 300; ++number) {
    const DType dtype = dtype_from_number(number);
    if (dtype == DType::kInvalid) continue;
    ++known;
    EXPECT_EQ(static_cast<std::uint64_t>(dtype), number);
    Result<DType> again = dtype_from_name(dtype_name(dtype));
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again.value(), dtype);
  }
  EXPECT_EQ(known, 23);
}

TEST(DType, NumbersWithoutATypeAreInvalid) {
  for (const std::uint64_t number : {0ull, 11ull, 16ull, 31ull, 101ull, ~0ull}) {
    EXPECT_EQ(dtype_from_number(number), DType::kInvalid) << number;
  }
}

TEST(DType, SizesAreThoseOfTheElements) {
  EXPECT_EQ(dtype_size_bytes(DType::kFloat32), 4u);
  EXPECT_EQ(dtype_size_bytes(DType::kBfloat16), 2u);
  EXPECT_EQ(dtype_size_bytes(DType::kComplex128), 16u);
  EXPECT_EQ(dtype_size_bytes(DType::kInt4), 1u);
  EXPECT_EQ(dtype_size_bytes(DType::kString), 0u);
  EXPECT_EQ(dtype_size_bytes(DType::kInvalid), 0u);
  EXPECT_EQ(dtype_size_bytes(static_cast<DType>(200)), 0u);
}

TEST(DType, AnUnknownNameIsRefusedWithTheListOfNames) {
  const Result<DType> result = dtype_from_name("float31");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(result.status().message(), HasSubstr("float31"));
  EXPECT_THAT(result.status().message(), HasSubstr("float8_e4m3b11fnuz"));
  EXPECT_THAT(result.status().message(), HasSubstr("complex128"));
}

TEST(DType, InvalidIsNoNameToAskFor) { EXPECT_FALSE(dtype_from_name("invalid").ok()); }

}  // namespace
}  // namespace tensortap
