// BatchWriter: columns of every type, and which of their cells are null.
#include "query/table_batch.h"

#include <utility>

namespace tensortap::query {
namespace {

ColumnValues empty_column(ColumnType type) {
  switch (type) {
    case ColumnType::kInt64: return std::vector<std::int64_t>();
    case ColumnType::kUint64: return std::vector<std::uint64_t>();
    case ColumnType::kFloat64:
    case ColumnType::kTimestamp: return std::vector<double>();
    case ColumnType::kText:
    case ColumnType::kBinary: return std::vector<std::string>();
    case ColumnType::kWord: return WordColumn();
    case ColumnType::kFloat64List: return ListColumn{{0}, {}};
  }
  return std::vector<double>();
}

}  // namespace

BatchWriter::BatchWriter(const std::vector<ColumnHead>& heads, const std::vector<Words>& words) : heads_(heads) {
  batch_.valid.resize(heads.size());
  std::size_t word_columns = 0;
  for (const ColumnHead& head : heads) {
    batch_.columns.push_back(empty_column(head.type));
    if (head.type == ColumnType::kWord) std::get<WordColumn>(batch_.columns.back()).words = words[word_columns++];
  }
}

template <typename Column>
Column& BatchWriter::next(bool is_valid) {
  const std::size_t row = rows();
  const std::size_t column = cells_++ % heads_.size();
  std::vector<std::uint8_t>& valid = batch_.valid[column];
  // Stays empty until the first null.
  if (!is_valid && valid.empty()) valid.assign(row, 1);
  if (!is_valid || !valid.empty()) valid.push_back(is_valid ? 1 : 0);
  return std::get<Column>(batch_.columns[column]);
}

void BatchWriter::add_word(std::size_t index) { next<WordColumn>().index.push_back(static_cast<std::int32_t>(index)); }

void BatchWriter::add_int64(std::int64_t number) { next<std::vector<std::int64_t>>().push_back(number); }

void BatchWriter::add_uint64(std::uint64_t number) { next<std::vector<std::uint64_t>>().push_back(number); }

void BatchWriter::add_float64(double number) { next<std::vector<double>>().push_back(number); }

void BatchWriter::add_text(std::string text) {
  size_bytes_ += text.size();
  next<std::vector<std::string>>().push_back(std::move(text));
}

void BatchWriter::add_list(std::span<const double> numbers) {
  size_bytes_ += numbers.size_bytes();
  auto& column = next<ListColumn>();
  column.values.insert(column.values.end(), numbers.begin(), numbers.end());
  column.offsets.push_back(static_cast<std::int64_t>(column.values.size()));
}

void BatchWriter::add_null() {
  switch (heads_[cells_ % heads_.size()].type) {
    case ColumnType::kInt64: next<std::vector<std::int64_t>>(false).push_back(0); break;
    case ColumnType::kUint64: next<std::vector<std::uint64_t>>(false).push_back(0); break;
    case ColumnType::kFloat64:
    case ColumnType::kTimestamp: next<std::vector<double>>(false).push_back(0); break;
    case ColumnType::kText:
    case ColumnType::kBinary: next<std::vector<std::string>>(false).emplace_back(); break;
    case ColumnType::kWord: next<WordColumn>(false).index.push_back(0); break;
    case ColumnType::kFloat64List: {
      auto& column = next<ListColumn>(false);
      column.offsets.push_back(column.offsets.back());
    }
  }
}

TableBatch BatchWriter::take() && {
  batch_.rows = rows();
  return std::move(batch_);
}

}  // namespace tensortap::query
