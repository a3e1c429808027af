// Answers: bodies and their types.
#include "server/http/routes/answers.h"

#include <array>
#include <cstdio>
#include <functional>
#include <utility>

#include "format/csv.h"

namespace tensortap::server {
namespace {

// What is held of a table before it is sent piece by piece.
constexpr std::size_t kHeldBytes = 1 << 20;

class HeldTable : public TableCursor {
 public:
  HeldTable(std::vector<ColumnHead> heads, TableBatch batch) : heads_(std::move(heads)), batch_(std::move(batch)) {}

  const std::vector<ColumnHead>& heads() const override { return heads_; }
  Result<std::optional<TableBatch>> next() override {
    std::optional<TableBatch> batch;
    if (std::exchange(given_, true) || batch_.rows == 0) return batch;
    batch = std::move(batch_);
    return batch;
  }

 private:
  std::vector<ColumnHead> heads_;
  TableBatch batch_;
  bool given_ = false;
};

std::string etag_of(std::string_view bytes) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "\"%zx-%zx\"", std::hash<std::string_view>()(bytes), bytes.size());
  return text.data();
}

}  // namespace

std::unique_ptr<TableCursor> SmallTable::cursor(std::size_t rows) && {
  return std::make_unique<HeldTable>(std::move(heads_), TableBatch{rows, std::move(columns_), std::move(valid_)});
}

Response json_response(format::JsonWriter& json) {
  Response response;
  response.body = json.take();
  return response;
}

Response columns_response(format::ColumnsWriter& columns, format::ColumnsForm form) {
  Response response;
  if (form == format::ColumnsForm::kBinary) response.content_type = "application/vnd.tensortap.columns";
  response.body = std::move(columns).finish();
  return response;
}

Response csv_response(std::unique_ptr<TableCursor> table, const std::string& name) {
  Response response;
  response.content_type = "text/csv; charset=utf-8";
  response.file_name = name + ".csv";
  auto csv = std::make_shared<format::CsvWriter>(std::move(table));
  std::string held;
  while (held.size() < kHeldBytes) {
    Result<std::optional<std::string>> piece = csv->next();
    if (!piece.ok()) return error_response(piece.status());
    if (!piece->has_value()) {
      response.body = std::move(held);
      return response;
    }
    held += **piece;
  }
  auto first = std::make_shared<std::optional<std::string>>(std::move(held));
  response.body = BodyStream([csv, first]() -> Result<std::optional<std::string>> {
    if (first->has_value()) return std::exchange(*first, std::nullopt);
    return csv->next();
  });
  return response;
}

Response bytes_response(std::string bytes, std::string content_type, std::string file_name) {
  Response response;
  response.content_type = std::move(content_type);
  response.file_name = std::move(file_name);
  response.etag = etag_of(bytes);
  response.body = std::move(bytes);
  return response;
}

}  // namespace tensortap::server
