// What callers rely on in Status and Result.
#include "tensortap/status.h"

#include <gtest/gtest.h>

#include <memory>

#include "tensortap/result.h"

namespace tensortap {
namespace {

TEST(Status, SuccessCarriesNoMessage) {
  Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::kOk);
  EXPECT_EQ(status.message(), "");
  EXPECT_EQ(status.to_string(), "ok");
}

TEST(Status, ErrorSaysItsCodeInWords) {
  Status status(StatusCode::kIo, "cannot create runs/a: Permission denied");
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.to_string(), "io error: cannot create runs/a: Permission denied");
}

TEST(Status, CopiesShareTheMessage) {
  Status status(StatusCode::kCorrupt, "bad");
  Status copy = status;
  EXPECT_EQ(&copy.message(), &status.message());
}

TEST(Result, HoldsAMoveOnlyValue) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(7));
  ASSERT_TRUE(result.ok());
  std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 7);
}

TEST(Result, HandsOnTheError) {
  Result<int> result(Status(StatusCode::kNotFound, "no such run"));
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.status().code(), StatusCode::kNotFound);
}

TEST(ResultDeathTest, ValueOfAnErrorEndsTheProgramWithItsMessage) {
  Result<int> result(Status(StatusCode::kNotFound, "no such run"));
  EXPECT_DEATH((void)result.value(), "no such run");
}

}  // namespace
}  // namespace tensortap
