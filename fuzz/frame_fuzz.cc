// Fuzzes the framing: any bytes, and any bytes inside whole frames.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "wire/frame.h"

using tensortap::Bytes;
namespace wire = tensortap::wire;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes input(reinterpret_cast<const std::byte*>(data), size);

  // As a file: whatever is accepted lies within the input.
  for (Bytes rest = input; !rest.empty();) {
    auto record = wire::decode_frame(rest);
    if (!record.ok()) break;
    const std::size_t frame_bytes = record->size() + wire::kHeaderBytes + wire::kFooterBytes;
    if (frame_bytes > rest.size()) std::abort();
    rest = rest.subspan(frame_bytes);
  }

  // As a record: what is framed comes back, since no fuzzer finds CRCs by itself.
  auto header = wire::encode_header(size);
  auto footer = wire::encode_footer({&input, 1});
  std::string frame(reinterpret_cast<const char*>(header.data()), header.size());
  frame.append(reinterpret_cast<const char*>(data), size);
  frame.append(reinterpret_cast<const char*>(footer.data()), footer.size());
  auto record = wire::decode_frame(tensortap::bytes_of(frame));
  if (!record.ok() || record->size() != size) std::abort();
  return 0;
}
