// SeriesChoice: names to series, not too many.
#include "server/http/routes/series_choice.h"

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
