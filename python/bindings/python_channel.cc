// PythonChannel: tags and steps as Python has them.
#include "python_channel.h"

#include <nanobind/stl/string.h>

#include <cmath>
#include <optional>
#include <string>

#include "errors.h"

namespace tensortap::python {

namespace nb = nanobind;

std::string_view text_of(nb::handle text, const char* what) {
  if (!PyUnicode_Check(text.ptr()))
    raise(PyExc_TypeError, std::string(what) + " must be a str, not " + Py_TYPE(text.ptr())->tp_name);
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data == nullptr) {
    PyErr_Clear();
    raise(PyExc_ValueError, std::string(what) + " must be valid UTF-8; it holds a lone surrogate");
  }
  return {data, static_cast<std::size_t>(size)};
}

std::int64_t PyChannel::step_of(nb::handle step) const {
  if (step.is_none()) {
    std::optional<std::int64_t> published = channel_->published_step();
    if (!published) raise(PyExc_ValueError, "no step is known: pass step=, or set run.step");
    return *published;
  }
  return to_step(step);
}

std::int64_t PyChannel::to_step(nb::handle step) {
  if (PyFloat_Check(step.ptr())) {
    raise(std::isfinite(PyFloat_AS_DOUBLE(step.ptr())) ? PyExc_TypeError : PyExc_ValueError,
          "step must be an integer, not " + nb::cast<std::string>(nb::repr(step)));
  }
  nb::object index = nb::steal(PyNumber_Index(step.ptr()));
  if (!index.is_valid()) {
    PyErr_Clear();
    index = nb::module_::import_("tensortap.carriers").attr("step")(step);
  }
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0) raise(PyExc_ValueError, "step does not fit 64 bits: " + nb::cast<std::string>(nb::repr(step)));
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();
  return value;
}

}  // namespace tensortap::python
