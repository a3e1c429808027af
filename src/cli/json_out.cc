// JsonOut: what the writer has, a piece at a time.
#include "cli/json_out.h"

#include <fmt/format.h>

#include <cstdio>

namespace tensortap::cli {
namespace {

constexpr std::size_t kPieceBytes = 64 << 10;

}  // namespace

JsonOut::~JsonOut() {
  // fwrite, not fmt: a destructor must not throw. The buffer of stdout is checked when the program ends.
  std::fwrite(json_.text().data(), 1, json_.text().size(), stdout);
}

void JsonOut::flush_if_full() {
  if (json_.text().size() < kPieceBytes) return;
  fmt::print("{}", json_.take());
}

}  // namespace tensortap::cli
