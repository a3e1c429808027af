// Target: what is decoded, and what is refused.
#include "server/http/target.h"

#include <gtest/gtest.h>

namespace tensortap::server {
namespace {

StatusCode code_of(std::string_view target) { return parse_target(target).status().code(); }

TEST(Target, SplitsPathAndParameters) {
  auto target = parse_target("/api/v1/scalars?run=a%2Fb&tag=loss&run=c+d%2B");
  ASSERT_TRUE(target.ok());
  EXPECT_EQ(target->path, "/api/v1/scalars");
  EXPECT_EQ(target->parameters.all("run"), (std::vector<std::string>{"a/b", "c d+"}));
  EXPECT_EQ(*target->parameters.find("tag"), "loss");
  EXPECT_EQ(target->parameters.find("kind"), nullptr);
}

TEST(Target, DecodesUtf8InPathAndParameters) {
  auto target = parse_target("/gr%C3%B6%C3%9Fe?tag=%E2%82%AC");
  ASSERT_TRUE(target.ok());
  EXPECT_EQ(target->path, "/größe");
  EXPECT_EQ(*target->parameters.find("tag"), "€");
}

TEST(Target, PlusIsASpaceInParametersOnly) {
  auto target = parse_target("/a+b?x=a+b");
  ASSERT_TRUE(target.ok());
  EXPECT_EQ(target->path, "/a+b");
  EXPECT_EQ(*target->parameters.find("x"), "a b");
}

TEST(Target, EmptyPiecesAndMissingValues) {
  auto target = parse_target("/?&a&&b=&=c&");
  ASSERT_TRUE(target.ok());
  const std::vector<std::pair<std::string, std::string>> expected = {{"a", ""}, {"b", ""}, {"", "c"}};
  EXPECT_EQ(target->parameters.items(), expected);
}

TEST(Target, RefusesWhatClimbs) {
  for (const char* path : {"/..", "/../x", "/a/../b", "/a/..", "/./a", "/%2e%2e/x", "/a/%2E%2E", "/%2e/", "/..%2fx",
                           "/a%2f..%2fb", "//etc/passwd", "/a//b", "/\\..\\x", "/a%5c..%5cb"}) {
    EXPECT_EQ(code_of(path), StatusCode::kInvalidArgument) << path;
  }
}

TEST(Target, AllowsDotsInsideNames) {
  for (const char* path : {"/...", "/a..b", "/.a", "/a.", "/assets/index-1.2.js", "/a/"}) {
    EXPECT_EQ(code_of(path), StatusCode::kOk) << path;
  }
}

TEST(Target, RefusesBadPercentSigns) {
  for (const char* path : {"/%", "/%1", "/%zz", "/%0", "/a?b=%", "/a?b=%4", "/a?%g1=2"}) {
    EXPECT_EQ(code_of(path), StatusCode::kInvalidArgument) << path;
  }
}

TEST(Target, RefusesNulControlCharactersAndBadUtf8) {
  for (const char* path : {"/%00", "/a%0d%0ab", "/a%7f", "/%ff", "/%c0%ae", "/a?b=%00", "/a?b=%ed%a0%80"}) {
    EXPECT_EQ(code_of(path), StatusCode::kInvalidArgument) << path;
  }
}

TEST(Target, RefusesOtherForms) {
  for (const char* target : {"", "a", "*", "http://localhost/", "localhost:80", "/a#b", "?a=b"}) {
    EXPECT_EQ(code_of(target), StatusCode::kInvalidArgument) << target;
  }
}

TEST(Parameters, AreAtMost4096) {
  std::string query;
  for (int i = 0; i < 4096; ++i) query += "a=1&";
  EXPECT_TRUE(Parameters::parse(query).ok());
  EXPECT_EQ(Parameters::parse(query + "a=1").status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tensortap::server
