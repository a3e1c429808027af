// Globs over names of layers and variables.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/glob.h"
#include "base/near_names.h"
#include "bindings.h"

namespace tensortap::python {

namespace nb = nanobind;
using nb::literals::operator""_a;

void bind_globs(nb::module_& module) {
  module.def(
      "glob_matches", [](const std::string& pattern, const std::string& name) { return glob_matches(pattern, name); },
      "pattern"_a, "name"_a, "Whether the whole name matches; * stops at /, ** does not.");
  module.def(
      "did_you_mean",
      [](const std::string& wanted, const std::vector<std::string>& names) { return did_you_mean(wanted, names); },
      "wanted"_a, "names"_a, "A sentence that names some near names, or nothing.");
}

}  // namespace tensortap::python
