// Site: requests to answers, without a socket.
#include "server/http/site.h"

#include <gtest/gtest.h>

#include <array>

#include "format/gzip.h"

namespace tensortap::server {
namespace {

constexpr const char* kToken = "0123456789abcdef";

std::string field(const Answer& answer, std::string_view name) {
  std::string found;
  for (const auto& [each, value] : answer.headers) {
    if (each == name) found += found.empty() ? value : "," + value;
  }
  return found;
}

class SiteTest : public testing::Test {
 protected:
  SiteTest() {
    router_.get("/api/v1/runs", [](const Request&) {
      Response response;
      response.body = std::string(4000, 'r');
      return response;
    });
    router_.get("/api/v1/clip", [](const Request&) {
      Response response;
      response.content_type = "audio/wav";
      response.etag = "\"clip\"";
      response.body = std::make_shared<const std::string>("0123456789");
      return response;
    });
    router_.get("/api/v1/long", [](const Request&) {
      Response response;
      response.content_type = "text/csv; charset=utf-8";
      response.body = BodyStream([left = 3]() mutable -> Result<std::optional<std::string>> {
        if (left-- == 0) return std::optional<std::string>();
        return std::optional<std::string>("piece,");
      });
      return response;
    });
    router_.get("/api/v1/html", [](const Request&) {
      Response response;
      response.content_type = "text/html";
      response.body = std::string("<script>alert(1)</script>");
      return response;
    });
    router_.add("/api/v1/preferences", {Method::kGet, Method::kPatch}, [](const Request& request) {
      Response response;
      response.body = request.body;
      return response;
    });
  }

  Site site(std::string token = "", std::string prefix = "") const {
    return Site({{std::move(token), "tensortap-6007", {"lab.example"}, false}, std::move(prefix)}, page_, router_);
  }
  static Incoming get(std::string target) {
    Incoming incoming;
    incoming.method = "GET";
    incoming.target = std::move(target);
    incoming.host = "localhost:6007";
    return incoming;
  }

