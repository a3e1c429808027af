// Spots: places where a tensor is tapped by name; translation only.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>

#include "bindings.h"
#include "choices.h"
#include "errors.h"
#include "python_buffer.h"
#include "python_channel.h"
#include "recorder/spot.h"

namespace tensortap::python {

namespace nb = nanobind;
using nb::literals::operator""_a;
using recorder::Spot;
using recorder::SpotKind;
using recorder::SpotOptions;

namespace {

constexpr std::array<std::pair<const char*, SpotKind>, 3> kSpotKinds{
    {{"tensor", SpotKind::kTensor}, {"scalar", SpotKind::kScalar}, {"image", SpotKind::kImage}}};

std::int64_t spot_number(nb::handle tag, std::int64_t run, const std::string& kind, bool stats, bool values,
                         std::int64_t first_samples, const std::string& scale, std::uint64_t every,
                         std::vector<std::int64_t> steps, std::uint64_t epochs, bool numbers_calls,
                         double shows_per_second) {
  std::sort(steps.begin(), steps.end());
  SpotOptions options;
  options.tag = text_of(tag, "the name of a tap");
  options.run = run;
  options.kind = choice(kind, "kind", kSpotKinds);
  options.stats = stats;
  options.values = values;
  options.first_samples = first_samples;
  options.image_scale = choice(scale, "scale", kScales);
  options.schedule = {every, std::move(steps), epochs};
  options.numbers_calls = numbers_calls;
  options.shows_per_second = shows_per_second;
  return Spot::number_of(options);
}

std::optional<std::string> see_spot(std::int64_t number, const nb::tuple& carrier, std::optional<std::int64_t> step) {
  Spot* spot = Spot::find(number);
  if (spot == nullptr || !spot->listens()) return std::nullopt;
  PythonBuffer buffer(carrier);
  std::optional<std::string> line = [&] {
    nb::gil_scoped_release released;
    return spot->see(buffer.tensor(), {step, {}});
  }();
  release_finished_buffers();
  return line;
}

}  // namespace

void bind_spots(nb::module_& module) {
  module.def("spot_number", &spot_number, "tag"_a.none(), "run"_a = 0, "kind"_a = "tensor", "stats"_a = true,
             "values"_a = false, "first_samples"_a = 0, "scale"_a = "auto", "every"_a = 1,
             "steps"_a = std::vector<std::int64_t>(), "epochs"_a = 0, "numbers_calls"_a = false,
             "shows_per_second"_a = 0.0, "What the spot op carries; the same for the same options.");
  module.def("see_spot", &see_spot, "number"_a, "carrier"_a, "step"_a.none(),
             "Records one array at a spot; a line to show, or None.");
  module.def(
      "spot_listens",
      [](std::int64_t number) {
        const Spot* spot = Spot::find(number);
        return spot != nullptr && spot->listens();
      },
      "number"_a, "Whether anything would become of a tensor at this spot now.");
}

}  // namespace tensortap::python
