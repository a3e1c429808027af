// JSON: brackets, escapes, numbers that read back.
#include "format/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace tensortap::format {
namespace {

TEST(JsonWriter, PutsCommasAndColonsWhereTheyBelong) {
  JsonWriter json;
  json.begin_object();
  json.member("a", 1);
  json.list("b", std::vector<double>{0.5, 2});
  json.key("c");
  json.begin_array();
  json.begin_object();
  json.end_object();
  json.null();
  json.value(true);
  json.end_array();
  json.member("d", std::numeric_limits<std::uint64_t>::max());
  json.end_object();
  EXPECT_EQ(json.take(), R"({"a":1,"b":[0.5,2],"c":[{},null,true],"d":18446744073709551615})");
}

TEST(JsonWriter, LaysOutLinesForReaders) {
  JsonWriter json(JsonLayout::kOneLine);
  json.begin_object(JsonLayout::kLines);
  json.member("a", "x");
  json.list("b", std::vector<int>{1, 2});
  json.end_object();
  EXPECT_EQ(json.take(), "{\n  \"a\": \"x\",\n  \"b\": [1, 2]\n}\n");
}

TEST(JsonWriter, WritesNumbersThatReadBackAsTheSame) {
  for (double number : {0.1, 1.0 / 3, 1e300, -5e-324, 123456789.125, 0x1.fffffffffffffp1023}) {
    JsonWriter json;
    json.value(number);
    EXPECT_EQ(std::strtod(json.text().c_str(), nullptr), number) << json.text();
  }
}

TEST(JsonWriter, HasWordsForWhatIsNoNumber) {
  JsonWriter json;
  json.list(std::vector<double>{std::nan(""), std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity()});
  EXPECT_EQ(json.take(), R"(["NaN","Infinity","-Infinity"])");
}

TEST(JsonWriter, EscapesWhatTextMayNotHold) {
  JsonWriter json;
  json.value(std::string_view("a\"b\\c\n\t\0d\x1b", 10));
  EXPECT_EQ(json.take(), R"("a\"b\\c\n\u0009\u0000d\u001b")");
  json.value("\xE6\x97\xA5 \xC3\xBC");
  EXPECT_EQ(json.take(), "\"\xE6\x97\xA5 \xC3\xBC\"");
  json.value("\xff\xe6");
  EXPECT_EQ(json.take(), R"("\ufffd\ufffd")");
  json.value("\xE2\x80\xAE");
  EXPECT_EQ(json.take(), R"("\u202e")");
}

}  // namespace
}  // namespace tensortap::format
