// Site: the checks in their order, and an answer made ready to be sent.
#include "server/http/site.h"

#include <new>
#include <utility>

#include "format/gzip.h"
#include "server/http/answer_headers.h"
#include "server/http/target.h"

namespace tensortap::server {
namespace {

constexpr std::size_t kWorthCompressing = 1024;
constexpr std::size_t kMostPageBytes = std::size_t{64} << 20;

struct MethodName {
  std::string_view name;
  Method method;
};
constexpr MethodName kMethods[] = {{"GET", Method::kGet}, {"HEAD", Method::kHead}, {"PATCH", Method::kPatch}};

std::optional<Method> method_of(std::string_view name) {
  for (const MethodName& each : kMethods) {
    if (each.name == name) return each.method;
  }
  return std::nullopt;
}

// Requests of other sites' pages. Links from there may be followed; data is not for them.
bool is_of_another_site(const Incoming& incoming, bool is_api) {
  const std::string& site = incoming.fetch_site;
  if (site.empty() || site == "same-origin" || site == "none") return false;
  return is_api || incoming.fetch_mode != "navigate";
}

bool is_json(std::string_view content_type) {
  const std::string_view type = content_type.substr(0, content_type.find(';'));
  return type == "application/json" || type == "application/merge-patch+json";
}

std::string to_path(std::string query_without_token) {
  return query_without_token.empty() ? "/" : "/?" + query_without_token;
}

// The query without its token, as it was sent otherwise.
std::string without_token(std::string_view query) {
  std::string kept;
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view each = query.substr(0, end);
    query.remove_prefix(end == std::string_view::npos ? query.size() : end + 1);
    if (each == "token" || each.starts_with("token=")) continue;
    kept.append(kept.empty() ? "" : "&").append(each);
  }
  return kept;
}

// Compresses a stream as it goes by.
BodyStream compressed(BodyStream plain) {
  struct State {
    BodyStream plain;
    format::GzipWriter writer;
    bool is_done = false;
  };
  auto state = std::make_shared<State>();
  state->plain = std::move(plain);
  return [state]() -> Result<std::optional<std::string>> {
    while (!state->is_done) {
      auto piece = state->plain();
      if (!piece.ok()) return piece.status();
      state->is_done = !piece->has_value();
      std::string out = state->is_done ? state->writer.finish() : state->writer.add(**piece);
      if (!out.empty()) return std::optional(std::move(out));
    }
    return std::optional<std::string>();
  };
}

}  // namespace

Site::Site(SiteOptions options, const Page& page, const Router& router)
    : options_(std::move(options)), page_(page), router_(router) {}

Answer Site::answer(Incoming incoming) const {
  try {
    Answer answer = checked(incoming, options_.path_prefix);
    answer.is_head = incoming.method == "HEAD";
    return answer;
  } catch (const std::bad_alloc&) {
    return refusal(503, "out_of_memory", "not enough memory for this answer; ask for less at once");
  } catch (const std::exception& error) {
    return refusal(500, "internal", error.what());
  }
}

Answer Site::refusal(unsigned status, std::string_view code, std::string_view message) const {
  return finished({}, error_response(status, code, message));
}

