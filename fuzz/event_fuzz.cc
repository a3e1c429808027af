// Fuzzes the decoder of event records.
#include <cstdint>
#include <cstdlib>

#include "event/event.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const tensortap::Bytes input(reinterpret_cast<const std::byte*>(data), size);
  auto event = tensortap::event::decode_event(input);
  if (!event.ok()) return 0;
  // Every view lies within the record.
  for (const auto& value : event->values) {
    if (value.tag.size() > size || value.tensor_content.size() > size) std::abort();
    for (std::string_view text : value.strings) {
      if (text.size() > size) std::abort();
    }
  }
  return 0;
}
