// Run: values over steps, as columns; translation only.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <utility>

#include "arrays.h"
#include "bindings.h"
#include "query/distributions.h"
#include "query/scalars.h"
#include "run_handle.h"
#include "texts.h"

namespace tensortap::python {

namespace nb = nanobind;
using nb::literals::operator""_a;
using Step = std::optional<std::int64_t>;

namespace {

nb::tuple to_columns(query::ScalarPoints points) {
  return nb::make_tuple(to_array(std::move(points.step)), to_array(std::move(points.wall_secs)),
                        to_array(std::move(points.value)));
}

nb::dict scalars(const RunHandle& handle, nb::handle tag, Step first, Step last, bool raw, std::uint64_t max_points) {
  const std::string name = from_str(tag, "tag");
  const query::ScalarRequest request{selection_of(first, last, raw), max_points};
  query::ScalarSeries series = ask(handle, [&](const query::Run& run) { return query::scalars(run, name, request); });
  nb::dict out;
  out["points"] = to_columns(std::move(series.points));
  out["non_finite"] = to_columns(std::move(series.non_finite));
  out["total_points"] = series.total_points;
  out["total_non_finite"] = series.total_non_finite;
  out["replaced_points"] = series.replaced_points;
  return out;
}

nb::object steps(const RunHandle& handle, nb::handle tag, nb::handle kind, bool raw) {
  const std::string name = from_str(tag, "tag");
  const store::Kind wanted = kind_of(kind);
  const query::Selection selection = selection_of({}, {}, raw);
  if (wanted == store::Kind::kScalars) {
    query::ScalarSeries series =
        ask(handle, [&](const query::Run& run) { return query::scalars(run, name, {selection}); });
    return to_array(std::move(series.points.step));
  }
  std::vector<std::int64_t> found;
  for (const query::Place& place :
       ask(handle, [&](const query::Run& run) { return query::places(run, name, wanted, selection); })) {
    found.push_back(place.entry.step);
  }
  return to_array(std::move(found));
}

nb::dict stats(const RunHandle& handle, nb::handle tag, Step first, Step last, bool raw, bool with_percentiles) {
  const std::string name = from_str(tag, "tag");
  const query::Selection selection = selection_of(first, last, raw);
  query::StatsColumns columns =
      ask(handle, [&](const query::Run& run) { return query::stats(run, name, selection, with_percentiles); });
  std::vector<std::uint8_t> phases(columns.phase.size());
  std::transform(columns.phase.begin(), columns.phase.end(), phases.begin(),
                 [](Phase phase) { return static_cast<std::uint8_t>(phase); });
  nb::dict out;
  out["step"] = to_array(std::move(columns.step));
  out["wall_time"] = to_array(std::move(columns.wall_secs));
  out["phase"] = to_array(std::move(phases));
  out["sequence"] = to_array(std::move(columns.sequence));
  out["count"] = to_array(std::move(columns.count));
  out["min"] = to_array(std::move(columns.min));
  out["max"] = to_array(std::move(columns.max));
  out["mean"] = to_array(std::move(columns.mean));
  out["std"] = to_array(std::move(columns.std));
  out["l1"] = to_array(std::move(columns.l1));
  out["l2"] = to_array(std::move(columns.l2));
  out["zeros"] = to_array(std::move(columns.zeros));
  out["nan"] = to_array(std::move(columns.nan));
  out["positive_inf"] = to_array(std::move(columns.positive_inf));
  out["negative_inf"] = to_array(std::move(columns.negative_inf));
  out["negatives"] = to_array(std::move(columns.negatives));
  out["subnormals"] = to_array(std::move(columns.subnormals));
  nb::dict percentiles;
  for (std::size_t i = 0; i < columns.percentiles.size(); ++i)
    percentiles[nb::int_(query::kPercentiles[i])] = to_array(std::move(columns.percentiles[i]));
  out["percentiles"] = percentiles;
  return out;
}

nb::list histograms(const RunHandle& handle, nb::handle tag, Step first, Step last, bool raw,
                    std::size_t max_histograms, std::size_t max_buckets) {
  const std::string name = from_str(tag, "tag");
  const query::Selection selection = selection_of(first, last, raw);
  nb::list out;
  for (query::HistogramAt& histogram : ask(handle, [&](const query::Run& run) {
         return query::histograms(run, name, selection, max_histograms, max_buckets);
       })) {
    out.append(nb::make_tuple(histogram.step, histogram.wall_secs, to_array(std::move(histogram.left)),
                              to_array(std::move(histogram.right)), to_array(std::move(histogram.count))));
  }
  return out;
}

}  // namespace

void bind_run_series(RunClass& run) {
  run.def("scalars", &scalars, "tag"_a, "first"_a.none(), "last"_a.none(), "raw"_a, "max_points"_a)
      .def("steps", &steps, "tag"_a, "kind"_a, "raw"_a)
      .def("stats", &stats, "tag"_a, "first"_a.none(), "last"_a.none(), "raw"_a, "with_percentiles"_a)
      .def("histograms", &histograms, "tag"_a, "first"_a.none(), "last"_a.none(), "raw"_a, "max_histograms"_a,
           "max_buckets"_a);
}

}  // namespace tensortap::python
