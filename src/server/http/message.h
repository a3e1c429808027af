// Message: a request and its answer, as handlers see them. Beast stays behind the session.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tensortap/result.h"

namespace tensortap::server {

// The parameters of a request's target, decoded, in their order. Names may repeat ("run=a&run=b").
class Parameters {
 public:
  // kInvalidArgument for bad percent signs, bytes that are no UTF-8, NUL, more than 4096 parameters.
  static Result<Parameters> parse(std::string_view untrusted_query);

  // The first of this name; nullptr when there is none.
  const std::string* find(std::string_view name) const;
  std::vector<std::string> all(std::string_view name) const;
  const std::vector<std::pair<std::string, std::string>>& items() const { return items_; }

 private:
  std::vector<std::pair<std::string, std::string>> items_;
};

enum class Method : std::uint8_t { kGet, kHead, kPatch };

struct Request {
  Method method = Method::kGet;
  std::string path;  // decoded, without the path prefix and the parameters: "/api/v1/runs"
  Parameters parameters;
  std::string body;  // of kPatch
};

// The next piece of an answer that is too long to hold; nullopt at the end. Called off the I/O threads, one call at a
// time. An error cuts the connection, so that nobody takes half an answer for a whole one.
using BodyStream = std::function<Result<std::optional<std::string>>()>;

struct Response {
  unsigned status = 200;
  std::string content_type = "application/json";
  std::variant<std::string, std::shared_ptr<const std::string>, BodyStream> body;
  std::string etag;       // with quotes; empty: none. The server answers 304 where it matches, and ranges of strings
  std::string file_name;  // for Content-Disposition; empty: shown, not saved
  std::string cache_control = "no-cache";
  std::vector<std::pair<std::string, std::string>> headers;  // besides; values in visible ASCII
};

// One route. Runs on the workers: may take its time, must not wait for other requests.
using Handler = std::function<Response(const Request&)>;

// {"error": {"code": "not_found", "message": "..."}} with the HTTP status that stands for the code.
Response error_response(const Status& status);
// For what only HTTP knows: "unauthorized", "method_not_allowed".
Response error_response(unsigned status, std::string_view code, std::string_view message);

}  // namespace tensortap::server
