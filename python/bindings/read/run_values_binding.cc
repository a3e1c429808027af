// Run: tensors and predictions at one step; translation only.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <utility>

#include "arrays.h"
#include "bindings.h"
#include "query/tensors.h"
#include "run_handle.h"
#include "texts.h"

namespace tensortap::python {

namespace nb = nanobind;
using nb::literals::operator""_a;
using Step = std::optional<std::int64_t>;
// from, to, stride: as query::Slice.
using SliceTuple = std::tuple<std::int64_t, std::optional<std::int64_t>, std::int64_t>;

namespace {

// (dtype name, shape, elements): the bytes of numbers, a list of bytes for strings, None for no tensor at all.
nb::object to_parts(query::OwnedTensor tensor) {
  if (tensor.dtype == DType::kInvalid) return nb::none();
  nb::list shape;
  for (std::int64_t extent : tensor.shape) shape.append(extent);
  nb::object elements;
  if (tensor.dtype == DType::kString) {
    nb::list strings;
    for (const std::string& text : tensor.strings) strings.append(to_bytes(text));
    elements = strings;
  } else {
    elements = to_array(std::move(tensor.data));
  }
  return nb::make_tuple(to_str(dtype_name(tensor.dtype)), shape, elements);
}

nb::object tensor(const RunHandle& handle, nb::handle tag, nb::handle kind, Step step,
                  const std::vector<SliceTuple>& slices) {
  const std::string name = from_str(tag, "tag");
  const store::Kind wanted = kind_of(kind);
  std::vector<query::Slice> parts;
  for (const auto& [from, to, stride] : slices) parts.push_back({from, to, stride});
  return to_parts(ask(handle, [&](const query::Run& run) -> Result<query::OwnedTensor> {
    Result<query::Place> place = find_place(run, name, wanted, step);
    if (!place.ok()) return place.status();
    return query::tensor_at(*place, parts);
  }));
}

nb::dict predictions(const RunHandle& handle, nb::handle tag, Step step) {
  const std::string name = from_str(tag, "tag");
  auto [place, set] = ask(handle, [&](const query::Run& run) -> Result<std::pair<query::Place, query::PredictionSet>> {
    Result<query::Place> found = find_place(run, name, store::Kind::kPredictions, step);
    if (!found.ok()) return found.status();
    Result<query::PredictionSet> read = query::predictions_at(*found);
    if (!read.ok()) return read.status();
    return std::pair(std::move(*found), std::move(*read));
  });
  nb::dict out;
  out["step"] = place.entry.step;
  out["wall_time"] = place.entry.wall_secs;
  out["number_ids"] = to_array(std::move(set.number_ids));
  out["text_ids"] = to_strs(set.text_ids);
  out["y_true"] = to_parts(std::move(set.y_true));
  out["y_pred"] = to_parts(std::move(set.y_pred));
  return out;
}

}  // namespace

void bind_run_values(RunClass& run) {
  run.def("tensor", &tensor, "tag"_a, "kind"_a, "step"_a.none(), "slices"_a)
      .def("predictions", &predictions, "tag"_a, "step"_a.none());
}

}  // namespace tensortap::python
