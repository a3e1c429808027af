// Fuzzes the parser of request targets: what it lets through is decoded, is UTF-8, and cannot climb.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/utf8.h"
#include "server/http/access.h"
#include "server/http/answer_headers.h"
#include "server/http/target.h"

using namespace tensortap;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (auto target = server::parse_target(input); target.ok()) {
    const std::string& path = target->path;
    if (path.empty() || path[0] != '/' || !is_valid_utf8(path)) std::abort();
    if ((path + "/").find("/../") != std::string::npos || (path + "/").find("/./") != std::string::npos) std::abort();
    if (path.find_first_of(std::string_view("\\\0\r\n", 4)) != std::string::npos) std::abort();
    if (target->parameters.items().size() > 4096) std::abort();
    for (const auto& [name, value] : target->parameters.items()) {
      if (!is_valid_utf8(name) || !is_valid_utf8(value)) std::abort();
      if (server::Parameters::parse(input).ok() && target->parameters.find(name) == nullptr) std::abort();
    }
  }
  // The other small parsers of what a client says.
  const std::string host = server::host_of(input);
  if (host.find_first_of("/@\\ ") != std::string::npos) std::abort();
  if (const auto range = server::byte_range(input, 100); range && range->first <= range->second && range->second > 99) {
    std::abort();
  }
  (void)server::accepts_gzip(input);
  (void)server::matches_etag(input, "\"a\"");
  if (server::content_disposition(input).find_first_of("\r\n") != std::string::npos) std::abort();
  return 0;
}
