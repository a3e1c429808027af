// ScalarTemplate: how one is made.
#include "store/scalar_template.h"

#include <algorithm>
#include <string>

#include "event/tensor_proto.h"

namespace tensortap::store {
namespace {

// Whether the last four bytes of a tensor are its number, and nothing else is: tried with another number.
bool ends_with_its_number(std::string_view tensor) {
  const float other = 1.5F;
  if (tensor.size() < sizeof other) return false;
  std::string changed(tensor);
  std::memcpy(changed.data() + changed.size() - sizeof other, &other, sizeof other);
  return event::scalar_of_tensor(changed) == other;
}

}  // namespace

void ScalarTemplate::make(std::string_view record, const event::PlainScalar& scalar) {
  const char* start = record.data() + 9;
  std::int64_t step = 0;
  if (*start == kStepKey && !read_step(++start, record.data() + record.size(), step)) return;
  const std::string_view common(start, static_cast<std::size_t>(record.data() + record.size() - start));
  if (!scalar.is_simple && !ends_with_its_number(scalar.tensor)) return;

  std::string bytes(common);
  std::string mask(common.size(), '\xff');
  auto leave_out = [&](std::size_t at, std::size_t count) { std::fill_n(mask.begin() + at, count, '\0'); };
  is_wide_ = !scalar.is_simple && scalar.has_exact_value;
  if (scalar.is_simple) {
    value_at_ = common.size() - sizeof(float);
  } else {
    value_at_ = static_cast<std::size_t>(scalar.tensor.data() + scalar.tensor.size() - start) - sizeof(float);
  }
  leave_out(value_at_, sizeof(float));
  if (is_wide_) {
    value_at_ = common.size() - sizeof(double);
    leave_out(value_at_, sizeof(double));
  }
  size_bytes_ = common.size();
  const std::size_t words = (size_bytes_ + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
  bytes.resize(words * sizeof(std::uint64_t), '\0');
  mask.resize(bytes.size(), '\0');
  words_.resize(words);
  for (std::size_t i = 0; i < words; ++i) {
    std::memcpy(&words_[i].bits, bytes.data() + i * sizeof(std::uint64_t), sizeof(std::uint64_t));
    std::memcpy(&words_[i].mask, mask.data() + i * sizeof(std::uint64_t), sizeof(std::uint64_t));
  }
}

}  // namespace tensortap::store
