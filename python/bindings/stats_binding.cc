// tensor_stats(): the statistics of one array, for tests and for printing.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "errors.h"
#include "python_buffer.h"
#include "tensortap/tensor_stats.h"

namespace tensortap::python {

namespace nb = nanobind;

namespace {

nb::dict tensor_stats(const nb::tuple& carrier) {
  PythonBuffer buffer(carrier);
  Result<TensorStats> computed = compute_stats(buffer.tensor().view);
  if (!computed.ok()) raise_if_error(computed.status());
  const TensorStats& stats = *computed;
  nb::dict out;
  out["count"] = stats.count;
  out["zeros"] = stats.zeros;
  out["nan"] = stats.nan;
  out["positive_inf"] = stats.positive_inf;
  out["negative_inf"] = stats.negative_inf;
  out["negatives"] = stats.negatives;
  out["subnormals"] = stats.subnormals;
  out["min"] = stats.min;
  out["max"] = stats.max;
  out["mean"] = stats.mean();
  out["std"] = stats.std();
  out["l1"] = stats.l1;
  out["l2"] = stats.l2();
  nb::list percentiles;
  for (int percent : {1, 5, 25, 50, 75, 95, 99}) percentiles.append(stats.percentile(percent / 100.0));
  out["percentiles"] = percentiles;
  return out;
}

}  // namespace

void bind_stats(nb::module_& module) {
  module.def("tensor_stats", &tensor_stats, nb::arg("carrier"), "Statistics of one array, as a dict.");
}

}  // namespace tensortap::python
