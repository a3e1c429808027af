// Router: who answers, and what is said when nobody does.
#include "server/http/router.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace tensortap::server {
namespace {

std::string text_of(const Response& response) { return std::get<std::string>(response.body); }

class RouterTest : public testing::Test {
 protected:
  RouterTest() {
    router_.get("/api/v1/runs", [](const Request& request) {
      Response response;
      response.body = "runs of " + request.path;
      return response;
    });
    router_.add("/api/v1/preferences", {Method::kGet, Method::kPatch}, [](const Request& request) {
      Response response;
      response.body = request.body;
      return response;
    });
    router_.get("/throws", [](const Request&) -> Response { throw std::runtime_error("no \"luck\""); });
    router_.get("/hungry", [](const Request&) -> Response { throw std::bad_alloc(); });
  }

  Response ask(Method method, std::string path, std::string body = "") const {
    return router_.dispatch({method, std::move(path), {}, std::move(body)});
  }

  Router router_;
};

TEST_F(RouterTest, GetAndHeadReachTheHandler) {
  EXPECT_EQ(text_of(ask(Method::kGet, "/api/v1/runs")), "runs of /api/v1/runs");
  EXPECT_EQ(ask(Method::kHead, "/api/v1/runs").status, 200U);
  EXPECT_EQ(text_of(ask(Method::kPatch, "/api/v1/preferences", "x")), "x");
}

TEST_F(RouterTest, OtherMethodsAreToldWhichThereAre) {
  const Response response = ask(Method::kPatch, "/api/v1/runs");
  EXPECT_EQ(response.status, 405U);
  ASSERT_EQ(response.headers.size(), 1U);
  EXPECT_EQ(response.headers[0].first, "Allow");
  EXPECT_EQ(response.headers[0].second, "GET, HEAD");
  EXPECT_EQ(router_.allowed("/api/v1/preferences"), "GET, HEAD, PATCH");
}

TEST_F(RouterTest, UnknownPathsAre404WithNearNames) {
  const Response response = ask(Method::kGet, "/api/v1/rnus");
  EXPECT_EQ(response.status, 404U);
  EXPECT_NE(text_of(response).find("/api/v1/runs"), std::string::npos);
  EXPECT_EQ(ask(Method::kGet, "/api/v1/runs/").status, 404U);
  EXPECT_EQ(ask(Method::kGet, "/API/v1/runs").status, 404U);
}

TEST_F(RouterTest, AHandlerThatThrowsCostsOneAnswer) {
  const Response response = ask(Method::kGet, "/throws");
  EXPECT_EQ(response.status, 500U);
  EXPECT_EQ(text_of(response), R"({"error":{"code":"internal","message":"no \"luck\""}})");
  EXPECT_EQ(ask(Method::kGet, "/hungry").status, 503U);
}

TEST(ErrorResponse, CodesHaveTheirStatus) {
  const auto status_of = [](StatusCode code) { return error_response(Status(code, "x")).status; };
  EXPECT_EQ(status_of(StatusCode::kInvalidArgument), 400U);
  EXPECT_EQ(status_of(StatusCode::kNotFound), 404U);
  EXPECT_EQ(status_of(StatusCode::kUnsupported), 415U);
  EXPECT_EQ(status_of(StatusCode::kIo), 500U);
  EXPECT_EQ(status_of(StatusCode::kCorrupt), 500U);
  EXPECT_EQ(status_of(StatusCode::kTruncated), 503U);
  EXPECT_EQ(text_of(error_response(Status(StatusCode::kNotFound, "no run"))),
            R"({"error":{"code":"not_found","message":"no run"}})");
}

}  // namespace
}  // namespace tensortap::server
