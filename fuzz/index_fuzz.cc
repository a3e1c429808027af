// Fuzzes the decoder of index cache entries, behind its checksum.
#include <cstdint>
#include <cstring>

#include "store/index_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tensortap::store;
  ByteBlock bytes = make_block(size);
  if (size > 0) std::memcpy(bytes.get(), data, size);
  const auto contents = decode_contents(std::move(bytes), size, 0);
  if (contents == nullptr) return 0;
  // What was accepted can be walked.
  double sum = 0;
  for (const Series* series : contents->all_series()) {
    for (std::size_t i = 0; i < series->scalars.size(); ++i) sum += series->scalars.at(i).value;
  }
  volatile double kept = sum;
  (void)kept;
  return 0;
}
