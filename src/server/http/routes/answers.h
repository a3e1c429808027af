// Answers: responses with JSON, columns, CSV or bytes out of logs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "format/columns.h"
#include "format/json.h"
#include "server/http/message.h"
#include "tensor/table.h"

namespace tensortap::server {

Response json_response(format::JsonWriter& json);
Response columns_response(format::ColumnsWriter& columns, format::ColumnsForm form);

// Short tables are held, long ones are sent batch by batch. `name` is that of the file without its ending.
Response csv_response(std::unique_ptr<TableCursor> table, const std::string& name);

// With an ETag of its contents.
Response bytes_response(std::string bytes, std::string content_type, std::string file_name);

// A table that is in memory: columns of equal length.
class SmallTable {
 public:
  template <typename Values>
  void add(std::string name, ColumnType type, Values values) {
    heads_.push_back({std::move(name), type, false});
    columns_.emplace_back(std::move(values));
    valid_.emplace_back();
  }
  // `valid` is 0 where there is nothing.
  template <typename Values>
  void add_nullable(std::string name, ColumnType type, Values values, std::vector<std::uint8_t> valid) {
    add(std::move(name), type, std::move(values));
    heads_.back().nullable = true;
    valid_.back() = std::move(valid);
  }
  std::unique_ptr<TableCursor> cursor(std::size_t rows) &&;

 private:
  std::vector<ColumnHead> heads_;
  std::vector<ColumnValues> columns_;
  std::vector<std::vector<std::uint8_t>> valid_;
};

}  // namespace tensortap::server
