// Fuzzes the readers of histograms, pictures and clips in event files.
#include <cstdint>
#include <cstdlib>

#include "event/summary_values.h"
#include "event/tensor_proto.h"

namespace {

namespace event = tensortap::event;

void check(const tensortap::Result<event::HistogramRows>& result) {
  if (!result.ok()) return;
  const event::HistogramRows& rows = result.value();
  if (rows.left.size() != rows.count.size() || rows.right.size() != rows.count.size()) std::abort();
}

void check(const std::vector<std::string_view>& views, std::string_view input) {
  for (std::string_view view : views) {
    const bool inside = view.data() >= input.data() && view.data() + view.size() <= input.data() + input.size();
    if (!view.empty() && !inside) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  // A few bytes may stand for millions of equal rows; filling those over and over finds nothing.
  const auto head = event::tensor_head(input);
  if (!head.ok() || head.value().shape.empty() || head.value().shape[0] < (1 << 16)) {
    check(event::histogram_of_tensor(input));
  }
  check(event::histogram_of_v1(input));
  for (const auto& images : {event::images_of_tensor(input), event::images_of_v1(input)}) {
    if (!images.ok()) continue;
    check(images.value().encoded, input);
    if (images.value().width < 0 || images.value().height < 0) std::abort();
  }
  for (const auto& audio : {event::audio_of_tensor(input), event::audio_of_v1(input)}) {
    if (audio.ok()) check(audio.value().encoded, input);
  }
  return 0;
}
