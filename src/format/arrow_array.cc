// Columns as ArrowArray structs: their own memory where it has Arrow's layout, converted where not.
#include "format/arrow_array.h"

#include <cmath>
#include <limits>
#include <utility>

#include "base/try.h"

namespace tensortap::format {
namespace {

// For buffers without elements: some consumers do not take a null pointer, and offsets have one entry at least.
alignas(64) constexpr std::int64_t kNothing[8] = {};

template <typename Values>
const void* memory_of(const Values& values) {
  return values.empty() ? static_cast<const void*>(kNothing) : static_cast<const void*>(values.data());
}

// What a struct's private_data points to, with all memory that its buffers do.
struct ArrayNode {
  std::shared_ptr<const void> values;  // whatever the data buffers stand in
  std::vector<std::uint8_t> validity;  // one bit a row; empty when nothing is null
  std::int64_t nulls = 0;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> child_pointers;
  ArrowArray dictionary{};

  ~ArrayNode() {
    for (ArrowArray& child : children) {
      if (child.release != nullptr) child.release(&child);
    }
    if (dictionary.release != nullptr) dictionary.release(&dictionary);
  }

  const void* validity_buffer() const { return validity.empty() ? nullptr : validity.data(); }

  template <typename Values>
  const Values& keep(Values kept) {
    auto owner = std::make_shared<const Values>(std::move(kept));
    values = owner;
    return *owner;
  }
};

void release_array(ArrowArray* array) {
  delete static_cast<ArrayNode*>(array->private_data);
  array->release = nullptr;
}

void give(std::unique_ptr<ArrayNode> node, std::size_t length, ArrowArray* out) {
  for (ArrowArray& child : node->children) node->child_pointers.push_back(&child);
  *out = {};
  out->length = static_cast<std::int64_t>(length);
  out->null_count = node->nulls;
  out->n_buffers = static_cast<std::int64_t>(node->buffers.size());
  out->buffers = node->buffers.data();
  out->n_children = static_cast<std::int64_t>(node->children.size());
  out->children = node->child_pointers.data();
  out->dictionary = node->dictionary.release != nullptr ? &node->dictionary : nullptr;
  out->release = release_array;
  out->private_data = node.release();
}

void set_validity(const std::vector<std::uint8_t>& valid, ArrayNode& node) {
  for (std::uint8_t byte : valid) node.nulls += byte == 0 ? 1 : 0;
  if (node.nulls == 0) return;
  node.validity.assign((valid.size() + 7) / 8, 0);
  for (std::size_t row = 0; row < valid.size(); ++row) {
    if (valid[row] != 0) node.validity[row / 8] |= static_cast<std::uint8_t>(1U << (row % 8));
  }
}

// Seconds to whole microseconds; whatever has none becomes null in `valid`.
std::vector<std::int64_t> microseconds_of(const std::vector<double>& seconds, std::vector<std::uint8_t>& valid) {
  constexpr double kLimit = 9.2e18;  // about 2^63, and far from any date
  std::vector<std::int64_t> out(seconds.size());
  for (std::size_t row = 0; row < seconds.size(); ++row) {
    const double rounded = std::nearbyint(seconds[row] * 1e6);
    if (std::fabs(rounded) < kLimit) {
      out[row] = static_cast<std::int64_t>(rounded);
    } else {
      if (valid.empty()) valid.assign(seconds.size(), 1);
      valid[row] = 0;
    }
  }
  return out;
}

// Texts one behind the other.
template <typename Offset>
struct PackedTexts {
  std::vector<Offset> offsets;
  std::string bytes;
};

template <typename Packed>
Packed pack(const std::vector<std::string>& texts) {
  Packed out;
  std::size_t size = 0;
  for (const std::string& text : texts) size += text.size();
  out.bytes.reserve(size);
  out.offsets.reserve(texts.size() + 1);
  out.offsets.push_back(0);
  using Offset = typename decltype(out.offsets)::value_type;
  for (const std::string& text : texts) {
    out.bytes += text;
    out.offsets.push_back(static_cast<Offset>(out.bytes.size()));
  }
  return out;
}

template <typename Vector>
void fill_plain(Vector&& column, ArrayNode& node) {
  const auto& kept = node.keep(std::forward<Vector>(column));
  node.buffers = {node.validity_buffer(), memory_of(kept)};
}

void fill_texts(const std::vector<std::string>& column, ArrayNode& node) {
  const auto& kept = node.keep(pack<PackedTexts<std::int64_t>>(column));
  node.buffers = {node.validity_buffer(), memory_of(kept.offsets), memory_of(kept.bytes)};
}

void fill_list(ListColumn&& column, ArrayNode& node) {
  const auto& kept = node.keep(std::move(column));
  node.buffers = {node.validity_buffer(), memory_of(kept.offsets)};
  auto items = std::make_unique<ArrayNode>();
  items->values = node.values;
  items->buffers = {nullptr, memory_of(kept.values)};
  node.children.resize(1);
  give(std::move(items), kept.values.size(), node.children.data());
}

Status fill_words(WordColumn&& column, ArrowWords& words, ArrayNode& node) {
  Result<std::shared_ptr<const ArrowWords::Packed>> packed = words.get(column.words);
  if (!packed.ok()) return packed.status();
  auto dictionary = std::make_unique<ArrayNode>();
  dictionary->values = *packed;
  dictionary->buffers = {nullptr, memory_of((*packed)->offsets), memory_of((*packed)->bytes)};
  give(std::move(dictionary), (*packed)->offsets.size() - 1, &node.dictionary);
  fill_plain(std::move(column.index), node);
  return {};
}

Status give_column(ColumnType type, ColumnValues values, std::vector<std::uint8_t> valid, std::size_t rows,
                   ArrowWords& words, ArrowArray* out) {
  auto node = std::make_unique<ArrayNode>();
  if (type == ColumnType::kTimestamp) values = microseconds_of(std::get<std::vector<double>>(values), valid);
  set_validity(valid, *node);
  if (auto* texts = std::get_if<std::vector<std::string>>(&values)) {
    fill_texts(*texts, *node);
  } else if (auto* list = std::get_if<ListColumn>(&values)) {
    fill_list(std::move(*list), *node);
  } else if (auto* word = std::get_if<WordColumn>(&values)) {
    TENSORTAP_TRY(fill_words(std::move(*word), words, *node));
  } else if (auto* integers = std::get_if<std::vector<std::int64_t>>(&values)) {
    fill_plain(std::move(*integers), *node);
  } else if (auto* naturals = std::get_if<std::vector<std::uint64_t>>(&values)) {
    fill_plain(std::move(*naturals), *node);
  } else {
    fill_plain(std::move(std::get<std::vector<double>>(values)), *node);
  }
  give(std::move(node), rows, out);
  return {};
}

// The alternative of ColumnValues that a type has.
std::size_t alternative_of(ColumnType type) {
  switch (type) {
    case ColumnType::kInt64: return 0;
    case ColumnType::kUint64: return 1;
    case ColumnType::kFloat64:
    case ColumnType::kTimestamp: return 2;
    case ColumnType::kText:
    case ColumnType::kBinary: return 3;
    case ColumnType::kWord: return 4;
    case ColumnType::kFloat64List: return 5;
  }
  return std::variant_npos;
}

std::size_t rows_of(const ColumnValues& values) {
  if (const auto* word = std::get_if<WordColumn>(&values)) return word->words ? word->index.size() : SIZE_MAX;
  if (const auto* list = std::get_if<ListColumn>(&values)) return list->offsets.empty() ? 0 : list->offsets.size() - 1;
  return std::visit(
      [](const auto& column) -> std::size_t {
        if constexpr (requires { column.size(); }) return column.size();
        return SIZE_MAX;
      },
      values);
}

Status check_batch(const std::vector<ColumnHead>& heads, const TableBatch& batch) {
  auto wrong = [](const std::string& what) { return Status(StatusCode::kInvalidArgument, what); };
  if (batch.columns.size() != heads.size())
    return wrong("a batch has " + std::to_string(batch.columns.size()) + " columns, its table " +
                 std::to_string(heads.size()));
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const std::string name = "column '" + heads[i].name + "' of a batch ";
    if (batch.columns[i].index() != alternative_of(heads[i].type))
      return wrong(name + "has another type than its head");
    if (rows_of(batch.columns[i]) != batch.rows) return wrong(name + "has another length than the batch");
    const bool has_valid = i < batch.valid.size() && !batch.valid[i].empty();
    if (has_valid && batch.valid[i].size() != batch.rows) return wrong(name + "has validity of another length");
  }
  return {};
}

}  // namespace

