// SeriesChoice: the series that the parameters run= and tag= mean.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "format/columns.h"
#include "query/choice.h"
#include "query/selection.h"
#include "server/http/message.h"
#include "server/http/served_logs.h"

namespace tensortap::server {

// So many series may be in one answer.
inline constexpr std::size_t kMaxSeries = 5000;

struct SeriesChoice {
  std::vector<query::Run> runs;
  std::vector<query::ChosenSeries> series;
};

// kNotFound as query/choice.h; kInvalidArgument for more than kMaxSeries.
Result<SeriesChoice> choose(const ServedLogs& logs, const std::vector<std::string>& runs,
                            const std::vector<std::string>& tags, std::span<const store::Kind> kinds);

// So many numbers may be in one answer: a quarter of a GiB.
inline constexpr std::uint64_t kMaxNumbers = std::uint64_t{32} << 20;
inline constexpr std::uint64_t kMaxJsonNumbers = std::uint64_t{4} << 20;

// kInvalidArgument for an answer that would be too large, before anything is read for it: with at most `most_values`
// (0: all) of each series, and `numbers` for each of them.
Status check_size(const SeriesChoice& chosen, std::uint64_t most_values, std::uint64_t numbers,
                  format::ColumnsForm form);

// All rows of these series as CSV.
Response named_table(const ServedLogs& logs, const std::string& table, const std::vector<std::string>& runs,
                     const std::vector<std::string>& tags, const query::Selection& selection);

}  // namespace tensortap::server
