// Site: one request to one answer: who may ask, which page file or route is meant, and how it is sent.
//
//   method -> Host -> Origin -> target -> token -> page file, stream of changes or route -> 304 -> range -> gzip
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/http/access.h"
#include "server/http/message.h"
#include "server/http/page.h"
#include "server/http/router.h"

namespace tensortap::server {

// A request as it came in; nothing of it can be trusted. Header fields that were not sent are empty.
struct Incoming {
  std::string method;
  std::string target;
  std::string host;
  std::string origin;
  std::string fetch_site;  // Sec-Fetch-Site
  std::string fetch_mode;  // Sec-Fetch-Mode
  std::string authorization;
  std::string cookie;
  std::string accept_encoding;
  std::string content_type;
  std::string if_none_match;
  std::string range;
  std::string if_range;
  std::string body;
};

// An answer, ready to be sent: only framing and keep-alive are the session's.
struct Answer {
  unsigned status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string text;                           // the body is this,
  std::shared_ptr<const std::string> shared;  // or this,
  std::string_view in_program;                // or this,
  BodyStream stream;                          // or comes in pieces
  bool is_live = false;                       // the stream of changes
  bool is_head = false;                       // no body is sent, but its length is told

  std::string_view bytes() const { return shared ? std::string_view(*shared) : text.empty() ? in_program : text; }
};

struct SiteOptions {
  AccessRules access;
  std::string path_prefix;  // "" or "/x/y"
};

// Threads:  any.
// Failure:  every error is an answer.
// Lifetime: the page and the router must outlive it.
class Site {
 public:
  Site(SiteOptions options, const Page& page, const Router& router);

  Answer answer(Incoming incoming) const;
  // For what goes wrong before there is a whole request.
  Answer refusal(unsigned status, std::string_view code, std::string_view message) const;

 private:
  Answer checked(const Incoming& incoming, std::string_view path_of_prefix) const;
  Answer page_answer(const Incoming& incoming, const std::string& path) const;
  Answer token_answer(const Incoming& incoming, const Parameters& parameters, const std::string& query) const;
  Answer unauthorized(const Incoming& incoming, bool is_api) const;
  Answer finished(const Incoming& incoming, Response response) const;
  Answer redirect(unsigned status, std::string location) const;

  const SiteOptions options_;
  const Page& page_;
  const Router& router_;
};

inline constexpr std::string_view kLivePath = "/api/v1/events";

}  // namespace tensortap::server
