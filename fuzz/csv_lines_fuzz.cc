// Fuzzes the widening of CSV lines: where a file is cut into pieces changes nothing, and each line gets its cells.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "format/csv_lines.h"

namespace format = tensortap::format;

namespace {

std::string widened(std::string_view text, std::size_t cut) {
  format::CsvPadding padding(2);
  std::string out;
  padding.append(out, text.substr(0, cut));
  padding.append(out, text.substr(cut));
  padding.finish(out);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string whole = widened(text, 0);
  if (size > 0 && widened(text, data[0] % size) != whole) std::abort();
  const auto line = format::csv_first_line(text), wider = format::csv_first_line(whole);
  if (line.has_value() != wider.has_value()) std::abort();
  if (!line) return 0;
  if (*wider != *line + 2) std::abort();
  if (format::csv_raw_cells(whole.substr(0, *wider)).size() !=
      format::csv_raw_cells(text.substr(0, *line)).size() + 2) {
    std::abort();
  }
  return 0;
}
