// AnswerHeaders: what clients accept, and what leaves the server.
#include "server/http/answer_headers.h"

#include <gtest/gtest.h>

namespace tensortap::server {
namespace {

TEST(AnswerHeaders, GzipOnlyForThoseWhoTakeIt) {
  for (const char* accepted :
       {"gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.5", "*", "identity;q=0, *;q=0.1", "x-gzip"})
    EXPECT_TRUE(accepts_gzip(accepted)) << accepted;
  for (const char* refused : {"", "br", "gzip;q=0", "gzip; q=0.000", "identity", "gzipped", "*;q=0", "*, gzip;q=0"})
    EXPECT_FALSE(accepts_gzip(refused)) << refused;
}

TEST(AnswerHeaders, ETagsMatchWeakly) {
  EXPECT_TRUE(matches_etag("\"a\"", "\"a\""));
  EXPECT_TRUE(matches_etag("W/\"a\"", "\"a\""));
  EXPECT_TRUE(matches_etag("\"b\", W/\"a\"", "W/\"a\""));
  EXPECT_TRUE(matches_etag("*", "\"a\""));
  EXPECT_FALSE(matches_etag("\"ab\"", "\"a\""));
  EXPECT_FALSE(matches_etag("", "\"a\""));
  EXPECT_FALSE(matches_etag("*", ""));
}

TEST(AnswerHeaders, RangesOfBytes) {
  using Range = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(byte_range("bytes=0-9", 100), Range(0, 9));
  EXPECT_EQ(byte_range("bytes=90-", 100), Range(90, 99));
  EXPECT_EQ(byte_range("bytes=-10", 100), Range(90, 99));
  EXPECT_EQ(byte_range("bytes=-1000", 100), Range(0, 99));
  EXPECT_EQ(byte_range("bytes=50-1000", 100), Range(50, 99));
  EXPECT_EQ(byte_range("bytes=100-", 100), Range(1, 0));
  EXPECT_EQ(byte_range("bytes=-0", 100), Range(1, 0));
  EXPECT_EQ(byte_range("bytes=0-", 0), Range(1, 0));
  for (const char* whole : {"", "bytes=", "bytes=-", "bytes=a-b", "bytes=0-1,5-6", "bytes=9-5", "items=0-1",
                            "bytes=99999999999999999999999-", "bytes=1--2"}) {
    EXPECT_EQ(byte_range(whole, 100), std::nullopt) << whole;
  }
}

TEST(AnswerHeaders, NamesOfFilesCannotBreakOut) {
  EXPECT_EQ(content_disposition("a.csv"), "attachment; filename=\"a.csv\"; filename*=UTF-8''a.csv");
  const std::string odd = content_disposition("a/..\"\r\nSet-Cookie: x=\xc3\xb6.csv");
  EXPECT_EQ(odd.find_first_of("\r\n"), std::string::npos);
  EXPECT_EQ(odd.find('/'), std::string::npos);
  EXPECT_NE(odd.find("%C3%B6.csv"), std::string::npos);
}

TEST(AnswerHeaders, OnlyHarmlessTypesAreKnown) {
  for (const char* type : {"application/json", "text/csv; charset=utf-8", "image/png", "audio/wav"})
    EXPECT_TRUE(is_known_type(type)) << type;
  for (const char* type : {"", "text/html", "image/svg+xml", "application/xhtml+xml", "text/javascript", "text/xml"})
    EXPECT_FALSE(is_known_type(type)) << type;
}

TEST(AnswerHeaders, PoliciesAllowNothingUnsafe) {
  for (const bool is_page : {true, false}) {
    Headers headers;
    add_safety_headers(headers, is_page);
    ASSERT_EQ(headers[0].first, "Content-Security-Policy");
    EXPECT_NE(headers[0].second.find("default-src 'none'"), std::string::npos);
    EXPECT_EQ(headers[0].second.find("unsafe"), std::string::npos);
    EXPECT_EQ(headers[0].second.find('*'), std::string::npos);
  }
}

}  // namespace
}  // namespace tensortap::server