Result<std::shared_ptr<const ArrowWords::Packed>> ArrowWords::get(const Source& words) {
  for (const Known& known : known_) {
    if (known.words == words) return known.packed;
  }
  std::uint64_t size_bytes = 0;
  for (const std::string& word : *words) size_bytes += word.size();
  if (size_bytes > std::numeric_limits<std::int32_t>::max())
    return Status(StatusCode::kUnsupported, "the names in this table take more than 2 GiB; ask for fewer of them");
  auto packed = std::make_shared<const Packed>(pack<Packed>(*words));
  known_.push_back({words, packed});
  return packed;
}

Status export_arrow_array(const std::vector<ColumnHead>& heads, TableBatch batch, ArrowWords& words, ArrowArray* out) {
  TENSORTAP_TRY(check_batch(heads, batch));
  auto node = std::make_unique<ArrayNode>();
  node->buffers = {nullptr};
  node->children.resize(heads.size());
  batch.valid.resize(heads.size());
  for (std::size_t i = 0; i < heads.size(); ++i) {
    TENSORTAP_TRY(give_column(heads[i].type, std::move(batch.columns[i]), std::move(batch.valid[i]), batch.rows, words,
                              &node->children[i]));
  }
  give(std::move(node), batch.rows, out);
  return {};
}

}  // namespace tensortap::format
