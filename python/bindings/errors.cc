// Status codes to Python's exceptions.
#include "errors.h"

namespace tensortap::python {
namespace {

PyObject* exception_of(StatusCode code) {
  switch (code) {
    case StatusCode::kInvalidArgument:
    case StatusCode::kClosed: return PyExc_ValueError;
    case StatusCode::kNotFound: return PyExc_FileNotFoundError;
    case StatusCode::kUnsupported: return PyExc_TypeError;
    default: return PyExc_OSError;
  }
}

}  // namespace

void raise_if_error(const Status& status) {
  if (status.ok()) return;
  raise(exception_of(status.code()), status.message());
}

void raise(PyObject* exception, const std::string& message) {
  PyErr_SetString(exception, message.c_str());
  throw nanobind::python_error();
}

}  // namespace tensortap::python
