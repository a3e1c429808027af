// CSV: cells by the type of their column.
#include "format/csv.h"

#include <algorithm>

#include "format/number_text.h"

namespace tensortap::format {
namespace {

bool is_formula(std::string_view text) {
  constexpr std::string_view kStarts = "=+-@\t\r";
  return !text.empty() && kStarts.find(text.front()) != std::string_view::npos;
}

void append_list(std::string& out, const ListColumn& lists, std::size_t row) {
  const auto begin = static_cast<std::size_t>(lists.offsets[row]);
  const auto end = static_cast<std::size_t>(lists.offsets[row + 1]);
  out += "\"[";
  for (std::size_t i = begin; i < end; ++i) {
    if (i > begin) out += ',';
    append_number(out, lists.values[i]);
  }
  out += "]\"";
}

}  // namespace

void append_csv_text(std::string& out, std::string_view untrusted) {
  const bool formula = is_formula(untrusted);
  // Spaces at the ends are lost by some readers, and so is the difference between nothing and an empty text.
  const bool plain = !formula && !untrusted.empty() && untrusted.find_first_of(",\"\r\n") == std::string_view::npos &&
                     untrusted.front() != ' ' && untrusted.back() != ' ';
  if (plain) {
    out += untrusted;
    return;
  }
  out += '"';
  if (formula) out += '\'';
  for (char c : untrusted) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

Result<std::string> CsvWriter::heads() const {
  std::string line;
  for (const ColumnHead& head : rows_->heads()) {
    if (head.type == ColumnType::kBinary) {
      return Status(StatusCode::kUnsupported,
                    "column '" + head.name + "' holds bytes, which CSV has no place for; ask for them one by one");
    }
    if (!line.empty()) line += ',';
    append_csv_text(line, head.name);
  }
  line += kCsvLineEnd;
  return line;
}

const std::vector<std::string>& CsvWriter::encoded(const WordColumn& column) {
  const auto known =
      std::find_if(words_.begin(), words_.end(), [&](const auto& each) { return each->words == column.words; });
  if (known != words_.end()) return (*known)->cells;
  auto made = std::make_unique<EncodedWords>(EncodedWords{column.words, {}});
  for (const std::string& word : *column.words) append_csv_text(made->cells.emplace_back(), word);
  words_.push_back(std::move(made));
  return words_.back()->cells;
}

void CsvWriter::append_cell(std::string& out, const ColumnValues& column, std::size_t row) {
  struct Cell {
    CsvWriter& writer;
    std::string& out;
    std::size_t row;
    void operator()(const std::vector<std::int64_t>& numbers) const { append_number(out, numbers[row]); }
    void operator()(const std::vector<std::uint64_t>& numbers) const { append_number(out, numbers[row]); }
    void operator()(const std::vector<double>& numbers) const { append_number(out, numbers[row]); }
    void operator()(const std::vector<std::string>& texts) const { append_csv_text(out, texts[row]); }
    void operator()(const WordColumn& words) const {
      out += writer.encoded(words)[static_cast<std::size_t>(words.index[row])];
    }
    void operator()(const ListColumn& lists) const { append_list(out, lists, row); }
  };
  std::visit(Cell{*this, out, row}, column);
}

Result<std::optional<std::string>> CsvWriter::next() {
  if (!std::exchange(started_, true)) {
    Result<std::string> line = heads();
    if (!line.ok()) return line.status();
    return std::optional(std::move(*line));
  }
  Result<std::optional<TableBatch>> batch = rows_->next();
  if (!batch.ok()) return batch.status();
  if (!batch->has_value()) return std::optional<std::string>();
  const TableBatch& rows = **batch;
  std::string text;
  text.reserve(rows.rows * rows.columns.size() * 12);
  for (std::size_t row = 0; row < rows.rows; ++row) {
    for (std::size_t column = 0; column < rows.columns.size(); ++column) {
      if (column > 0) text += ',';
      const bool is_null = !rows.valid[column].empty() && rows.valid[column][row] == 0;
      if (!is_null) append_cell(text, rows.columns[column], row);
    }
    text += kCsvLineEnd;
  }
  return std::optional(std::move(text));
}

}  // namespace tensortap::format
