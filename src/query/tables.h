// Tables: the values of many runs as rows.
//
//   scalars      run, tag, step, wall_time, value
//   stats        run, tag, phase, sequence, step, wall_time, count, zeros, nan, positive_inf, negative_inf, negatives,
//                subnormals, min, max, mean, std, l1, l2, p1, p5, p25, p50, p75, p95, p99
//   histograms   run, tag, step, wall_time, left (list), right (list), count (list)
//   tensors      run, tag, phase, sequence, step, wall_time, dtype, shape, values (list; null for strings)
//   predictions  run, tag, step, wall_time, sample, id, y_true (list), y_pred (list)
//   images       run, tag, step, wall_time, sample, width, height, data (binary)
//   audio        run, tag, step, wall_time, sample, data (binary)
//   text         run, tag, step, wall_time, sample, text
//   hparams      run, name, type, number, text
//   runs         run, state, first_wall_time, last_wall_time, last_step, size_bytes, records, points, tags, dropped,
//                caller_seconds, worker_seconds
//   tags         run, tag, kind, count, first_step, last_step
//
// Lists are of float64, row by row, whatever the dtype; of complex numbers the real part, then the imaginary.
// A shape is a text, "[64,32]", and so is an id, also where a number was recorded. Phases are "", "train", "val" and
// "predict". The type of a hyperparameter is "bool", "number" or "text"; number is null for a text, and text for the
// others, of which a bool is 0 or 1.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "query/runs.h"
#include "query/selection.h"
#include "tensor/table.h"

namespace tensortap::query {

struct TableRequest {
  std::string table = "scalars";
  std::string run_glob = "**";
  std::string tag_glob = "**";
  Selection selection = {};
  // Where they are not empty they count instead of the globs: as choice.h takes them.
  std::vector<std::string> runs = {};
  std::vector<std::string> tags = {};
};

// Rows come by run, then by tag, then by step; every one of them, none sampled.
// A run_glob without a wildcard may also name a sub-run, whose tags are then its own; runs and hparams ignore tag_glob.
// kInvalidArgument for a table that does not exist, with those that do; kNotFound for a run_glob or tag_glob without a
// wildcard that matches nothing, with names that are near.
Result<std::unique_ptr<TableCursor>> open_table(const std::shared_ptr<const Runs>& runs, const TableRequest& request);

const std::vector<std::string>& table_names();

}  // namespace tensortap::query
