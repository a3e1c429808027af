// Message: parameters out of a target, and errors as JSON.
#include "server/http/message.h"

#include <array>

#include "format/json.h"
#include "server/http/target.h"

namespace tensortap::server {
namespace {

constexpr std::size_t kMostParameters = 4096;

struct CodeRow {
  StatusCode code;
  unsigned http;
  std::string_view name;
};
// The one table from codes to HTTP.
constexpr std::array<CodeRow, 7> kCodes = {{
    {StatusCode::kInvalidArgument, 400, "invalid_argument"},
    {StatusCode::kNotFound, 404, "not_found"},
    {StatusCode::kTruncated, 503, "truncated"},
    {StatusCode::kCorrupt, 500, "corrupt"},
    {StatusCode::kIo, 500, "io"},
    {StatusCode::kClosed, 503, "closed"},
    {StatusCode::kUnsupported, 415, "unsupported"},
}};

}  // namespace

Result<Parameters> Parameters::parse(std::string_view untrusted_query) {
  Parameters parameters;
  while (!untrusted_query.empty()) {
    const std::size_t end = untrusted_query.find('&');
    const std::string_view piece = untrusted_query.substr(0, end);
    untrusted_query.remove_prefix(end == std::string_view::npos ? untrusted_query.size() : end + 1);
    if (piece.empty()) continue;
    if (parameters.items_.size() == kMostParameters) {
      return Status(StatusCode::kInvalidArgument, "more than 4096 parameters; ask in several requests");
    }
    const std::size_t equals = piece.find('=');
    auto name = percent_decoded(piece.substr(0, equals), Plus::kSpace);
    if (!name.ok()) return name.status();
    auto value = percent_decoded(equals == std::string_view::npos ? "" : piece.substr(equals + 1), Plus::kSpace);
    if (!value.ok()) return value.status();
    parameters.items_.emplace_back(std::move(*name), std::move(*value));
  }
  return parameters;
}

const std::string* Parameters::find(std::string_view name) const {
  for (const auto& [each, value] : items_) {
    if (each == name) return &value;
  }
  return nullptr;
}

std::vector<std::string> Parameters::all(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto& [each, value] : items_) {
    if (each == name) values.push_back(value);
  }
  return values;
}

Response error_response(unsigned status, std::string_view code, std::string_view message) {
  Response response;
  response.status = status;
  response.cache_control = "no-store";
  format::JsonWriter json;
  json.begin_object();
  json.key("error");
  json.begin_object();
  json.member("code", code);
  json.member("message", message);
  json.end_object();
  json.end_object();
  response.body = json.take();
  return response;
}

Response error_response(const Status& status) {
  for (const CodeRow& row : kCodes) {
    if (row.code == status.code()) return error_response(row.http, row.name, status.message());
  }
  return error_response(500, "internal", status.message());
}

}  // namespace tensortap::server
