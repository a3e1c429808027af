// Status codes to Python's exceptions.
#include "errors.h"

#include "texts.h"

namespace tensortap::python {

namespace nb = nanobind;

namespace {

// Owned by the module, which is never unloaded.
PyObject* not_found_error = nullptr;

PyObject* exception_of(StatusCode code) {
  switch (code) {
    case StatusCode::kInvalidArgument:
    case StatusCode::kClosed: return PyExc_ValueError;
    case StatusCode::kNotFound: return not_found_error;
    case StatusCode::kUnsupported: return PyExc_NotImplementedError;
    default: return PyExc_OSError;
  }
}

}  // namespace

void bind_errors(nb::module_& module) {
  nb::dict members;
  members["__str__"] = nb::handle(PyExc_Exception).attr("__str__");
  not_found_error = PyErr_NewExceptionWithDoc(
      "tensortap._read.NotFoundError", "A run, tag or step that is not there; the text names some that are near.",
      PyExc_KeyError, members.ptr());
  if (not_found_error == nullptr) throw nb::python_error();
  module.attr("NotFoundError") = nb::handle(not_found_error);
}

void raise_if_error(const Status& status) {
  if (status.ok()) return;
  raise(exception_of(status.code()), status.message());
}

void raise(PyObject* exception, const std::string& message) {
  PyErr_SetObject(exception, to_str(message).ptr());
  throw nb::python_error();
}

}  // namespace tensortap::python
