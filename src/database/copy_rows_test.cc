// Rows as PostgreSQL's COPY wants them, byte by byte.
#include "database/copy_rows.h"

#include <gtest/gtest.h>

namespace tensortap::database {
namespace {

using namespace std::string_literals;

std::string encoded(std::vector<Cell> cells) {
  std::string out;
  append_copy_row(out, {TableId::kScalars, std::move(cells)});
  return out;
}

TEST(CopyRows, BeginsAndEndsAsTheFormatSays) {
  EXPECT_EQ(copy_begin(), "PGCOPY\n\xFF\r\n\0\0\0\0\0\0\0\0\0"s);
  EXPECT_EQ(copy_end(), "\xFF\xFF"s);
}

TEST(CopyRows, NumbersAreBigEndianAndNullHasNoBytes) {
  EXPECT_EQ(encoded({std::int64_t{-2}, Cell()}), "\0\2\0\0\0\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFE\xFF\xFF\xFF\xFF"s);
  EXPECT_EQ(encoded({1.0}), "\0\1\0\0\0\x08\x3F\xF0\0\0\0\0\0\0"s);
}

TEST(CopyRows, TextsAreTakenAsTheyAreButForZeroBytes) {
  EXPECT_EQ(encoded({"a\t\\\n"s}), "\0\1\0\0\0\4a\t\\\n"s);
  EXPECT_EQ(encoded({"a\0b"s}),
            "\0\1\0\0\0\5a\xEF\xBF\xBD"
            "b"s);
  EXPECT_EQ(encoded({Blob{"a\0b"s}}), "\0\1\0\0\0\3a\0b"s);
}

TEST(CopyRows, ListsAreArraysOfOneDimension) {
  EXPECT_EQ(encoded({std::vector<double>{1.0}}),
            "\0\1\0\0\0\x20"
            "\0\0\0\1\0\0\0\0\0\0\x02\xBD"
            "\0\0\0\1\0\0\0\1"
            "\0\0\0\x08\x3F\xF0\0\0\0\0\0\0"s);
  EXPECT_EQ(encoded({std::vector<double>{}}), "\0\1\0\0\0\x0C\0\0\0\0\0\0\0\0\0\0\x02\xBD"s);
}

}  // namespace
}  // namespace tensortap::database
