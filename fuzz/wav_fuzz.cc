// Fuzzes the WAV decoder.
#include <cstdint>
#include <cstdlib>

#include "format/wav.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto clip = tensortap::format::decode_wav({reinterpret_cast<const std::byte*>(data), size});
  if (clip.ok() && clip->samples.size() * 2 > size) std::abort();
  return 0;
}
