// TablePlan: which series of which runs a table goes through, settled when the table is opened.
//
// Private to query.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/table_batch.h"
#include "query/tables.h"

namespace tensortap::query {

struct PlannedSeries {
  std::uint32_t run = 0;  // in TablePlan::runs and run_names
  std::uint32_t tag = 0;  // in tags
  store::Kind kind = store::Kind::kScalars;
};

struct TablePlan {
  std::vector<Run> runs;
  std::vector<PlannedSeries> series;  // by run, tag and kind
  Words run_names, tags;
  Selection selection;

  const Run& run_of(const PlannedSeries& planned) const { return runs[planned.run]; }
  const std::string& tag_of(const PlannedSeries& planned) const { return (*tags)[planned.tag]; }
};

// The series of `kinds` that the request's globs match. Names without a wildcard that match nothing are kNotFound, with
// names that are near.
Result<TablePlan> make_plan(const Runs& runs, const TableRequest& request, std::span<const store::Kind> kinds);

}  // namespace tensortap::query
