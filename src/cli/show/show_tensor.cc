// Tensors: dtype, shape, statistics, and the corners.
#include <fmt/format.h>

#include "cli/show/show_request.h"
#include "cli/show/stats_text.h"
#include "cli/show/tensor_text.h"
#include "query/tensors.h"
#include "tensortap/tensor_stats.h"

namespace tensortap::cli {
namespace {

using query::OwnedTensor;
using query::Place;

bool has_stats(const OwnedTensor& tensor) { return tensor.dtype != DType::kString && element_count(tensor) > 0; }

Result<TensorStats> stats_of(const OwnedTensor& tensor) {
  return compute_stats({tensor.data.data(), tensor.dtype, tensor.shape, {}});
}

Status print_json(const ShowRequest& request, const Place& place, const OwnedTensor& tensor) {
  JsonOut json;
  begin_json(json, request, place);
  json.member("dtype", dtype_name(tensor.dtype));
  json.list("shape", tensor.shape);
  if (has_stats(tensor)) {
    auto stats = stats_of(tensor);
    if (!stats.ok()) return stats.status();
    put_stats(json, stats_row(*stats));
  }
  put_elements(json, "values", tensor);
  json.end_object();
  return {};
}

}  // namespace

Status show_tensor(const ShowRequest& request) {
  auto place = chosen_place(request);
  if (!place.ok()) return place.status();
  auto tensor = query::tensor_at(*place);
  if (!tensor.ok()) return tensor.status();
  if (request.json) return print_json(request, *place, *tensor);
  print_heading(request, *place, fmt::format("{} {}", dtype_name(tensor->dtype), shape_to_string(tensor->shape)));
  if (has_stats(*tensor)) {
    auto stats = stats_of(*tensor);
    if (!stats.ok()) return stats.status();
    fmt::print("{}\n", stats_line(stats_row(*stats)));
  }
  fmt::print("{}\n", tensor_text(*tensor));
  return {};
}

}  // namespace tensortap::cli
