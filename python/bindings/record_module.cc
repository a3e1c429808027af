// _record: the recording half of Tensortap as a Python module.
#include <nanobind/nanobind.h>

#include "bindings.h"
#include "tensortap/version.h"

NB_MODULE(_record, module) {
  // TensorFlow keeps functions, and what they refer to, beyond the end of Python.
  nanobind::set_leak_warnings(false);
  module.doc() = "Tensortap's recorder. Use the package tensortap instead of this module.";
  module.attr("__version__") = TENSORTAP_VERSION;
  tensortap::python::bind_channel(module);
  tensortap::python::bind_tap_watch(module);
  tensortap::python::bind_spots(module);
  tensortap::python::bind_globs(module);
  tensortap::python::bind_stats(module);
}
