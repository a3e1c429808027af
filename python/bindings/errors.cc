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
  // Not PyErr_SetString: a message may quote a zero byte, or bytes that are no UTF-8.
  const auto size = static_cast<Py_ssize_t>(message.size());
  PyObject* text = PyUnicode_DecodeUTF8(message.data(), size, "replace");
  if (text != nullptr) PyErr_SetObject(exception, text);
  Py_XDECREF(text);
  throw nanobind::python_error();
}

}  // namespace tensortap::python
