// Fuzzes the decoders of the three hparams contents.
#include <cstdint>
#include <cstdlib>

#include "event/hparams_decode.h"
#include "event/plugins.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace event = tensortap::event;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  static_cast<void>(event::decode_hparams_end(input).ok());
  static_cast<void>(event::decode_hparams_experiment(input).ok());
  auto start = event::decode_hparams_start(input);
  if (!start.ok()) return 0;
  // What was understood can be written and read again.
  const auto again =
      event::decode_hparams_start(event::hparams_start_content(start->hparams, start->group_name, start->start_secs));
  if (!again.ok() || again.value().hparams.size() != start->hparams.size()) std::abort();
  if (again.value().group_name != start->group_name) std::abort();
  return 0;
}
