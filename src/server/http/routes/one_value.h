// OneValue: the run, tag and step that a request means, found.
#pragma once

#include <string>

#include "query/places.h"
#include "server/http/routes/question.h"
#include "server/http/served_logs.h"

namespace tensortap::server {

struct SeriesAddress {
  std::string run, tag;
};
// Out of run= and tag=.
SeriesAddress series_address(Question& question);

struct ValueAddress {
  SeriesAddress series;
  std::int64_t step = 0;
  std::optional<std::uint64_t> index;  // which of several at the step; nullopt: the last
};
// Out of run=, tag= and step=, and index= where that may be given.
ValueAddress value_address(Question& question);

// Of the series' values in a selection. kNotFound with names that are near.
Result<std::vector<query::Place>> find_places(const ServedLogs& logs, const SeriesAddress& address, store::Kind kind,
                                              const query::Selection& selection);

// kNotFound with steps that are near; kInvalidArgument for an index beyond what the step has.
Result<query::Place> find_place(const ServedLogs& logs, const ValueAddress& address, store::Kind kind);

}  // namespace tensortap::server
