// Tests of names of files: patterns, and text from outside made safe.
#include "recorder/sinks/file_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "recorder/sinks/safe_name.h"

namespace tensortap::recorder {
namespace {

constexpr std::array<std::string_view, 4> kPlaceholders{"epoch", "step", "name", "tag"};

Result<FilePattern> parse(std::string_view text) { return FilePattern::parse(text, kPlaceholders, ".npy"); }

TEST(FilePattern, FillsInWhatIsKnown) {
  const FilePattern pattern = parse("{epoch}/step-{step}_{name}.npy").value();
  EXPECT_EQ(pattern.stem({{"epoch", "3"}, {"step", "12"}, {"name", "x"}}), "3/step-12_x");
  EXPECT_EQ(pattern.stem({{"epoch", ""}, {"step", "12"}}), "none/step-12_none");
  EXPECT_TRUE(pattern.uses("epoch"));
  EXPECT_FALSE(pattern.uses("tag"));
  EXPECT_EQ(pattern.depth(), 1);
  EXPECT_EQ(parse("epoch_{epoch}").value().stem({{"epoch", "3"}}), "epoch_3");
}

TEST(FilePattern, KnowsTheFilesThatItMakes) {
  const FilePattern pattern = parse("epoch_{epoch}_{name}.npy").value();
  for (const char* name : {"epoch_0_x.npy", "epoch_12_a_b.npy", "epoch_none_x.npy", "epoch_1_x_step_5_0_2.npy"}) {
    EXPECT_TRUE(pattern.matches(name)) << name;
  }
  for (const char* name : {"epoch_x_y.npy", "epoch_0_x.png", "my_epoch_0_x.npy", "a/epoch_0_x.npy", "epoch_0_x+npy"}) {
    EXPECT_FALSE(pattern.matches(name)) << name;
  }
  EXPECT_TRUE(parse("(a)+{epoch}").value().matches("(a)+7.npy"));
  for (const char* name : {"12.npy", "-3.npy", "none.npy", "12_4.npy", "1_step_-2_4.npy"}) {
    EXPECT_TRUE(parse("{epoch}").value().matches(name)) << name;
  }
  for (const char* name : {".npy", "-.npy", "12_.npy", "12_-4.npy", "12_step_.npy", "x12.npy", "1/2.npy"}) {
    EXPECT_FALSE(parse("{epoch}").value().matches(name)) << name;
  }
  EXPECT_TRUE(parse("{tag}_{epoch}{step}").value().matches("a/b_3_17.npy"));
}

TEST(FilePattern, RefusesPlaceholdersThatAreNoneAndNamesThoseThatAre) {
  for (const char* text : {"{batch}.npy", "a{", "a}", "{epoch", "{}", "{ep{och}}"}) {
    const Status status = parse(text).status();
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(status.message(), testing::HasSubstr("{epoch}, {step}, {name}, {tag}"));
  }
}

TEST(FilePattern, NeverLeavesItsDirectory) {
  for (const char* text : {"/tmp/{epoch}", "../{epoch}", "a/../{epoch}", "a//{epoch}", "./x", "a/", "", ".npy"}) {
    EXPECT_EQ(parse(text).status().code(), StatusCode::kInvalidArgument) << text;
  }
}

TEST(SafeName, KeepsWhatFileSystemsLike) {
  EXPECT_EQ(safe_name("activations/conv_1#2"), "activations_conv_1#2");
  EXPECT_EQ(safe_name("Schicht Größe"), "Schicht_Größe");
  EXPECT_EQ(safe_name("../x"), "_._x");
  EXPECT_EQ(safe_name(""), "_");
  EXPECT_EQ(safe_name("a\nb\x1b\xff"), "a_b__");
}

TEST(SafeName, TellsLongNamesApart) {
  const std::string one = safe_name(std::string(300, 'x') + "1"), two = safe_name(std::string(300, 'x') + "2");
  EXPECT_NE(one, two);
  EXPECT_LT(one.size(), 140U);
  EXPECT_EQ(one, safe_name(std::string(300, 'x') + "1"));
}

}  // namespace
}  // namespace tensortap::recorder
