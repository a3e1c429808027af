// Which tags a run takes.
#include "recorder/tag_table.h"

#include <gtest/gtest.h>

namespace tensortap::recorder {
namespace {

std::string error_of(TagTable& table, std::string_view name, std::string_view kind = "scalars") {
  return table.find_or_add(name, kind).status().message();
}

TEST(TagTable, ANameIsOneTag) {
  TagTable table;
  Tag* loss = table.find_or_add("loss", "scalars").value();
  Tag* other = table.find_or_add("accuracy", "scalars").value();
  EXPECT_EQ(table.find_or_add("loss", "scalars").value(), loss);
  EXPECT_NE(loss->number, other->number);
}

TEST(TagTable, RefusesWhatNoFileMayHold) {
  TagTable table;
  EXPECT_EQ(error_of(table, ""), "a tag must not be empty");
  EXPECT_NE(error_of(table, std::string(4097, 'x')).find("this one has 4097"), std::string::npos);
  EXPECT_EQ(error_of(table, "\xff"), "a tag must be valid UTF-8");
  EXPECT_NE(error_of(table, std::string_view("a\0b", 3)), "");
}

TEST(TagTable, TakesAnyOtherTag) {
  TagTable table;
  for (std::string name :
       {std::string(4096, 'x'), std::string("../x"), std::string("a b\n\"c\""), std::string("\xC3\xA9")}) {
    EXPECT_EQ(error_of(table, name), "") << name;
  }
}

TEST(TagTable, ATagOfOneKindCannotBecomeAnother) {
  TagTable table;
  ASSERT_TRUE(table.find_or_add("x", "scalars").ok());
  EXPECT_NE(error_of(table, "x", "images").find("'x' already holds scalars"), std::string::npos);
  EXPECT_TRUE(table.find_or_add("x", "").ok());
}

TEST(TagTable, ACapturedTagMayStillGetAKind) {
  TagTable table;
  ASSERT_TRUE(table.find_or_add("w", "").ok());
  EXPECT_TRUE(table.find_or_add("w", "histograms").ok());
  EXPECT_FALSE(table.find_or_add("w", "scalars").ok());
}

}  // namespace
}  // namespace tensortap::recorder