Answer Site::checked(const Incoming& incoming, std::string_view prefix) const {
  const auto method = method_of(incoming.method);
  if (!method) {
    Response response = error_response(405, "method_not_allowed", "this server takes GET and HEAD");
    response.headers.emplace_back("Allow", "GET, HEAD");
    return finished(incoming, std::move(response));
  }
  if (!is_own_host(options_.access, incoming.host)) {
    return refusal(403, "forbidden",
                   "this server does not go by the name '" + host_of(incoming.host) +
                       "'; ask for localhost, or start it with --allow-host and that name");
  }
  if (!incoming.origin.empty() && !is_own_origin(options_.access, incoming.origin, incoming.host)) {
    return refusal(403, "forbidden", "pages of other origins may not ask");
  }
  auto target = parse_target(incoming.target);
  if (!target.ok()) return finished(incoming, error_response(target.status()));
  std::string path = std::move(target->path);
  if (!prefix.empty()) {
    if (path == prefix) return redirect(308, "/");
    if (!path.starts_with(prefix) || path[prefix.size()] != '/') {
      return refusal(404, "not_found", "everything is below " + std::string(prefix) + "/");
    }
    path.erase(0, prefix.size());
  }
  const bool is_api = path.starts_with("/api/");
  if (is_of_another_site(incoming, is_api)) return refusal(403, "forbidden", "pages of other sites may not ask");
  if (path == "/" && *method != Method::kPatch && target->parameters.find("token") != nullptr) {
    return token_answer(incoming, target->parameters, target->query);
  }
  if (!shows_token(options_.access, incoming.authorization, incoming.cookie)) return unauthorized(incoming, is_api);
  if (!is_api) return page_answer(incoming, path);
  if (*method == Method::kPatch && router_.allows(path, *method) && !is_json(incoming.content_type)) {
    return refusal(415, "unsupported", "send a patch with Content-Type: application/json");
  }
  if (path == kLivePath && *method != Method::kPatch) {
    Response response;
    response.content_type = "text/event-stream";
    response.cache_control = "no-store";
    Answer answer = finished(incoming, std::move(response));
    answer.is_live = *method == Method::kGet;
    return answer;
  }
  Request request{*method, std::move(path), std::move(target->parameters), incoming.body};
  return finished(incoming, router_.dispatch(request));
}

// A link with the token leads to the page without it, and leaves it behind as a cookie.
Answer Site::token_answer(const Incoming& incoming, const Parameters& parameters, const std::string& query) const {
  const AccessRules& access = options_.access;
  if (access.token.empty()) return redirect(303, to_path(without_token(query)));
  if (!is_same_secret(*parameters.find("token"), access.token)) return unauthorized(incoming, false);
  Answer answer = redirect(303, to_path(without_token(query)));
  answer.headers.emplace_back("Set-Cookie", access.cookie_name + "=" + access.token + "; Path=" + options_.path_prefix +
                                                "/; HttpOnly; SameSite=Strict");
  return answer;
}

Answer Site::redirect(unsigned status, std::string location) const {
  Answer answer;
  answer.status = status;
  answer.headers.emplace_back("Location", options_.path_prefix + location);
  answer.headers.emplace_back("Cache-Control", "no-store");
  add_safety_headers(answer.headers, false);
  return answer;
}

Answer Site::unauthorized(const Incoming& incoming, bool is_api) const {
  if (is_api) {
    Response response = error_response(401, "unauthorized",
                                       "open the address that `tensortap serve` printed, with its token, or send "
                                       "'Authorization: Bearer TOKEN'");
    response.headers.emplace_back("WWW-Authenticate", "Bearer");
    return finished(incoming, std::move(response));
  }
  Answer answer;
  answer.status = 401;
  answer.headers = {{"Content-Type", "text/html; charset=utf-8"}, {"Cache-Control", "no-store"}};
  add_safety_headers(answer.headers, true);
  // Browsers keep strict cookies back when a link of another site was followed. The page asked once more by itself
  // comes with them.
  if (incoming.fetch_site == "cross-site") answer.headers.emplace_back("Refresh", "0");
  answer.text =
      "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Tensortap</title>\n<h1>Tensortap</h1>\n"
      "<p>This page needs the token. Open the address that <code>tensortap serve</code> printed when it was started: "
      "it "
      "ends with <code>?token=...</code></p>\n</html>\n";
  return answer;
}

