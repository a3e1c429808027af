// TapWatch: the taps of one watched model; translation only.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings.h"
#include "choices.h"
#include "errors.h"
#include "python_channel.h"
#include "recorder/tap_watch.h"

namespace tensortap::python {

namespace nb = nanobind;
using nb::literals::operator""_a;
using recorder::TapKind;
using recorder::TapWatch;

namespace {

constexpr std::array<std::pair<const char*, TapKind>, 3> kTapKinds{
    {{"tensor", TapKind::kTensor}, {"scalar", TapKind::kScalar}, {"update", TapKind::kUpdate}}};

// Closed when Python forgets it: a graph that still holds its taps then records nothing.
class PyTapWatch {
 public:
  explicit PyTapWatch(const PyChannel& channel) : watch_(TapWatch::open(channel.shared())) {}
  PyTapWatch(PyTapWatch&&) = default;
  ~PyTapWatch() {
    if (watch_) watch_->close();
  }
  TapWatch* operator->() const { return watch_.get(); }

 private:
  std::shared_ptr<TapWatch> watch_;
};

std::size_t add_schedule(PyTapWatch& self, std::uint64_t every, std::vector<std::int64_t> steps, std::uint64_t epochs) {
  std::sort(steps.begin(), steps.end());
  return self->add_schedule({every, std::move(steps), epochs});
}

std::int64_t add_tap(PyTapWatch& self, const PyChannel& channel, nb::handle tag, const std::string& kind,
                     const std::string& phase, std::size_t schedule, int replica, bool stats, bool values,
                     std::int64_t first_samples, const std::string& ratio_tag) {
  auto number = self->add_tap(
      channel.shared(), {std::string(text_of(tag, "tag")), choice(kind, "kind", kTapKinds),
                         choice(phase, "phase", kPhases), schedule, replica, stats, values, first_samples, ratio_tag});
  if (!number.ok()) raise_if_error(number.status());
  return *number;
}

}  // namespace

void bind_tap_watch(nb::module_& module) {
  nb::class_<PyTapWatch>(module, "TapWatch", "The taps of one watched model.")
      .def(nb::init<const PyChannel&>(), "channel"_a)
      .def_prop_ro(
          "number", [](const PyTapWatch& self) { return self->number(); }, "What the begin op carries.")
      .def("add_schedule", &add_schedule, "every"_a = 1, "steps"_a = std::vector<std::int64_t>(), "epochs"_a = 0,
           "The number of a new schedule; schedule 0 opens at every batch.")
      .def("add_tap", &add_tap, "channel"_a, "tag"_a, "kind"_a = "tensor", "phase"_a = "", "schedule"_a = 0,
           "replica"_a = 0, "stats"_a = true, "values"_a = false, "first_samples"_a = 0, "ratio_tag"_a = "",
           "The number of a new tap, for the tap op.")
      .def(
          "time_steps",
          [](PyTapWatch& self, const PyChannel& channel, const std::string& tag) {
            raise_if_error(self->time_steps(channel.shared(), tag));
          },
          "channel"_a, "tag"_a, "Records the seconds from one training batch to the next.")
      .def("begin_epoch",
           [](PyTapWatch& self, const std::string& phase) { self->begin_epoch(choice(phase, "phase", kPhases)); })
      .def(
          "follow_epochs", [](PyTapWatch& self) { self->follow_epochs(); }, "Epochs begin as run.epoch changes.")
      .def(
          "mute", [](PyTapWatch& self, bool muted) { self->mute(muted); }, "muted"_a)
      .def("batches",
           [](PyTapWatch& self, const std::string& phase) { return self->batches(choice(phase, "phase", kPhases)); })
      .def("close", [](PyTapWatch& self) { self->close(); }, "Nothing is recorded from now on.");
}

}  // namespace tensortap::python
