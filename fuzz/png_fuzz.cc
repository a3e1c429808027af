// Fuzzes the PNG decoder: what it accepts must encode, and decode to the same pixels.
#include <cstdint>
#include <cstdlib>

#include "format/png.h"

namespace format = tensortap::format;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto pixels = format::decode_png({reinterpret_cast<const std::byte*>(data), size});
  if (!pixels.ok() || pixels->bytes.size() > (1U << 20)) return 0;
  auto again = format::encode_png(*pixels);
  if (!again.ok()) std::abort();
  auto second = format::decode_png(std::as_bytes(std::span(again->data(), again->size())));
  if (!second.ok() || second->bytes != pixels->bytes) std::abort();
  return 0;
}