Answer Site::page_answer(const Incoming& incoming, const std::string& path) const {
  if (incoming.method == "PATCH") {
    Response response = error_response(405, "method_not_allowed", "the page takes GET and HEAD");
    response.headers.emplace_back("Allow", "GET, HEAD");
    return finished(incoming, std::move(response));
  }
  auto file = page_.find(path);
  if (!file) return refusal(404, "not_found", "the page has no " + path);
  Answer answer;
  answer.headers.emplace_back("Cache-Control", file->is_immutable ? "public, max-age=31536000, immutable" : "no-cache");
  answer.headers.emplace_back("Vary", "Accept-Encoding");
  if (!file->etag.empty()) answer.headers.emplace_back("ETag", file->etag);
  add_safety_headers(answer.headers, true);
  if (matches_etag(incoming.if_none_match, file->etag)) {
    answer.status = 304;
    return answer;
  }
  answer.headers.emplace_back("Content-Type", file->content_type);
  if (file->gzip.empty()) {
    answer.text = std::move(file->bytes);
  } else if (accepts_gzip(incoming.accept_encoding)) {
    answer.headers.emplace_back("Content-Encoding", "gzip");
    answer.in_program = file->gzip;
  } else {
    auto plain = format::gunzip(file->gzip, kMostPageBytes);
    if (!plain.ok()) return finished(incoming, error_response(plain.status()));
    answer.text = std::move(*plain);
  }
  return answer;
}

// A response with the headers it needs; smaller, shorter or empty where the client asked for that.
Answer Site::finished(const Incoming& incoming, Response response) const {
  Answer answer;
  answer.status = response.status;
  answer.headers = std::move(response.headers);
  std::string etag = std::move(response.etag);
  if (!is_known_type(response.content_type)) {
    response.content_type = "application/octet-stream";
    if (response.file_name.empty()) response.file_name = "data";
  }
  answer.headers.emplace_back("Content-Type", response.content_type);
  answer.headers.emplace_back("Cache-Control", response.cache_control);
  add_safety_headers(answer.headers, false);
  if (!response.file_name.empty()) {
    answer.headers.emplace_back("Content-Disposition", content_disposition(response.file_name));
  }
  if (response.status == 200 && matches_etag(incoming.if_none_match, etag)) {
    answer.headers.emplace_back("ETag", etag);
    answer.status = 304;
    return answer;
  }
  if (auto* stream = std::get_if<BodyStream>(&response.body)) answer.stream = std::move(*stream);
  if (auto* shared = std::get_if<std::shared_ptr<const std::string>>(&response.body)) answer.shared = *shared;
  if (auto* text = std::get_if<std::string>(&response.body)) answer.text = std::move(*text);

  const bool has_ranges = !etag.empty() && !answer.stream && answer.status == 200;
  if (has_ranges) answer.headers.emplace_back("Accept-Ranges", "bytes");
  const bool is_same = incoming.if_range.empty() || incoming.if_range == etag;
  const auto range = has_ranges && is_same ? byte_range(incoming.range, answer.bytes().size()) : std::nullopt;
  const bool compresses = is_compressible(response.content_type);
  if (compresses) answer.headers.emplace_back("Vary", "Accept-Encoding");
  if (range) {
    const auto [first, last] = *range;
    const std::string size = std::to_string(answer.bytes().size());
    const bool is_none = first > last;
    answer.status = is_none ? 416 : 206;
    answer.headers.emplace_back(
        "Content-Range",
        is_none ? "bytes */" + size : "bytes " + std::to_string(first) + "-" + std::to_string(last) + "/" + size);
    answer.text = is_none ? std::string() : std::string(answer.bytes().substr(first, last - first + 1));
    answer.shared.reset();
  } else if (compresses && accepts_gzip(incoming.accept_encoding) &&
             (answer.stream || answer.bytes().size() > kWorthCompressing)) {
    answer.headers.emplace_back("Content-Encoding", "gzip");
    if (!etag.empty() && !etag.starts_with("W/")) etag.insert(0, "W/");
    if (answer.stream) {
      answer.stream = compressed(std::move(answer.stream));
    } else {
      answer.text = format::gzip(answer.bytes());
      answer.shared.reset();
    }
  }
  if (!etag.empty()) answer.headers.emplace_back("ETag", etag);
  return answer;
}

}  // namespace tensortap::server
