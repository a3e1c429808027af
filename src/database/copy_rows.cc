// CopyRows: fields with their lengths.
#include "database/copy_rows.h"

#include <bit>
#include <type_traits>

namespace tensortap::database {
namespace {

// The number that PostgreSQL's catalog has for double precision.
constexpr std::uint32_t kFloat8Oid = 701;

template <typename T>
void put(std::string& out, T number) {
  for (int shift = 8 * (static_cast<int>(sizeof(T)) - 1); shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>(static_cast<std::uint64_t>(number) >> shift & 0xFF));
  }
}

void put_length(std::string& out, std::size_t length) { put(out, static_cast<std::uint32_t>(length)); }

void put_bytes(std::string& out, std::string_view bytes) {
  put_length(out, bytes.size());
  out.append(bytes);
}

void put_text(std::string& out, std::string_view text) {
  if (text.find('\0') == std::string_view::npos) return put_bytes(out, text);
  std::string without_zeros;
  for (char letter : text) {
    if (letter == '\0') {
      without_zeros += "\xEF\xBF\xBD";
    } else {
      without_zeros += letter;
    }
  }
  put_bytes(out, without_zeros);
}

void put_double(std::string& out, double number) {
  put_length(out, sizeof(number));
  put(out, std::bit_cast<std::uint64_t>(number));
}

// Dimensions, whether there are NULLs, the elements' type; of the one dimension its extent and first index.
void put_list(std::string& out, const std::vector<double>& list) {
  const bool is_empty = list.empty();
  put_length(out, is_empty ? 12 : 20 + 12 * list.size());
  put(out, std::uint32_t{is_empty ? 0U : 1U});
  put(out, std::uint32_t{0});
  put(out, kFloat8Oid);
  if (is_empty) return;
  put_length(out, list.size());
  put(out, std::uint32_t{1});
  for (double number : list) put_double(out, number);
}

void put_cell(std::string& out, const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) return put(out, std::uint32_t{0xFFFFFFFF});
  if (const auto* number = std::get_if<std::int64_t>(&cell)) {
    put_length(out, sizeof(*number));
    return put(out, static_cast<std::uint64_t>(*number));
  }
  if (const auto* number = std::get_if<double>(&cell)) return put_double(out, *number);
  if (const auto* text = std::get_if<std::string>(&cell)) return put_text(out, *text);
  if (const auto* blob = std::get_if<Blob>(&cell)) return put_bytes(out, blob->bytes);
  put_list(out, std::get<std::vector<double>>(cell));
}

}  // namespace

std::string_view copy_begin() { return std::string_view("PGCOPY\n\xFF\r\n\0\0\0\0\0\0\0\0\0", 19); }
std::string_view copy_end() { return "\xFF\xFF"; }

void append_copy_row(std::string& out, const Row& row) {
  put(out, static_cast<std::uint16_t>(row.cells.size()));
  for (const Cell& cell : row.cells) put_cell(out, cell);
}

}  // namespace tensortap::database
