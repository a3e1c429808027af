// Glob patterns match what they should, in bounded time.
#include "base/glob.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <string>

namespace tensortap {
namespace {

TEST(Glob, WithoutWildcardsItIsTheName) {
  EXPECT_TRUE(glob_matches("train/loss", "train/loss"));
  EXPECT_FALSE(glob_matches("train/loss", "train/los"));
  EXPECT_FALSE(glob_matches("train/loss", "train/losses"));
  EXPECT_FALSE(glob_matches("Loss", "loss"));
  EXPECT_TRUE(glob_matches("", ""));
  EXPECT_FALSE(glob_matches("", "a"));
}

TEST(Glob, AStarStaysWithinAPart) {
  EXPECT_TRUE(glob_matches("*", "loss"));
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_FALSE(glob_matches("*", "train/loss"));
  EXPECT_TRUE(glob_matches("*/loss", "train/loss"));
  EXPECT_FALSE(glob_matches("*/loss", "a/b/loss"));
  EXPECT_TRUE(glob_matches("layer*/kernel*", "layer12/kernel:0"));
  EXPECT_TRUE(glob_matches("*a*b*", "xaxbx"));
  EXPECT_FALSE(glob_matches("*a*b*", "xbxax"));
}

TEST(Glob, TwoStarsCrossParts) {
  EXPECT_TRUE(glob_matches("**", "a/b/c"));
  EXPECT_TRUE(glob_matches("**", ""));
  EXPECT_TRUE(glob_matches("**loss", "a/b/closs"));
  EXPECT_TRUE(glob_matches("a**z", "a/b/z"));
  EXPECT_TRUE(glob_matches("***", "a/b"));
}

TEST(Glob, TwoStarsAndASlashAreAnyNumberOfParts) {
  EXPECT_TRUE(glob_matches("**/loss", "loss"));
  EXPECT_TRUE(glob_matches("**/loss", "a/b/loss"));
  EXPECT_FALSE(glob_matches("**/loss", "a/closs"));
  EXPECT_TRUE(glob_matches("a/**/b", "a/b"));
  EXPECT_TRUE(glob_matches("a/**/b", "a/x/y/b"));
  EXPECT_FALSE(glob_matches("a/**/b", "ab"));
  EXPECT_FALSE(glob_matches("a/**/b", "a/xb"));
  EXPECT_TRUE(glob_matches("**/a*/b", "x/ac/a/b"));
}

TEST(Glob, SlashAndTwoStarsAreWhatIsBelow) {
  EXPECT_TRUE(glob_matches("train/**", "train/a"));
  EXPECT_TRUE(glob_matches("train/**", "train/a/b"));
  EXPECT_FALSE(glob_matches("train/**", "train"));
  EXPECT_FALSE(glob_matches("train/**", "training/a"));
}

TEST(Glob, AQuestionMarkIsOneCharacter) {
  EXPECT_TRUE(glob_matches("l?ss", "loss"));
  EXPECT_FALSE(glob_matches("l?ss", "lss"));
  EXPECT_FALSE(glob_matches("a?b", "a/b"));
  EXPECT_TRUE(glob_matches("?", "é"));
  EXPECT_TRUE(glob_matches("??", "é漢"));
  EXPECT_FALSE(glob_matches("??", "é"));
  EXPECT_FALSE(glob_matches("*??", "é"));
  EXPECT_TRUE(glob_matches("?", "\xff"));
}

TEST(Glob, BracketsAreOneOfTheirCharacters) {
  EXPECT_TRUE(glob_matches("[abc]", "b"));
  EXPECT_FALSE(glob_matches("[abc]", "d"));
  EXPECT_TRUE(glob_matches("layer[0-9]", "layer7"));
  EXPECT_FALSE(glob_matches("layer[0-9]", "layerx"));
  EXPECT_TRUE(glob_matches("[!a]", "b"));
  EXPECT_TRUE(glob_matches("[^a]", "b"));
  EXPECT_FALSE(glob_matches("[!a]", "a"));
  EXPECT_FALSE(glob_matches("a[!b]c", "a/c"));
  EXPECT_FALSE(glob_matches("a[/]c", "a/c"));
  EXPECT_TRUE(glob_matches("[]]", "]"));
  EXPECT_TRUE(glob_matches("[a-]", "-"));
  EXPECT_TRUE(glob_matches("[à-ü]", "é"));
  EXPECT_TRUE(glob_matches("*[0-9]", "layer12"));
}

TEST(Glob, AnOpenBracketThatNothingClosesIsItself) {
  EXPECT_TRUE(glob_matches("a[b", "a[b"));
  EXPECT_TRUE(glob_matches("[", "["));
  EXPECT_TRUE(glob_matches("[]", "[]"));
  EXPECT_TRUE(glob_matches("[!", "[!"));
  EXPECT_FALSE(glob_matches("[a-", "a"));
}

TEST(Glob, ABackslashTakesTheMeaningAway) {
  EXPECT_TRUE(glob_matches("a\\*b", "a*b"));
  EXPECT_FALSE(glob_matches("a\\*b", "axb"));
  EXPECT_TRUE(glob_matches("loss\\[0]", "loss[0]"));
  EXPECT_TRUE(glob_matches("[\\]]", "]"));
  EXPECT_TRUE(glob_matches("\\\\", "\\"));
  EXPECT_TRUE(glob_matches("\\é", "é"));
  EXPECT_TRUE(glob_matches("a\\", "a\\"));
}

TEST(Glob, WildcardsAreToldFromPlainNames) {
  EXPECT_FALSE(glob_has_wildcard("train/loss"));
  for (const char* pattern : {"*", "a?", "[a]", "a\\*"}) EXPECT_TRUE(glob_has_wildcard(pattern)) << pattern;
}

TEST(Glob, ManyStarsOnALongNameTakeNoTime) {
  const std::string name(100'000, 'a');
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(glob_matches("*a*a*a*a*a*a*a*a*b", name));
  EXPECT_FALSE(glob_matches("**a**a**a**a**a**b", name));
  EXPECT_FALSE(glob_matches("**a*a*a*a*a*b", name));
  EXPECT_TRUE(glob_matches("*a*a*a*a*a*a*a*a*", name));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

// The definition, word for word and exponential; of patterns out of "a/*?".
bool matches_slowly(std::string_view pattern, std::string_view name, bool part_start) {
  if (pattern.empty()) return name.empty();
  if (pattern.starts_with("**")) {
    std::size_t stars = pattern.find_first_not_of('*');
    if (stars == std::string_view::npos) return true;
    std::string_view rest = pattern.substr(stars);
    const bool whole_parts = part_start && rest[0] == '/';
    if (whole_parts) rest.remove_prefix(1);
    for (std::size_t i = 0; i <= name.size(); ++i) {
      const bool may_resume = !whole_parts || i == 0 || name[i - 1] == '/';
      if (may_resume && matches_slowly(rest, name.substr(i), whole_parts)) return true;
    }
    return false;
  }
  if (pattern[0] == '*') {
    for (std::size_t i = 0; i <= name.size(); ++i) {
      if (matches_slowly(pattern.substr(1), name.substr(i), false)) return true;
      if (i < name.size() && name[i] == '/') break;
    }
    return false;
  }
  if (name.empty() || (pattern[0] == '?' ? name[0] == '/' : pattern[0] != name[0])) return false;
  return matches_slowly(pattern.substr(1), name.substr(1), pattern[0] == '/');
}

TEST(Glob, AgreesWithItsDefinitionOnRandomPatterns) {
  std::mt19937 random(1);
  const auto draw = [&](std::string_view alphabet, std::size_t most) {
    std::string text(random() % (most + 1), ' ');
    for (char& c : text) c = alphabet[random() % alphabet.size()];
    return text;
  };
  int matched = 0;
  for (int i = 0; i < 300'000; ++i) {
    const std::string pattern = draw("ab/***?", 8), name = draw("aab/", 9);
    const bool expected = matches_slowly(pattern, name, true);
    matched += expected ? 1 : 0;
    ASSERT_EQ(glob_matches(pattern, name), expected) << pattern << " on " << name;
  }
  EXPECT_GT(matched, 1000);
}

}  // namespace
}  // namespace tensortap
