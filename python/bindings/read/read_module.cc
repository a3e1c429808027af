// _read: the reading half of Tensortap as a Python module.
#include <nanobind/nanobind.h>

#include "bindings.h"
#include "errors.h"

NB_MODULE(_read, module) {
  // TensorFlow keeps functions, and what they refer to, beyond the end of Python.
  nanobind::set_leak_warnings(false);
  module.doc() = "Tensortap's reader. Use tensortap.open instead of this module.";
  tensortap::python::bind_errors(module);
  tensortap::python::bind_run(module);
  tensortap::python::bind_table(module);
  tensortap::python::bind_directory(module);
}