  const std::string packed_ = format::gzip("<title>page</title>");
  const std::array<PageAsset, 2> assets_ = {{
      {"assets/a-12345678.js", "text/javascript; charset=utf-8", "\"js\"", true, packed_},
      {"index.html", "text/html; charset=utf-8", "\"index\"", false, packed_},
  }};
  const Page page_{assets_, ""};
  Router router_;
};

TEST_F(SiteTest, ThePageComesCompressedOrNot) {
  Incoming incoming = get("/");
  const Answer plain = site().answer(incoming);
  EXPECT_EQ(plain.bytes(), "<title>page</title>");
  EXPECT_EQ(field(plain, "Content-Encoding"), "");
  EXPECT_EQ(field(plain, "Cache-Control"), "no-cache");
  incoming.accept_encoding = "gzip";
  const Answer packed = site().answer(incoming);
  EXPECT_EQ(packed.bytes(), packed_);
  EXPECT_EQ(field(packed, "Content-Encoding"), "gzip");
  EXPECT_EQ(field(packed, "Vary"), "Accept-Encoding");
}

TEST_F(SiteTest, FilesWithAHashMayBeKept) {
  EXPECT_EQ(field(site().answer(get("/assets/a-12345678.js")), "Cache-Control"), "public, max-age=31536000, immutable");
  EXPECT_EQ(site().answer(get("/assets/b.js")).status, 404U);
}

TEST_F(SiteTest, WhatTheClientHasIsNotSentAgain) {
  Incoming page = get("/"), clip = get("/api/v1/clip");
  page.if_none_match = "\"index\"";
  clip.if_none_match = "W/\"clip\"";
  EXPECT_EQ(site().answer(page).status, 304U);
  const Answer answer = site().answer(clip);
  EXPECT_EQ(answer.status, 304U);
  EXPECT_EQ(field(answer, "ETag"), "\"clip\"");
  EXPECT_TRUE(answer.bytes().empty());
}

TEST_F(SiteTest, LongAnswersAreCompressedForThoseWhoTakeIt) {
  Incoming incoming = get("/api/v1/runs");
  EXPECT_EQ(site().answer(incoming).bytes().size(), 4000U);
  incoming.accept_encoding = "gzip, br";
  const Answer answer = site().answer(incoming);
  EXPECT_EQ(field(answer, "Content-Encoding"), "gzip");
  EXPECT_EQ(format::gunzip(answer.bytes(), 5000).value(), std::string(4000, 'r'));
}

TEST_F(SiteTest, StreamsAreCompressedAsTheyGo) {
  Incoming incoming = get("/api/v1/long");
  incoming.accept_encoding = "gzip";
  const Answer answer = site().answer(incoming);
  std::string packed;
  for (auto piece = answer.stream(); piece.value().has_value(); piece = answer.stream()) packed += **piece;
  EXPECT_EQ(format::gunzip(packed, 100).value(), "piece,piece,piece,");
}

TEST_F(SiteTest, RangesOfClips) {
  Incoming incoming = get("/api/v1/clip");
  incoming.range = "bytes=2-4";
  const Answer part = site().answer(incoming);
  EXPECT_EQ(part.status, 206U);
  EXPECT_EQ(part.bytes(), "234");
  EXPECT_EQ(field(part, "Content-Range"), "bytes 2-4/10");
  incoming.if_range = "\"older\"";
  EXPECT_EQ(site().answer(incoming).status, 200U);
  incoming.if_range = "";
  incoming.range = "bytes=10-";
  EXPECT_EQ(site().answer(incoming).status, 416U);
}

TEST_F(SiteTest, UnknownTypesAreSavedNotShown) {
  const Answer answer = site().answer(get("/api/v1/html"));
  EXPECT_EQ(field(answer, "Content-Type"), "application/octet-stream");
  EXPECT_TRUE(field(answer, "Content-Disposition").starts_with("attachment"));
}

TEST_F(SiteTest, EveryAnswerIsHarmless) {
  for (const char* target :
       {"/", "/nothing", "/api/v1/runs", "/api/v1/nothing", "/..", "/?token=x", "/api/v1/events"}) {
    for (const char* token : {"", kToken}) {
      const Answer answer = site(token).answer(get(target));
      EXPECT_NE(field(answer, "Content-Security-Policy").find("default-src 'none'"), std::string::npos) << target;
      EXPECT_EQ(field(answer, "X-Content-Type-Options"), "nosniff") << target;
      EXPECT_EQ(field(answer, "Referrer-Policy"), "no-referrer") << target;
      EXPECT_EQ(field(answer, "Cross-Origin-Resource-Policy"), "same-origin") << target;
      EXPECT_EQ(field(answer, "Access-Control-Allow-Origin"), "") << target;
    }
  }
}

TEST_F(SiteTest, TheTokenLinkLeavesACookieAndItselfOut) {
  const Answer answer = site(kToken, "/x").answer(get(std::string("/x/?a=1&token=") + kToken + "&b=%20"));
  EXPECT_EQ(answer.status, 303U);
  EXPECT_EQ(field(answer, "Location"), "/x/?a=1&b=%20");
  EXPECT_EQ(field(answer, "Set-Cookie"),
            std::string("tensortap-6007=") + kToken + "; Path=/x/; HttpOnly; SameSite=Strict");
}

TEST_F(SiteTest, WithoutTheTokenNothingIsShown) {
  for (const char* target : {"/", "/?token=wrong", "/assets/a-12345678.js", "/api/v1/runs", "/api/v1/events",
                             "/api/v1/runs?token=0123456789abcdef"}) {
    const Answer answer = site(kToken).answer(get(target));
    EXPECT_EQ(answer.status, 401U) << target;
    EXPECT_EQ(field(answer, "Set-Cookie"), "") << target;
  }
}

TEST_F(SiteTest, ALinkOfAnotherSiteIsFollowedOnceMoreWithTheCookie) {
  Incoming incoming = get("/");
  incoming.fetch_site = "cross-site";
  incoming.fetch_mode = "navigate";
  EXPECT_EQ(field(site(kToken).answer(incoming), "Refresh"), "0");
  incoming.fetch_site = "same-origin";
  EXPECT_EQ(field(site(kToken).answer(incoming), "Refresh"), "");
}

TEST_F(SiteTest, OtherSitesMayLinkButNotLoad) {
  for (const char* from : {"cross-site", "same-site"}) {
    for (const auto& [target, mode, status] :
         {std::tuple("/", "navigate", 200U), std::tuple("/", "no-cors", 403U),
          std::tuple("/api/v1/runs", "navigate", 403U), std::tuple("/api/v1/runs", "cors", 403U)}) {
      Incoming incoming = get(target);
      incoming.fetch_site = from;
      incoming.fetch_mode = mode;
      EXPECT_EQ(site().answer(incoming).status, status) << from << target << mode;
    }
  }
}

TEST_F(SiteTest, MethodsThatAreNoneAreRefused) {
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", ""}) {
    Incoming incoming = get("/api/v1/runs");
    incoming.method = method;
    const Answer answer = site().answer(incoming);
    EXPECT_EQ(answer.status, 405U) << method;
    EXPECT_EQ(field(answer, "Allow"), "GET, HEAD") << method;
  }
}

TEST_F(SiteTest, PatchesNeedARouteAndJson) {
  Incoming incoming = get("/api/v1/preferences");
  incoming.method = "PATCH";
  incoming.body = "{}";
  for (const char* type : {"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"}) {
    incoming.content_type = type;
    EXPECT_EQ(site().answer(incoming).status, 415U) << type;
  }
  incoming.content_type = "application/json; charset=utf-8";
  EXPECT_EQ(site().answer(incoming).bytes(), "{}");
  incoming.origin = "http://evil.example";
  EXPECT_EQ(site().answer(incoming).status, 403U);
  incoming.origin = "";
  for (const char* target : {"/", "/api/v1/runs", "/api/v1/events"}) {
    incoming.target = target;
    EXPECT_EQ(site().answer(incoming).status, target == kLivePath ? 404U : 405U) << target;
  }
}

TEST_F(SiteTest, ThePrefixIsAskedFor) {
  EXPECT_EQ(site("", "/x/y").answer(get("/x/y/api/v1/runs")).status, 200U);
  EXPECT_EQ(site("", "/x/y").answer(get("/x/y/")).status, 200U);
  for (const char* outside : {"/", "/x", "/x/yy/", "/api/v1/runs", "/y/x/"}) {
    EXPECT_EQ(site("", "/x/y").answer(get(outside)).status, 404U) << outside;
  }
  const Answer answer = site("", "/x/y").answer(get("/x/y"));
  EXPECT_EQ(answer.status, 308U);
  EXPECT_EQ(field(answer, "Location"), "/x/y/");
}

TEST_F(SiteTest, TheStreamOfChangesIsLiveForGetOnly) {
  Incoming incoming = get("/api/v1/events");
  EXPECT_TRUE(site().answer(incoming).is_live);
  incoming.method = "HEAD";
  EXPECT_FALSE(site().answer(incoming).is_live);
}

}  // namespace
}  // namespace tensortap::server
