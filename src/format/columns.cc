// Columns: ranges first, then float32, then float64.
#include "format/columns.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>

namespace tensortap::format {
namespace {

constexpr std::string_view kMagic = "TTCOLS1\n";

struct Range {
  double first = 0;
  double stride = 0;
};

bool is_exact_integer(double value) { return std::abs(value) <= 0x1p53 && value == std::trunc(value); }

// Value i is first + i * stride, to the last bit.
std::optional<Range> range_of(std::span<const double> values) {
  // With fewer values the description is longer than they are.
  if (values.size() < 4) return std::nullopt;
  const Range range{values[0], values[1] - values[0]};
  if (!std::isfinite(range.first) || !std::isfinite(range.stride)) return std::nullopt;
  if (range.stride != 0 && !(is_exact_integer(range.first) && is_exact_integer(values.back()))) return std::nullopt;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double expected = range.first + static_cast<double>(i) * range.stride;
    if (std::bit_cast<std::uint64_t>(values[i]) != std::bit_cast<std::uint64_t>(expected)) return std::nullopt;
  }
  return range;
}

// As float32, where that loses nothing.
bool narrow(std::span<const double> values, std::string& out) {
  out.resize(values.size() * sizeof(float));
  char* to = out.data();
  for (double value : values) {
    const auto narrowed = static_cast<float>(value);
    if (static_cast<double>(narrowed) != value && !std::isnan(value)) return false;
    std::memcpy(to, &narrowed, sizeof(float));
    to += sizeof(float);
  }
  return true;
}

std::string_view bytes_of(std::span<const double> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

std::string description_of(std::string_view type, std::size_t offset, std::size_t length) {
  std::string text = R"({"type":")";
  text.append(type).append(R"(","offset":)").append(std::to_string(offset));
  return text.append(R"(,"length":)").append(std::to_string(length)).append("}");
}

std::string description_of(const Range& range, std::size_t length) {
  std::string text = R"({"type":"range","first":)";
  append_number(text, range.first);
  text += R"(,"stride":)";
  append_number(text, range.stride);
  return text.append(R"(,"length":)").append(std::to_string(length)).append("}");
}

void append_u32(std::string& out, std::size_t number) {
  for (unsigned shift = 0; shift < 32; shift += 8) out += static_cast<char>(number >> shift & 0xff);
}

}  // namespace

// Where the data stands: where equal data stood already, or behind all other.
std::size_t ColumnsWriter::place_data(std::string_view data) {
  if (data.empty()) return 0;
  const std::size_t hash = std::hash<std::string_view>()(data);
  const auto [begin, end] = stretches_.equal_range(hash);
  for (auto each = begin; each != end; ++each) {
    const auto& [offset, size_bytes] = each->second;
    if (std::string_view(data_).substr(offset, size_bytes) == data) return offset;
  }
  data_.append((8 - data_.size() % 8) % 8, '\0');
  const std::size_t offset = data_.size();
  data_ += data;
  stretches_.emplace(hash, Stretch{offset, data.size()});
  return offset;
}

void ColumnsWriter::refer(std::string_view name, std::string description) {
  const auto [known, is_new] = known_.try_emplace(std::move(description), descriptions_.size());
  if (is_new) descriptions_.push_back(known->first);
  meta_.member(name, known->second);
}

void ColumnsWriter::number_column(std::string_view name, std::span<const double> values) {
  if (const auto range = range_of(values)) return refer(name, description_of(*range, values.size()));
  if (!values.empty() && narrow(values, narrowed_)) {
    return refer(name, description_of("f32", place_data(narrowed_), values.size()));
  }
  refer(name, description_of("f64", place_data(bytes_of(values)), values.size()));
}

void ColumnsWriter::column(std::string_view name, std::span<const double> values) {
  if (form_ == ColumnsForm::kJson) return meta_.list(name, values);
  number_column(name, values);
}

void ColumnsWriter::column(std::string_view name, std::span<const std::int64_t> values) {
  if (form_ == ColumnsForm::kJson) return meta_.list(name, values);
  converted_.assign(values.begin(), values.end());
  number_column(name, converted_);
}

void ColumnsWriter::column(std::string_view name, std::span<const std::uint64_t> values) {
  if (form_ == ColumnsForm::kJson) return meta_.list(name, values);
  converted_.assign(values.begin(), values.end());
  number_column(name, converted_);
}

void ColumnsWriter::column(std::string_view name, std::span<const std::uint8_t> values) {
  if (form_ == ColumnsForm::kJson) return meta_.list(name, values);
  const std::string_view data(reinterpret_cast<const char*>(values.data()), values.size());
  refer(name, description_of("u8", place_data(data), values.size()));
}

std::string ColumnsWriter::finish() && {
  meta_.end_object();
  if (form_ == ColumnsForm::kJson) return meta_.take();
  std::string header = R"({"meta":)" + meta_.take() + R"(,"columns":[)";
  for (const std::string& each : descriptions_) {
    if (&each != &descriptions_.front()) header += ',';
    header += each;
  }
  header += "]}";
  header.append((8 - header.size() % 8) % 8, ' ');
  std::string answer(kMagic);
  answer.reserve(16 + header.size() + data_.size());
  append_u32(answer, header.size());
  append_u32(answer, 0);
  answer += header;
  answer += data_;
  return answer;
}

}  // namespace tensortap::format
