// AnswerHeaders: the header fields that keep an answer harmless, and those that make it small.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tensortap::server {

using Headers = std::vector<std::pair<std::string, std::string>>;

// What every answer carries. A page may load its own files and talk to its own server, nothing else; data may do
// nothing at all, even when somebody opens it in a tab.
void add_safety_headers(Headers& headers, bool is_page);

// Whether browsers may see this type from us. Everything else is sent as bytes to save.
bool is_known_type(std::string_view content_type);
// Whether gzip would help.
bool is_compressible(std::string_view content_type);

// Whether gzip is accepted: named, or by *, with a quality above 0.
bool accepts_gzip(std::string_view untrusted_accept_encoding);

// Whether If-None-Match names the tag; weak tags count as equal.
bool matches_etag(std::string_view untrusted_if_none_match, std::string_view etag);

// The first and the last byte of "bytes=a-b" out of `size`; nothing where all is to be sent. An unsatisfiable range
// is {1, 0}.
std::optional<std::pair<std::size_t, std::size_t>> byte_range(std::string_view untrusted_range, std::size_t size);

// "attachment; filename=...", whatever stands in the name.
std::string content_disposition(std::string_view untrusted_name);

}  // namespace tensortap::server
