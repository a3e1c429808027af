// Names between Python and C++.
#include "texts.h"

#include "errors.h"

namespace tensortap::python {

namespace nb = nanobind;

nb::str to_str(std::string_view bytes) {
  PyObject* text = PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogateescape");
  if (text == nullptr) throw nb::python_error();
  return nb::steal<nb::str>(text);
}

nb::list to_strs(const std::vector<std::string>& texts) {
  nb::list out;
  for (const std::string& text : texts) out.append(to_str(text));
  return out;
}

std::string from_str(nb::handle text, const char* what) {
  if (!PyUnicode_Check(text.ptr()))
    raise(PyExc_TypeError, std::string(what) + " must be a str, not " + Py_TYPE(text.ptr())->tp_name);
  PyObject* encoded = PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape");
  if (encoded == nullptr) throw nb::python_error();
  auto bytes = nb::steal<nb::bytes>(encoded);
  return {static_cast<const char*>(bytes.data()), bytes.size()};
}

nb::bytes to_bytes(std::string_view bytes) { return nb::bytes(bytes.data(), bytes.size()); }

}  // namespace tensortap::python
