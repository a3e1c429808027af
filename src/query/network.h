// Network: one statistic of every layer over all steps, as a grid of layers and columns of steps.
//
//              first_step ... last_step
//   conv1      [ ][ ][ ][ ][ ][ ][ ]     a cell holds the value of greatest magnitude that its steps had, and whether
//   pool1      [ ][ ][ ][ ][ ][ ][ ]     anything in it was NaN or infinite; it is empty where nothing was recorded
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/layers.h"
#include "query/selection.h"

namespace tensortap::query {

enum class LayerTensor : std::uint8_t { kActivations, kGradients, kWeights, kUpdates };
enum class Statistic : std::uint8_t {
  kRms,
  kStd,
  kMean,
  kAbsMax,
  kMin,
  kMax,
  kL2,
  kZeros,  // the share of elements that are zero, 0..1
  kNan,    // the share of elements that are NaN or infinite, 0..1
};

struct NetworkRequest {
  LayerTensor of = LayerTensor::kActivations;
  Statistic statistic = Statistic::kRms;
  std::size_t columns = 100;  // at most; fewer where steps are further apart
  Selection selection = {};
};

enum class CellMark : std::uint8_t { kNothing = 0, kValue = 1, kNan = 2, kInf = 3 };

// The grid of one run: rows as Network::layers, row by row.
struct NetworkRun {
  std::vector<double> value;                    // NaN where there is none
  std::vector<std::uint8_t> mark;               // CellMark
  std::vector<std::optional<std::string>> tag;  // of each layer: what its row shows
  std::int64_t last_step = 0;                   // that anything was recorded at
};

struct NetworkLayer {
  std::string path;
  Shape shape;  // of what the rows show in the first run that has it; of activations without the batch
};

struct Network {
  // Column i holds the steps from first_step + i * column_steps up to the next column.
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
  double column_steps = 1;
  std::size_t columns = 0;
  std::vector<NetworkLayer> layers;  // of all runs, in the order of the network
  std::vector<NetworkRun> runs;      // as they were asked for
};

// A layer with several tensors of the kind (kernel, bias) is shown by its first.
// kInvalidArgument when the grid would have more than `max_cells`.
Result<Network> network(std::span<const Run> runs, const NetworkRequest& request, std::size_t max_cells);

}  // namespace tensortap::query
