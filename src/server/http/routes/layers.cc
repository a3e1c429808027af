// Layers: those of a run, and one statistic of all of them over all steps.
#include "query/layers.h"

#include "query/network.h"
#include "server/http/routes/answers.h"
#include "server/http/routes/question.h"
#include "server/http/routes/route_groups.h"
#include "server/http/routes/series_choice.h"

namespace tensortap::server {
namespace {

using format::ColumnsForm;
using format::ColumnsWriter;
using format::JsonWriter;
using query::LayerTensor;
using query::Network;
using query::Statistic;

constexpr std::size_t kUsualColumns = 200;
constexpr std::size_t kMostColumns = 2000;
constexpr std::size_t kMostCells = std::size_t{4} << 20;

void put_layer(JsonWriter& json, const query::Layer& layer) {
  json.begin_object();
  json.member("path", layer.path);
  if (!layer.kind.empty()) json.member("kind_of_layer", layer.kind);
  if (layer.output_shape.has_value()) {
    json.list("output_shape", *layer.output_shape);
    json.member("dtype", dtype_name(layer.dtype));
  }
  if (layer.parameters.has_value()) json.member("parameters", *layer.parameters);
  json.list("activations", layer.activations);
  json.list("gradients", layer.gradients);
  json.list("weights", layer.weights);
  json.list("updates", layer.updates);
  json.list("images", layer.images);
  json.list("tensors", layer.tensors);
  json.list("other", layer.other);
  json.end_object();
}

Response layers_as_csv(const std::vector<query::Layer>& layers) {
  std::vector<std::string> paths, shapes, dtypes;
  std::vector<std::uint64_t> parameters;
  std::vector<std::uint8_t> has_shape, has_parameters;
  for (const query::Layer& layer : layers) {
    paths.push_back(layer.path);
    shapes.push_back(shape_to_string(layer.output_shape.value_or(Shape())));
    dtypes.emplace_back(dtype_name(layer.dtype));
    has_shape.push_back(layer.output_shape.has_value() ? 1 : 0);
    parameters.push_back(layer.parameters.value_or(0));
    has_parameters.push_back(layer.parameters.has_value() ? 1 : 0);
  }
  SmallTable table;
  table.add("path", ColumnType::kText, std::move(paths));
  table.add_nullable("output_shape", ColumnType::kText, std::move(shapes), has_shape);
  table.add_nullable("dtype", ColumnType::kText, std::move(dtypes), has_shape);
  table.add_nullable("parameters", ColumnType::kUint64, std::move(parameters), has_parameters);
  return csv_response(std::move(table).cursor(layers.size()), "layers");
}

Response layers(const Request& request, const ServedLogs& logs) {
  Question question(request, {"run", "format"});
  const std::string name = question.text("run");
  const std::string format = question.word("format", {"json", "csv"});
  if (!question.status().ok()) return error_response(question.status());
  Result<query::Run> run = logs.current()->find(name);
  if (!run.ok()) return error_response(run.status());
  const std::vector<query::Layer> all = query::layers(*run);
  if (format == "csv") return layers_as_csv(all);
  JsonWriter json;
  json.begin_object();
  json.member("run", run->name);
  json.key("layers");
  json.begin_array();
  for (const query::Layer& layer : all) put_layer(json, layer);
  json.end_array();
  json.end_object();
  return json_response(json);
}

LayerTensor tensor_named(const std::string& word) {
  if (word == "gradients") return LayerTensor::kGradients;
  if (word == "weights") return LayerTensor::kWeights;
  return word == "updates" ? LayerTensor::kUpdates : LayerTensor::kActivations;
}

Statistic statistic_named(const std::string& word) {
  if (word == "std") return Statistic::kStd;
  if (word == "mean") return Statistic::kMean;
  if (word == "abs_max") return Statistic::kAbsMax;
  if (word == "min") return Statistic::kMin;
  if (word == "max") return Statistic::kMax;
  if (word == "l2") return Statistic::kL2;
  if (word == "zeros") return Statistic::kZeros;
  return word == "nan" ? Statistic::kNan : Statistic::kRms;
}

struct NetworkQuestion {
  std::vector<std::string> runs;
  std::string of, statistic, format;
  query::NetworkRequest request;
};

NetworkQuestion read(Question& question) {
  NetworkQuestion asked;
  asked.runs = question.texts("run");
  asked.of = question.word("of", {"activations", "gradients", "weights", "updates"});
  asked.statistic = question.word("stat", {"rms", "std", "mean", "abs_max", "min", "max", "l2", "zeros", "nan"});
  asked.format = question.word("format", {"columns", "json", "csv"});
  asked.request.of = tensor_named(asked.of);
  asked.request.statistic = statistic_named(asked.statistic);
  asked.request.columns = question.number("columns", kUsualColumns, 1, kMostColumns);
  asked.request.selection = question.selection();
  return asked;
}

void put_layers(JsonWriter& meta, const Network& network) {
  meta.key("layers");
  meta.begin_array();
  for (const query::NetworkLayer& layer : network.layers) {
    meta.begin_object();
    meta.member("path", layer.path);
    meta.list("shape", layer.shape);
    meta.end_object();
  }
  meta.end_array();
}

// Pictures need no more than float32.
std::vector<double> as_floats(const std::vector<double>& values) {
  std::vector<double> floats;
  floats.reserve(values.size());
  for (double value : values) floats.push_back(static_cast<double>(static_cast<float>(value)));
  return floats;
}

Response network_as_columns(const NetworkQuestion& asked, const std::vector<query::Run>& runs, const Network& network) {
  const ColumnsForm form = asked.format == "json" ? ColumnsForm::kJson : ColumnsForm::kBinary;
  ColumnsWriter columns(form);
  JsonWriter& meta = columns.meta();
  meta.member("of", asked.of);
  meta.member("stat", asked.statistic);
  meta.member("first_step", network.first_step);
  meta.member("last_step", network.last_step);
  meta.member("columns", network.columns);
  meta.member("column_steps", network.column_steps);
  put_layers(meta, network);
  meta.key("runs");
  meta.begin_array();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const query::NetworkRun& grid = network.runs[i];
    meta.begin_object();
    meta.member("run", runs[i].name);
    columns.column("value", as_floats(grid.value));
    columns.column("mark", grid.mark);
    meta.key("tags");
    meta.begin_array();
    for (const auto& tag : grid.tag) tag.has_value() ? meta.value(*tag) : meta.null();
    meta.end_array();
    meta.member("last_step", grid.last_step);
    meta.end_object();
  }
  meta.end_array();
  return columns_response(columns, form);
}

Response network_as_csv(const std::vector<query::Run>& runs, const Network& network) {
  std::vector<std::string> names, paths, tags, marks;
  std::vector<double> steps, values;
  constexpr std::string_view kMarks[] = {"", "value", "nan", "inf"};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const query::NetworkRun& grid = network.runs[i];
    for (std::size_t cell = 0; cell < grid.value.size(); ++cell) {
      if (grid.mark[cell] == 0) continue;
      const std::size_t layer = cell / network.columns;
      names.push_back(runs[i].name);
      paths.push_back(network.layers[layer].path);
      tags.push_back(grid.tag[layer].value_or(""));
      steps.push_back(static_cast<double>(network.first_step) +
                      static_cast<double>(cell % network.columns) * network.column_steps);
      values.push_back(grid.value[cell]);
      marks.emplace_back(kMarks[grid.mark[cell]]);
    }
  }
  const std::size_t rows = values.size();
  SmallTable table;
  table.add("run", ColumnType::kText, std::move(names));
  table.add("layer", ColumnType::kText, std::move(paths));
  table.add("tag", ColumnType::kText, std::move(tags));
  table.add("first_step", ColumnType::kFloat64, std::move(steps));
  table.add("value", ColumnType::kFloat64, std::move(values));
  table.add("mark", ColumnType::kText, std::move(marks));
  return csv_response(std::move(table).cursor(rows), "network");
}

Response network(const Request& request, const ServedLogs& logs) {
  Question question(request, {"run*", "of", "stat", "columns", "first_step", "last_step", "format"});
  const NetworkQuestion asked = read(question);
  if (!question.status().ok()) return error_response(question.status());
  Result<std::vector<query::Run>> runs = query::choose_runs(*logs.current(), asked.runs);
  if (!runs.ok()) return error_response(runs.status());
  Result<Network> found = query::network(*runs, asked.request, kMostCells);
  if (!found.ok()) return error_response(found.status());
  return asked.format == "csv" ? network_as_csv(*runs, *found) : network_as_columns(asked, *runs, *found);
}

}  // namespace

void add_layer_routes(Router& router, ServedLogs& logs) {
  add_route(router, logs, "layers", layers);
  add_route(router, logs, "network", network);
}

}  // namespace tensortap::server
