// Channel: the bound class behind tap.Run; translation only.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "bindings.h"
#include "choices.h"
#include "errors.h"
#include "python_buffer.h"
#include "python_channel.h"
#include "recorder/channel.h"
#include "tensortap/run.h"

namespace tensortap::python {

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

double number_of(nb::handle value) {
  PyObject* object = value.ptr();
  if (PyFloat_CheckExact(object)) return PyFloat_AS_DOUBLE(object);
  if (PyLong_CheckExact(object)) {
    const double number = PyLong_AsDouble(object);
    if (number == -1.0 && PyErr_Occurred()) throw nb::python_error();
    return number;
  }
  return nb::cast<double>(nb::module_::import_("tensortap.carriers").attr("number")(value));
}

RunOptions options_from(nb::dict options) {
  RunOptions out;
  auto text = [&](const char* name) { return nb::cast<std::string>(options[name]); };
  out.mode = choice(text("mode"), "mode", kModes);
  out.when_full = choice(text("when_full"), "when_full", kWhenFull);
  out.tensorboard_histograms = choice(text("histograms"), "tensorboard", kHistograms);
  out.queue_bytes = nb::cast<std::uint64_t>(options["queue_bytes"]);
  out.wait_ms = nb::cast<std::int64_t>(options["wait_ms"]);
  out.flush_ms = nb::cast<std::int64_t>(options["flush_ms"]);
  out.close_ms = nb::cast<std::int64_t>(options["close_ms"]);
  out.resume_step = nb::cast<std::optional<std::int64_t>>(options["resume_step"]);
  for (nb::handle sink : nb::cast<nb::list>(options["sinks"])) {
    out.sinks.push_back({nb::cast<std::string>(sink.attr("kind")), nb::cast<std::string>(sink.attr("target")),
                         nb::cast<std::map<std::string, std::string>>(sink.attr("options"))});
  }
  return out;
}

void open_root(PyChannel* self, const std::string& path, nb::dict options) {
  RunOptions parsed = options_from(options);
  auto channel = [&] {
    nb::gil_scoped_release released;
    return recorder::Channel::open(path, parsed);
  }();
  if (!channel.ok()) raise_if_error(channel.status());
  new (self) PyChannel(std::move(channel).value(), true);
}

void open_sub(PyChannel* self, const PyChannel& parent, nb::handle name) {
  auto channel = parent->sub(text_of(name, "the name of a sub-run"));
  if (!channel.ok()) raise_if_error(channel.status());
  new (self) PyChannel(std::move(channel).value(), false);
}

// Whether this is a tensor of a function under construction, which an op has to record when it runs.
bool is_symbolic(nb::handle value) {
  if (PyFloat_CheckExact(value.ptr()) || PyLong_CheckExact(value.ptr())) return false;
  return nb::cast<bool>(nb::module_::import_("tensortap.carriers").attr("is_symbolic")(value));
}

void scalar(PyChannel& self, nb::handle tag, nb::handle value, nb::handle step) {
  if (is_symbolic(value) || (!step.is_none() && is_symbolic(step))) {
    nb::module_::import_("tensortap.loops.spots").attr("record")(nb::find(self), "scalar", tag, value, step);
    return;
  }
  raise_if_error(self->scalar(text_of(tag, "tag"), number_of(value), self.step_of(step)));
}

// Runs a recording call without the GIL, then gives back what the worker is done with.
template <typename Call>
void record(Call call) {
  Status status = [&] {
    nb::gil_scoped_release released;
    return call();
  }();
  release_finished_buffers();
  raise_if_error(status);
}

// As record(), for calls whose failure Python decides about: its text, or None.
template <typename Call>
std::optional<std::string> failure(Call call) {
  Status status = [&] {
    nb::gil_scoped_release released;
    return call();
  }();
  release_finished_buffers();
  return status.ok() ? std::nullopt : std::optional<std::string>(status.message());
}

void histogram(PyChannel& self, nb::handle tag, const nb::tuple& carrier, nb::handle step, const std::string& phase) {
  PythonBuffer buffer(carrier);
  const auto name = text_of(tag, "tag");
  const auto at = self.step_of(step);
  const Phase during = choice(phase, "phase", kPhases);
  record([&] { return self->histogram(name, buffer.tensor(), at, during); });
}

void tensor(PyChannel& self, nb::handle tag, const nb::tuple& carrier, nb::handle step, const std::string& phase) {
  PythonBuffer buffer(carrier);
  const auto name = text_of(tag, "tag");
  const auto at = self.step_of(step);
  const Phase during = choice(phase, "phase", kPhases);
  record([&] { return self->tensor(name, buffer.tensor(), at, during); });
}

void image(PyChannel& self, nb::handle tag, const nb::tuple& carrier, nb::handle step, const std::string& scale) {
  PythonBuffer buffer(carrier);
  const auto name = text_of(tag, "tag");
  const auto at = self.step_of(step);
  const ImageScale chosen = choice(scale, "scale", kScales);
  record([&] { return self->image(name, buffer.tensor(), at, chosen); });
}

void feature_maps(PyChannel& self, nb::handle tag, const nb::tuple& carrier, nb::handle step, std::int64_t samples) {
  PythonBuffer buffer(carrier);
  const auto name = text_of(tag, "tag");
  const auto at = self.step_of(step);
  record([&] { return self->feature_maps(name, buffer.tensor(), at, samples); });
}

void audio(PyChannel& self, nb::handle tag, const nb::tuple& carrier, double rate, nb::handle step) {
  PythonBuffer buffer(carrier);
  const auto name = text_of(tag, "tag");
  const auto at = self.step_of(step);
  record([&] { return self->audio(name, buffer.tensor(), rate, at); });
}

void text(PyChannel& self, nb::handle tag, const std::vector<std::string>& texts, const Shape& shape, nb::handle step) {
  raise_if_error(self->text(text_of(tag, "tag"), texts, shape, self.step_of(step)));
}

void predictions(PyChannel& self, nb::handle name, const nb::tuple& y_pred, const std::optional<nb::tuple>& y_true,
                 const std::vector<std::int64_t>& number_ids, const std::vector<std::string>& text_ids, nb::handle step,
                 const std::string& phase) {
  PythonBuffer outputs(y_pred);
  std::optional<PythonBuffer> labels;
  if (y_true) labels.emplace(*y_true);
  Predictions captured{outputs.tensor(), labels ? labels->tensor() : KeptTensor(), number_ids, text_ids};
  const auto tag = text_of(name, "name");
  const auto at = self.step_of(step);
  const Phase during = choice(phase, "phase", kPhases);
  record([&] { return self->predictions(tag, captured, at, during); });
}

void pr_curve(PyChannel& self, nb::handle tag, const nb::tuple& labels, const nb::tuple& scores, nb::handle step,
              int num_thresholds) {
  PythonBuffer label_buffer(labels), score_buffer(scores);
  const auto name = text_of(tag, "tag");
  const auto at = self.step_of(step);
  record([&] { return self->pr_curve(name, label_buffer.tensor(), score_buffer.tensor(), at, num_thresholds); });
}

void mesh(PyChannel& self, nb::handle tag, const nb::tuple& vertices, const std::optional<nb::tuple>& faces,
          const std::optional<nb::tuple>& colors, const std::string& config_json, nb::handle step) {
  PythonBuffer vertex_buffer(vertices);
  std::optional<PythonBuffer> face_buffer, color_buffer;
  if (faces) face_buffer.emplace(*faces);
  if (colors) color_buffer.emplace(*colors);
  Mesh captured{vertex_buffer.tensor(), face_buffer ? face_buffer->tensor() : KeptTensor(),
                color_buffer ? color_buffer->tensor() : KeptTensor(), config_json};
  const auto name = text_of(tag, "tag");
  const auto at = self.step_of(step);
  record([&] { return self->mesh(name, captured, at); });
}

nb::dict report(const PyChannel& self) {
  const RunReport report = self->report();
  nb::dict out;
  out["offered"] = report.offered;
  out["written"] = report.written;
  out["waiting"] = report.waiting;
  out["dropped"] = report.dropped;
  out["bytes"] = report.bytes;
  out["queue_bytes"] = report.queue_bytes;
  out["peak_queue_bytes"] = report.peak_queue_bytes;
  out["caller_seconds"] = report.caller_seconds;
  out["worker_seconds"] = report.worker_seconds;
  out["histograms_thinned"] = report.histograms_thinned;
  nb::dict sinks;
  for (const SinkReport& sink : report.sinks) {
    nb::dict one;
    one["written"] = sink.written;
    one["failed"] = sink.failed;
    one["error"] = sink.error.empty() ? nb::object(nb::none()) : nb::object(nb::cast(sink.error));
    sinks[sink.name.c_str()] = one;
  }
  out["sinks"] = sinks;
  return out;
}

}  // namespace

