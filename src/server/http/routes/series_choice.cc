// SeriesChoice: names to series, not too many.
#include "server/http/routes/series_choice.h"

#include <algorithm>

#include "query/part_series.h"
#include "query/tables.h"
#include "server/http/routes/answers.h"

namespace tensortap::server {

Result<SeriesChoice> choose(const ServedLogs& logs, const std::vector<std::string>& runs,
                            const std::vector<std::string>& tags, std::span<const store::Kind> kinds) {
  Result<std::vector<query::Run>> found = query::choose_runs(*logs.current(), runs);
  if (!found.ok()) return found.status();
  auto series = query::choose_series(*found, tags, kinds);
  if (!series.ok()) return series.status();
  if (series->size() > kMaxSeries) {
    return Status(StatusCode::kInvalidArgument,
                  std::to_string(series->size()) + " series are too many for one answer, which has at most " +
                      std::to_string(kMaxSeries) + ": ask for fewer runs or tags, or for format=csv, which has no end");
  }
  return SeriesChoice{std::move(*found), std::move(*series)};
}

Status check_size(const SeriesChoice& chosen, std::uint64_t most_values, std::uint64_t numbers,
                  format::ColumnsForm form) {
  const std::uint64_t most = form == format::ColumnsForm::kJson ? kMaxJsonNumbers : kMaxNumbers;
  std::uint64_t values = 0;
  for (const query::ChosenSeries& each : chosen.series) {
    const std::uint64_t count = query::count_values(chosen.runs[each.run], each.tag, each.kind);
    values += most_values == 0 ? count : std::min(count, most_values);
  }
  if (values <= most / numbers) return {};
  return Status(StatusCode::kInvalidArgument,
                std::to_string(values) + " values of " + std::to_string(chosen.series.size()) +
                    " series are too many for one answer: ask for fewer of each, for fewer series, for a range of " +
                    "steps, or for format=csv, which has no end");
}

Response named_table(const ServedLogs& logs, const std::string& table, const std::vector<std::string>& runs,
                     const std::vector<std::string>& tags, const query::Selection& selection) {
  query::TableRequest request;
  request.table = table;
  request.selection = selection;
  request.runs = runs;
  request.tags = tags;
  auto rows = query::open_table(logs.current(), request);
  return rows.ok() ? csv_response(std::move(*rows), table) : error_response(rows.status());
}

}  // namespace tensortap::server
