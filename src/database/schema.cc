// Schema: tables and their columns. Once released, columns are only ever added, at the end, and may be NULL.
#include "database/schema.h"

#include <algorithm>

namespace tensortap::database {
namespace {

using Columns = std::vector<Column>;
using enum ColumnType;

// What every capture has, before what its kind has.
Table capture_table(std::string_view name, std::string_view view, ViewNaming naming, bool several, bool clustered,
                    const Columns& own) {
  Columns columns = {{"run_id", kInteger}, {"tag_id", kInteger}, {"sequence", kInteger}};
  std::vector<std::string_view> key = {"run_id", "tag_id", "sequence"};
  if (several) {
    columns.push_back({"item", kInteger});
    key.emplace_back("item");
  }
  columns.insert(columns.end(),
                 {{"step", kInteger}, {"epoch", kInteger, true}, {"phase", kText, true}, {"wall_time", kFloat}});
  columns.insert(columns.end(), own.begin(), own.end());
  return {name, view, naming, std::move(key), std::move(columns), clustered};
}

Columns stat_columns() {
  Columns columns = {{"dtype", kText}, {"shape", kText}};
  for (const char* name : {"count", "zeros", "nan", "positive_inf", "negative_inf", "negatives", "subnormals"}) {
    columns.push_back({name, kInteger});
  }
  for (const char* name : {"min", "max", "mean", "std", "l1", "l2", "p1", "p5", "p25", "p50", "p75", "p95", "p99"}) {
    columns.push_back({name, kFloat});
  }
  return columns;
}

Columns prediction_columns() {
  return {{"id", kText},
          {"label", kFloat, true},
          {"predicted", kFloat, true},
          {"dtype", kText},
          {"shape", kText},
          {"output", kFloats, true},
          {"labels", kFloats, true},
          {"output_npy", kBlob, true},
          {"labels_npy", kBlob, true}};
}

std::vector<Table> make_tables() {
  const auto tagged = ViewNaming::kRunTag;
  return {
      {"run_rows",
       "runs",
       ViewNaming::kRun,
       {"run_id"},
       {{"run_id", kInteger},
        {"name", kText},
        {"path", kText},
        {"host", kText},
        {"process_id", kInteger},
        {"opened", kFloat},
        {"closed", kFloat, true},
        {"success", kFlag, true},
        {"offered", kInteger, true},
        {"dropped", kInteger, true}}},
      {"tag_rows",
       "tags",
       ViewNaming::kRun,
       {"run_id", "tag_id"},
       {{"run_id", kInteger}, {"tag_id", kInteger}, {"name", kText}}},
      capture_table("scalar_rows", "scalars", tagged, false, true, {{"value", kFloat}}),
      capture_table("stat_rows", "stats", tagged, false, true, stat_columns()),
      capture_table("tensor_rows", "tensors", tagged, false, false,
                    {{"dtype", kText}, {"shape", kText}, {"npy", kBlob}}),
      capture_table("prediction_rows", "predictions", ViewNaming::kRunName, true, false, prediction_columns()),
      capture_table("image_rows", "images", tagged, true, false,
                    {{"width", kInteger}, {"height", kInteger}, {"png", kBlob}}),
      capture_table("audio_rows", "audio", tagged, true, false, {{"wav", kBlob}}),
      capture_table("text_rows", "texts", tagged, true, false, {{"text", kText}}),
      capture_table("hparam_rows", "hparams", ViewNaming::kRun, true, false,
                    {{"name", kText}, {"number", kFloat, true}, {"text", kText}}),
  };
}

}  // namespace

bool Table::has_step() const {
  return std::any_of(columns.begin(), columns.end(), [](const Column& column) { return column.name == "step"; });
}

const std::vector<Table>& tables() {
  static const std::vector<Table> all = make_tables();
  return all;
}

}  // namespace tensortap::database
