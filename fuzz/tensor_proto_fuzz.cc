// Fuzzes the decoder of TensorProtos.
#include <cstdint>
#include <cstdlib>

#include "event/tensor_proto.h"

namespace {

namespace event = tensortap::event;

bool within(std::string_view view, std::string_view input) {
  return view.empty() || (view.data() >= input.data() && view.data() + view.size() <= input.data() + input.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto head = event::tensor_head(input);
  const auto number = event::scalar_of_tensor(input);
  if (const auto strings = event::strings_of_tensor(input)) {
    for (std::string_view text : *strings) {
      if (!within(text, input)) std::abort();
    }
  }
  // A few bytes may stand for 256 MiB; filling those over and over finds nothing.
  if (head.ok() && tensortap::TensorView{nullptr, tensortap::DType::kInt8, head.value().shape, {}}.element_count() >
                       (std::uint64_t{1} << 20)) {
    return 0;
  }
  auto tensor = event::decode_tensor_proto(input);
  if (!tensor.ok()) {
    if (number) std::abort();
    return 0;
  }
  if (!head.ok() || head.value().dtype != tensor->dtype || head.value().shape != tensor->shape) std::abort();
  std::uint64_t count = 1;
  for (std::int64_t extent : tensor->shape) count *= static_cast<std::uint64_t>(extent);
  const bool is_text = tensor->dtype == tensortap::DType::kString;
  if (is_text ? tensor->strings.size() != count
              : tensor->data.size() != count * tensortap::dtype_size_bytes(tensor->dtype)) {
    std::abort();
  }
  if (number && (is_text || count != 1)) std::abort();
  return 0;
}
