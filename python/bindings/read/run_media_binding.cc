// Run: pictures, sounds, texts, hyperparameters and graphs; translation only.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>

#include <type_traits>
#include <variant>

#include "bindings.h"
#include "query/media.h"
#include "run_handle.h"
#include "texts.h"

namespace tensortap::python {

namespace nb = nanobind;
using nb::literals::operator""_a;
using Step = std::optional<std::int64_t>;

namespace {

nb::list to_byte_list(const std::vector<std::string>& encoded) {
  nb::list out;
  for (const std::string& each : encoded) out.append(to_bytes(each));
  return out;
}

// What `read` makes of the value at a step.
template <typename Read>
auto read_at(const RunHandle& handle, nb::handle tag, store::Kind kind, Step step, Read read) {
  const std::string name = from_str(tag, "tag");
  return ask(handle, [&](const query::Run& run) -> decltype(read(query::Place())) {
    Result<query::Place> place = find_place(run, name, kind, step);
    if (!place.ok()) return place.status();
    return read(*place);
  });
}

nb::tuple images(const RunHandle& handle, nb::handle tag, Step step) {
  const query::Images found = read_at(handle, tag, store::Kind::kImages, step, query::images_at);
  return nb::make_tuple(found.width, found.height, to_byte_list(found.encoded));
}

nb::tuple audio(const RunHandle& handle, nb::handle tag, Step step) {
  const query::AudioClips found = read_at(handle, tag, store::Kind::kAudio, step, query::audio_at);
  return nb::make_tuple(found.sample_rate, to_str(found.content_type), to_byte_list(found.encoded));
}

nb::tuple text(const RunHandle& handle, nb::handle tag, Step step) {
  const query::Text found = read_at(handle, tag, store::Kind::kText, step, query::text_at);
  nb::list shape;
  for (std::int64_t extent : found.shape) shape.append(extent);
  return nb::make_tuple(shape, to_strs(found.strings));
}

const char* form_name(query::GraphForm form) {
  switch (form) {
    case query::GraphForm::kGraphDef: return "graph_def";
    case query::GraphForm::kMetaGraphDef: return "meta_graph_def";
    case query::GraphForm::kKerasModel: return "keras_model";
    case query::GraphForm::kRunMetadata: return "run_metadata";
    case query::GraphForm::kOther: break;
  }
  return "other";
}

nb::tuple graph(const RunHandle& handle, nb::handle tag, Step step) {
  const std::string name = from_str(tag, "tag");
  const query::Graph found = ask(handle, [&](const query::Run& run) -> Result<query::Graph> {
    Result<query::Place> place = find_place(run, name, store::Kind::kGraphs, step);
    if (!place.ok()) return place.status();
    return query::graph_at(*place, run, name);
  });
  return nb::make_tuple(form_name(found.form), to_bytes(found.bytes));
}

nb::object to_object(const HParam& value) {
  return std::visit(
      [](const auto& held) -> nb::object {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::string>) {
          return to_str(held);
        } else {
          return nb::cast(held);
        }
      },
      value);
}

nb::object hparams(const RunHandle& handle) {
  const std::optional<query::RunHParams> found = ask(handle, query::hparams);
  if (!found) return nb::none();
  nb::dict values;
  for (const auto& [name, value] : found->values) values[to_str(name)] = to_object(value);
  return values;
}

}  // namespace

void bind_run_media(RunClass& run) {
  run.def("images", &images, "tag"_a, "step"_a.none())
      .def("audio", &audio, "tag"_a, "step"_a.none())
      .def("text", &text, "tag"_a, "step"_a.none())
      .def("graph", &graph, "tag"_a, "step"_a.none())
      .def("hparams", &hparams);
}

}  // namespace tensortap::python
