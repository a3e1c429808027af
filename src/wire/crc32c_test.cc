// CRC-32C against known values and against itself.
#include "wire/crc32c.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace tensortap::wire {
namespace {

TEST(Crc32c, MatchesPublishedVectors) {
  EXPECT_EQ(crc32c(bytes_of("")), 0U);
  EXPECT_EQ(crc32c(bytes_of("123456789")), 0xe3069283U);  // RFC 3720's check value
  EXPECT_EQ(crc32c(bytes_of(std::string(32, '\0'))), 0x8a9136aaU);
  EXPECT_EQ(crc32c(bytes_of(std::string(32, '\xff'))), 0x62a8ab43U);
}

TEST(Crc32c, MaskIsTheOneOfTFRecord) {
  // An all-zero header is never a valid record: the masked CRC of eight zero bytes is not zero.
  EXPECT_EQ(mask_crc(crc32c(bytes_of(std::string(8, '\0')))), 0x07980329U);
  EXPECT_EQ(mask_crc(crc32c(bytes_of("\x1a\x11"
                                     "CRC test, one two"))),
            0x5794d08aU);
}

TEST(Crc32c, NativeEqualsPortableAtEveryLengthAndAlignment) {
  std::mt19937 random(1);
  std::string text(3000, '\0');  // more than three lanes, several times
  for (char& c : text) c = static_cast<char>(random());
  for (std::size_t start = 0; start < 9; ++start) {
    for (std::size_t length = 0; length + start <= text.size(); length += 1 + length / 16) {
      Bytes bytes = bytes_of(std::string_view(text).substr(start, length));
      ASSERT_EQ(crc32c(bytes), extend_crc32c_portable(0, bytes)) << start << " " << length;
    }
  }
}

TEST(Crc32c, ExtendsOverPieces) {
  const std::string_view text = "one record in several pieces";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_EQ(extend_crc32c(crc32c(bytes_of(text.substr(0, cut))), bytes_of(text.substr(cut))), crc32c(bytes_of(text)));
  }
}

}  // namespace
}  // namespace tensortap::wire
