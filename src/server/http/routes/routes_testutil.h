// Routes for tests: real files behind the real router, without sockets.
#pragma once

#include <gmock/gmock.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "query/log_testutil.h"
#include "server/http/routes/api.h"

namespace tensortap::server {

class RoutesTest : public query::LogTest {
 protected:
  // GET /api/v1/<target>, on what was written before the first call.
  Response get(const std::string& target) {
    if (logs_ == nullptr) serve();
    const std::size_t mark = target.find('?');
    Request request;
    request.path = "/api/v1/" + target.substr(0, mark);
    if (mark != std::string::npos) request.parameters = Parameters::parse(target.substr(mark + 1)).value();
    return router_.dispatch(request);
  }
  std::string body(const std::string& target, unsigned status = 200) {
    const Response response = get(target);
    const std::string text = text_of(response);
    EXPECT_EQ(response.status, status) << target << ": " << text;
    return text;
  }
  static std::string text_of(const Response& response) {
    if (const auto* text = std::get_if<std::string>(&response.body)) return *text;
    if (const auto* shared = std::get_if<std::shared_ptr<const std::string>>(&response.body)) return **shared;
    std::string all;
    const auto& stream = std::get<BodyStream>(response.body);
    while (auto piece = stream().value()) all += *piece;
    return all;
  }
  static std::string point(std::int64_t step, double value, const std::string& tag = "loss") {
    return event::encode_scalar({100 + static_cast<double>(step), step}, tag, value, nullptr);
  }

 private:
  void serve() {
    logs_ = ServedLogs::open(root_, {}).value();
    logs_->start();
    while (logs_->load_state().loading) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    add_api_routes(router_, *logs_);
  }

  std::unique_ptr<ServedLogs> logs_;
  Router router_;
};

}  // namespace tensortap::server
