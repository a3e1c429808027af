// Which texts count as UTF-8.
#include "base/utf8.h"

#include <gtest/gtest.h>

namespace tensortap {
namespace {

TEST(Utf8, AcceptsEveryLengthOfSequence) {
  EXPECT_TRUE(is_valid_utf8(""));
  EXPECT_TRUE(is_valid_utf8("loss"));
  EXPECT_TRUE(is_valid_utf8("\xC3\xA9"));          // U+00E9
  EXPECT_TRUE(is_valid_utf8("\xE2\x82\xAC"));      // U+20AC
  EXPECT_TRUE(is_valid_utf8("\xF0\x9F\x98\x80"));  // U+1F600
  EXPECT_TRUE(is_valid_utf8("\xF4\x8F\xBF\xBF"));  // U+10FFFF
}

TEST(Utf8, RefusesWhatTheStandardRefuses) {
  EXPECT_FALSE(is_valid_utf8("\x80"));              // lone continuation
  EXPECT_FALSE(is_valid_utf8("\xC0\xAF"));          // overlong '/'
  EXPECT_FALSE(is_valid_utf8("\xE0\x80\xAF"));      // overlong, three bytes
  EXPECT_FALSE(is_valid_utf8("\xED\xA0\x80"));      // surrogate
  EXPECT_FALSE(is_valid_utf8("\xF4\x90\x80\x80"));  // above U+10FFFF
  EXPECT_FALSE(is_valid_utf8("\xFF"));
}

TEST(Utf8, RefusesEveryTruncation) {
  const std::string_view text = "\xF0\x9F\x98\x80";
  for (std::size_t n = 1; n < text.size(); ++n) EXPECT_FALSE(is_valid_utf8(text.substr(0, n))) << n;
}

}  // namespace
}  // namespace tensortap
