// Near names are found in the order of nearness; far ones are not.
#include "base/near_names.h"

#include <gtest/gtest.h>

namespace tensortap {
namespace {

using Names = std::vector<std::string>;

TEST(NearNames, CaseDoesNotCount) { EXPECT_EQ(near_names("LOSS", Names{"x", "loss"}), Names{"loss"}); }

TEST(NearNames, WholePartsAreFound) {
  EXPECT_EQ(near_names("loss", Names{"train/loss", "val/loss", "train/accuracy"}), (Names{"train/loss", "val/loss"}));
  EXPECT_EQ(near_names("train", Names{"train/loss"}), Names{"train/loss"});
  EXPECT_EQ(near_names("dense", Names{"model/dense/kernel"}), Names{"model/dense/kernel"});
  EXPECT_EQ(near_names("train/loss", Names{"loss"}), Names{"loss"});
}

TEST(NearNames, TypingErrorsAreForgiven) {
  EXPECT_EQ(near_names("accurcay", Names{"accuracy"}), Names{"accuracy"});
  EXPECT_EQ(near_names("los", Names{"loss"}), Names{"loss"});
  EXPECT_EQ(near_names("lsos", Names{"train/loss"}), Names{"train/loss"});
  EXPECT_EQ(near_names("vla/lsos", Names{"val/loss"}), Names{"val/loss"});
}

TEST(NearNames, ShortenedNamesAreFound) {
  EXPECT_EQ(near_names("acc", Names{"val/accuracy", "loss"}), Names{"val/accuracy"});
}

TEST(NearNames, TheNearestComesFirst) {
  EXPECT_EQ(near_names("loss", Names{"lost", "lossy", "train/loss", "Loss"}), (Names{"Loss", "train/loss", "lossy"}));
}

TEST(NearNames, NoMoreThanAskedFor) {
  EXPECT_EQ(near_names("loss", Names{"a/loss", "b/loss", "c/loss", "d/loss"}).size(), 3U);
  EXPECT_EQ(near_names("loss", Names{"a/loss", "b/loss"}, 1), Names{"a/loss"});
  EXPECT_TRUE(near_names("loss", Names{"a/loss"}, 0).empty());
}

TEST(NearNames, NothingIsNearToNothing) {
  EXPECT_TRUE(near_names("loss", Names{"accuracy", "lr"}).empty());
  EXPECT_TRUE(near_names("ab", Names{"cd", "ac"}).empty());
  EXPECT_TRUE(near_names("", Names{"a"}).empty());
  EXPECT_TRUE(near_names("a", Names{""}).empty());
  EXPECT_TRUE(near_names("a", {}).empty());
}

TEST(NearNames, LongNamesAreNoTrouble) {
  const std::string name(100'000, 'a');
  EXPECT_TRUE(near_names(name + "b", Names{name + "c"}).empty());
  EXPECT_EQ(near_names(name, Names{"x/" + name}).size(), 1U);
}

TEST(DidYouMean, AsksWithAllNames) {
  EXPECT_EQ(did_you_mean("loss", Names{"train/loss"}), " Did you mean 'train/loss'?");
  EXPECT_EQ(did_you_mean("loss", Names{"train/loss", "val/loss"}), " Did you mean 'train/loss' or 'val/loss'?");
  EXPECT_EQ(did_you_mean("loss", Names{"a/loss", "b/loss", "c/loss"}), " Did you mean 'a/loss', 'b/loss' or 'c/loss'?");
  EXPECT_EQ(did_you_mean("loss", Names{"x"}), "");
}

}  // namespace
}  // namespace tensortap
