// The cursors of the tables that query/tables.h names, and what they have in common.
//
// Private to query.
#pragma once

#include <memory>
#include <vector>

#include "query/places.h"
#include "query/table_batch.h"
#include "query/table_plan.h"

namespace tensortap::query {

// One value of a series on its way into rows.
struct PlannedPlace {
  const PlannedSeries& series;
  const Place& place;
};

// What a table of places is: its heads, the words of its kWord columns behind run and tag, and what a place adds to it.
struct PlaceTable {
  std::vector<ColumnHead> heads;
  std::vector<Words> words;
  Status (*append)(const PlannedPlace& planned, BatchWriter& rows);
};

// Every place of every series of the plan, one series in memory at a time.
std::unique_ptr<TableCursor> places_cursor(TablePlan plan, PlaceTable table);

// What a table of runs is: as above; `append` adds the rows of the plan's run `run`.
struct RunTable {
  std::vector<ColumnHead> heads;
  std::vector<Words> words;  // behind run
  Status (*append)(const TablePlan& plan, std::size_t run, BatchWriter& rows);
};
std::unique_ptr<TableCursor> runs_cursor(TablePlan plan, RunTable table);

// The points of every scalar series of the plan, one series in memory at a time.
std::unique_ptr<TableCursor> scalars_cursor(TablePlan plan);

PlaceTable stats_table();
PlaceTable histograms_table();
PlaceTable tensors_table();
PlaceTable predictions_table();
PlaceTable images_table();
PlaceTable audio_table();
PlaceTable text_table();
RunTable hparams_table();
RunTable runs_table();
RunTable tags_table(const TablePlan& plan);

// Heads and cells that most tables begin with: run, tag, step, wall_time; of captures also phase and sequence.
std::vector<ColumnHead> heads_of_values(std::vector<ColumnHead> more);
std::vector<ColumnHead> heads_of_captures(std::vector<ColumnHead> more);
const Words& phase_words();
void add_value_cells(const PlannedPlace& planned, BatchWriter& rows);
void add_capture_cells(const PlannedPlace& planned, BatchWriter& rows);

}  // namespace tensortap::query
