// Network: rows of statistics out of memory, gathered into columns.
#include "query/network.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "query/distributions.h"
#include "query/layer_order.h"
#include "query/part_series.h"
#include "query/tensors.h"

namespace tensortap::query {
namespace {

using store::Kind;
using store::StatsRow;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr auto kNanMark = static_cast<std::uint8_t>(CellMark::kNan);
constexpr auto kInfMark = static_cast<std::uint8_t>(CellMark::kInf);

// What a grid shows of one capture.
struct Shown {
  std::int64_t step = 0;
  double value = 0;
  CellMark mark = CellMark::kValue;
};

// One row of a grid on its way: what is shown of a layer, and where its first value stands.
struct Row {
  std::string tag;
  std::vector<Shown> captures;  // by step
  Place first;
};

const std::vector<std::string>& tags_of(const Layer& layer, LayerTensor of) {
  switch (of) {
    case LayerTensor::kActivations: return layer.activations;
    case LayerTensor::kGradients: return layer.gradients;
    case LayerTensor::kWeights: return layer.weights;
    case LayerTensor::kUpdates: break;
  }
  return layer.updates;
}

double abs_max_of(const StatsRow& row) { return std::max(std::abs(row.min), std::abs(row.max)); }

double share_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? kNan : static_cast<double>(part) / static_cast<double>(whole);
}

std::uint64_t infinite(const StatsRow& row) { return row.positive_inf + row.negative_inf; }

double value_of(const StatsRow& row, Statistic statistic) {
  if (statistic == Statistic::kZeros) return share_of(row.zeros, row.count);
  if (statistic == Statistic::kNan) return share_of(row.nan + infinite(row), row.count);
  if (row.count <= row.nan + infinite(row)) return kNan;
  switch (statistic) {
    case Statistic::kRms: return rms_of(row);
    case Statistic::kStd: return row.std;
    case Statistic::kMean: return row.mean;
    case Statistic::kAbsMax: return abs_max_of(row);
    case Statistic::kMin: return row.min;
    case Statistic::kMax: return row.max;
    default: return row.l2;
  }
}

Shown shown(std::int64_t step, const StatsRow& row, Statistic statistic) {
  const CellMark mark = row.nan > 0 ? CellMark::kNan : infinite(row) > 0 ? CellMark::kInf : CellMark::kValue;
  return {step, value_of(row, statistic), mark};
}

// The usual case, without a copy of every place: one file has the tag, and nothing was restarted.
bool read_in_place(const Run& run, Row& row, const NetworkRequest& request) {
  const RunPart* only = nullptr;
  for (const RunPart& part : run.parts) {
    const auto name = tag_within(part, row.tag);
    if (!name.has_value()) continue;
    const bool matters = part.file->read([&](const store::FileContents& contents) {
      return contents.find(*name, Kind::kStats) != nullptr || !contents.notes.session_starts.empty();
    });
    if (matters && only != nullptr) return false;
    if (matters) only = &part;
  }
  if (only == nullptr) return false;
  return only->file->read([&](const store::FileContents& contents) {
    const store::Series* series = contents.find(*tag_within(*only, row.tag), Kind::kStats);
    if (series == nullptr || series->entries.empty() || !contents.notes.session_starts.empty()) return false;
    const bool ascends = std::is_sorted(series->entries.begin(), series->entries.end(),
                                        [](const auto& a, const auto& b) { return a.step < b.step; });
    if (!ascends) return false;
    row.first = {series->entries.front(), only->file, Kind::kStats, series->stats.front()};
    for (std::size_t i = 0; i < series->entries.size(); ++i) {
      const std::int64_t step = series->entries[i].step;
      if (request.selection.has(step)) row.captures.push_back(shown(step, series->stats[i], request.statistic));
    }
    return true;
  });
}

Row row_of(const Run& run, const std::string& tag, const NetworkRequest& request) {
  Row row{tag, {}, {}};
  if (read_in_place(run, row, request)) return row;
  const Result<std::vector<Place>> found = places(run, tag, Kind::kStats, request.selection);
  if (!found.ok() || found.value().empty()) return row;
  row.first = found.value().front();
  for (const Place& place : found.value()) {
    row.captures.push_back(shown(place.entry.step, place.stats, request.statistic));
  }
  return row;
}

// The rows of a run by the path of their layer.
using Rows = std::unordered_map<std::string, Row>;

Rows rows_of(const Run& run, const NetworkRequest& request, LayerOrder& order) {
  Rows rows;
  std::string before;
  for (const Layer& layer : layers(run, LayerShapes::kLeftOut)) {
    for (const std::string& tag : tags_of(layer, request.of)) {
      if (!has_series(run, tag, Kind::kStats)) continue;
      Row row = row_of(run, tag, request);
      if (row.first.file == nullptr) continue;
      order.add(layer.path, before);
      before = layer.path;
      rows.emplace(layer.path, std::move(row));
      break;
    }
  }
  return rows;
}

// First and last step of all rows, and the least distance of two.
struct Steps {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  double gap = std::numeric_limits<double>::infinity();