void bind_channel(nb::module_& module) {
  nb::class_<PyChannel>(module, "Channel", nb::is_weak_referenceable())
      .def("__init__", &open_root, "path"_a, "options"_a)
      .def("__init__", &open_sub, "parent"_a, "name"_a.none())
      .def("scalar", &scalar, "tag"_a.none(), "value"_a.none(), "step"_a = nb::none(),
           "Records one number. `value` is anything that float() takes; without `step`, run.step is used.")
      .def("_histogram", &histogram, "tag"_a.none(), "carrier"_a, "step"_a.none(), "phase"_a)
      .def("_tensor", &tensor, "tag"_a.none(), "carrier"_a, "step"_a.none(), "phase"_a)
      .def("_image", &image, "tag"_a.none(), "carrier"_a, "step"_a.none(), "scale"_a)
      .def("_feature_maps", &feature_maps, "tag"_a.none(), "carrier"_a, "step"_a.none(), "samples"_a)
      .def("_audio", &audio, "tag"_a.none(), "carrier"_a, "rate"_a, "step"_a.none())
      .def("_text", &text, "tag"_a.none(), "texts"_a, "shape"_a, "step"_a.none())
      .def("_predictions", &predictions, "name"_a.none(), "y_pred"_a, "y_true"_a.none(), "number_ids"_a, "text_ids"_a,
           "step"_a.none(), "phase"_a)
      .def("_pr_curve", &pr_curve, "tag"_a.none(), "labels"_a, "scores"_a, "step"_a.none(), "num_thresholds"_a)
      .def("_mesh", &mesh, "tag"_a.none(), "vertices"_a, "faces"_a.none(), "colors"_a.none(), "config_json"_a,
           "step"_a.none())
      .def("_hparams", [](PyChannel& self, const HParams& hparams,
                          const std::vector<std::string>& metrics) { raise_if_error(self->hparams(hparams, metrics)); })
      .def("_graph",
           [](PyChannel& self, nb::bytes graph) {
             raise_if_error(self->graph({static_cast<const char*>(graph.data()), graph.size()}));
           })
      .def("_keras_model", [](PyChannel& self, const std::string& json) { raise_if_error(self->keras_model(json)); })
      .def("_flush",
           [](PyChannel& self, bool sync) { return failure([&] { return sync ? self->sync() : self->flush(); }); })
      .def("_close", [](PyChannel& self, bool success) { return failure([&] { return self->close(success); }); })
      .def("report", &report, "What recording has done so far and what it cost, as a dict.")
      .def_prop_rw(
          "step", [](const PyChannel& self) { return self->published_step(); },
          [](PyChannel& self, nb::handle step) { self->publish_step(PyChannel::to_step(step)); },
          "The step of calls that give none; None until it is set.")
      .def_prop_rw(
          "epoch",
          [](const PyChannel& self) {
            const std::int64_t epoch = self->published_epoch();
            return epoch < 0 ? std::nullopt : std::optional(epoch);
          },
          [](PyChannel& self, nb::handle epoch) {
            self->publish_epoch(epoch.is_none() ? -1 : PyChannel::to_step(epoch));
          },
          nb::arg("epoch").none(), "The epoch that runs, for sinks that number by epochs; None until it is set.")
      .def_prop_ro(
          "path", [](const PyChannel& self) { return self->path(); }, "The directory this run records into.")
      .def_prop_ro(
          "number", [](const PyChannel& self) { return self->number(); }, "What ops carry that belong to this run.")
      .def_prop_ro("closed", [](const PyChannel& self) { return self->closed(); })
      .def_prop_ro("notes", [](const PyChannel& self) { return self->notes(); })
      .def_prop_ro(
          "error",
          [](const PyChannel& self) -> std::optional<std::string> {
            Status status = self->status();
            return status.ok() ? std::nullopt : std::optional<std::string>(status.to_string());
          },
          "The first error of recording as text, or None.");

  module.def(
      "new_run_directory",
      [](const std::string& parent, const std::string& name) {
        auto path = new_run_directory(parent, name);
        if (!path.ok()) raise_if_error(path.status());
        return *path;
      },
      "parent"_a, "name"_a);
}

}  // namespace tensortap::python
