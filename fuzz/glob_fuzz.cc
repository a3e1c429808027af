// Fuzzes the matcher of glob patterns: a byte that says how long the pattern is, the pattern, the name.
#include <cstdint>
#include <cstdlib>

#include "base/glob.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string_view pattern = input.substr(0, data[0]);
  const std::string_view name = input.substr(pattern.size());
  const bool matches = tensortap::glob_matches(pattern, name);
  if (!tensortap::glob_has_wildcard(pattern) && matches != (pattern == name)) std::abort();
  if (!tensortap::glob_matches("**", name)) std::abort();
  if (tensortap::glob_matches("*", name) != (name.find('/') == std::string_view::npos)) std::abort();
  return 0;
}