  void see(const Row& row) {
    if (row.captures.empty()) return;
    first = std::min(first, row.captures.front().step);
    last = std::max(last, row.captures.back().step);
    for (std::size_t i = 1; i < row.captures.size(); ++i) {
      const double distance = static_cast<double>(row.captures[i].step) - static_cast<double>(row.captures[i - 1].step);
      if (distance > 0) gap = std::min(gap, distance);
    }
  }
  bool empty() const { return first > last; }
};

void set_columns(const Steps& steps, std::size_t most, Network& network) {
  if (steps.empty()) return;
  network.first_step = steps.first;
  network.last_step = steps.last;
  const double span = static_cast<double>(steps.last) - static_cast<double>(steps.first);
  const double gap = std::isfinite(steps.gap) ? steps.gap : 1;
  network.columns = static_cast<std::size_t>(std::min(static_cast<double>(most), std::floor(span / gap) + 1));
  network.column_steps = (span + gap) / static_cast<double>(network.columns);
}

void fill_row(const Row& row, const Network& network, std::size_t offset, NetworkRun& grid) {
  for (const Shown& each : row.captures) {
    const double from_first = static_cast<double>(each.step) - static_cast<double>(network.first_step);
    const auto column = std::min(static_cast<std::size_t>(from_first / network.column_steps), network.columns - 1);
    double& value = grid.value[offset + column];
    std::uint8_t& mark = grid.mark[offset + column];
    if (std::isnan(value) || std::abs(each.value) > std::abs(value)) value = each.value;
    if (mark != kNanMark && (mark != kInfMark || each.mark == CellMark::kNan)) {
      mark = static_cast<std::uint8_t>(each.mark);
    }
    grid.last_step = std::max(grid.last_step, each.step);
  }
}

NetworkRun grid_of(const Rows& rows, const Network& network) {
  NetworkRun grid;
  grid.value.assign(network.layers.size() * network.columns, kNan);
  grid.mark.assign(grid.value.size(), static_cast<std::uint8_t>(CellMark::kNothing));
  grid.last_step = network.first_step;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto row = rows.find(network.layers[i].path);
    grid.tag.push_back(row == rows.end() ? std::nullopt : std::optional(row->second.tag));
    if (row != rows.end()) fill_row(row->second, network, i * network.columns, grid);
  }
  return grid;
}

Shape shape_of(const std::vector<Rows>& all, const std::string& path, LayerTensor of) {
  for (const Rows& rows : all) {
    const auto row = rows.find(path);
    if (row == rows.end()) continue;
    Result<TensorDescription> tensor = describe_tensor(row->second.first);
    if (!tensor.ok()) continue;
    if (of == LayerTensor::kActivations && !tensor->shape.empty()) tensor->shape.erase(tensor->shape.begin());
    return std::move(tensor->shape);
  }
  return {};
}

}  // namespace

Result<Network> network(std::span<const Run> runs, const NetworkRequest& request, std::size_t max_cells) {
  LayerOrder order;
  std::vector<Rows> all;
  Steps steps;
  for (const Run& run : runs) {
    all.push_back(rows_of(run, request, order));
    for (const auto& [path, row] : all.back()) steps.see(row);
  }
  Network network;
  set_columns(steps, request.columns, network);
  const std::size_t cells = order.paths().size() * network.columns * runs.size();
  if (cells > max_cells) {
    return Status(StatusCode::kInvalidArgument,
                  std::to_string(order.paths().size()) + " layers of " + std::to_string(runs.size()) + " runs at " +
                      std::to_string(network.columns) + " columns are " + std::to_string(cells) +
                      " cells, and an answer has at most " + std::to_string(max_cells) +
                      ": ask for fewer columns, or for fewer runs");
  }
  for (const std::string& path : order.paths()) network.layers.push_back({path, shape_of(all, path, request.of)});
  for (const Rows& rows : all) network.runs.push_back(grid_of(rows, network));
  return network;
}

}  // namespace tensortap::query
