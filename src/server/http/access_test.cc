// Access: matrices of hosts, origins and tokens.
#include "server/http/access.h"

#include <gtest/gtest.h>

namespace tensortap::server {
namespace {

AccessRules rules(std::vector<std::string> hosts = {}, bool any_address = false) {
  return {"0123456789abcdef", "tensortap-6007", std::move(hosts), any_address};
}

TEST(Access, LoopbackNamesAreOwnAtAnyPort) {
  for (const char* host : {"localhost", "localhost:6007", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:6007", "127.1.2.3:80",
                           "[::1]", "[::1]:6007"}) {
    EXPECT_TRUE(is_own_host(rules(), host)) << host;
  }
}

TEST(Access, AZeroInAnAddressHidesNothingBehindIt) {
  using namespace std::string_view_literals;
  for (const std::string_view host : {"[::1\0/@evil.example]"sv, "[::\0]:60"sv, "127.0.0.1\0.evil.example"sv}) {
    EXPECT_EQ(host_of(host), "");
    EXPECT_FALSE(is_own_host(rules({}, true), host));
  }
}

TEST(Access, OtherNamesAreNot) {
  for (const char* host : {"",
                           "evil.example",
                           "localhost.evil.example",
                           "evil.example:6007",
                           "127.0.0.1.evil.example",
                           "localhost:6007:1",
                           "localhost:",
                           "localhost:x",
                           "localhost:123456",
                           "user@localhost",
                           "localhost/",
                           "10.0.0.1",
                           "0.0.0.0",
                           "[::2]",
                           "[::1",
                           "::1",
                           "[::1]x",
                           "[localhost]",
                           "127.0.0.1 evil",
                           "2130706433",
                           "127.1",
                           "0177.0.0.1",
                           "localhost.",
                           "127.evil.example"}) {
    EXPECT_FALSE(is_own_host(rules(), host)) << host;
  }
}

TEST(Access, NamesThatWereGivenAreOwn) {
  EXPECT_TRUE(is_own_host(rules({"lab.example"}), "Lab.Example:443"));
  EXPECT_FALSE(is_own_host(rules({"lab.example"}), "x.lab.example"));
}

TEST(Access, AllAddressesAreOwnWhereTheNetworkMayLook) {
  EXPECT_TRUE(is_own_host(rules({}, true), "10.0.0.1:6007"));
  EXPECT_TRUE(is_own_host(rules({}, true), "[fe80::1]:6007"));
  EXPECT_FALSE(is_own_host(rules({}, true), "evil.example"));
}

TEST(Access, OnlyTheSameOriginIsOwn) {
  EXPECT_TRUE(is_own_origin(rules(), "http://localhost:6007", "localhost:6007"));
  EXPECT_TRUE(is_own_origin(rules(), "https://localhost:6007", "LOCALHOST:6007"));
  EXPECT_TRUE(is_own_origin(rules({"lab.example"}), "https://lab.example", "127.0.0.1:6007"));
  for (const char* origin :
       {"null", "", "http://", "localhost:6007", "http://localhost", "http://localhost:6008", "http://127.0.0.1:6007",
        "http://evil.example", "http://localhost:6007.evil.example", "http://localhost:6007/",
        "http://localhost:6007@evil.example", "file://localhost:6007", "chrome-extension://localhost:6007"}) {
    EXPECT_FALSE(is_own_origin(rules(), origin, "localhost:6007")) << origin;
  }
}

TEST(Access, TheTokenOpens) {
  EXPECT_TRUE(shows_token(rules(), "Bearer 0123456789abcdef", ""));
  EXPECT_TRUE(shows_token(rules(), "bearer  0123456789abcdef ", ""));
  EXPECT_TRUE(shows_token(rules(), "", "tensortap-6007=0123456789abcdef"));
  EXPECT_TRUE(shows_token(rules(), "", "a=b; tensortap-6007=0123456789abcdef; c=d"));
  EXPECT_TRUE(shows_token(rules(), "", "tensortap-6007=old; tensortap-6007=0123456789abcdef"));
}

TEST(Access, NothingElseDoes) {
  for (const char* header : {"", "Bearer", "Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdefg",
                             "Bearer 0123456789ABCDEF", "Basic 0123456789abcdef", "0123456789abcdef"}) {
    EXPECT_FALSE(shows_token(rules(), header, "")) << header;
  }
  for (const char* cookies : {"tensortap-6008=0123456789abcdef", "tensortap-6007=", "tensortap-6007",
                              "xtensortap-6007=0123456789abcdef", "tensortap-6007 =0123456789abcdef"}) {
    EXPECT_FALSE(shows_token(rules(), "", cookies)) << cookies;
  }
}

TEST(Access, WithoutATokenEverybodyMay) { EXPECT_TRUE(shows_token({}, "", "")); }

TEST(Access, TokensAreRandomAndPassTheirOwnCheck) {
  const std::string one = make_token(), other = make_token();
  EXPECT_EQ(one.size(), 32U);
  EXPECT_NE(one, other);
  EXPECT_TRUE(check_token(one).ok());
  for (const char* token : {"", "short", "has space in it", "semi;colon;semi",
                            "gr\xc3\xb6\xc3\x9f"
                            "er-than",
                            "a=b=c=d=e"}) {
    EXPECT_FALSE(check_token(token).ok()) << token;
  }
}

}  // namespace
}  // namespace tensortap::server
