// Names between Python and C++: any bytes a file or its path may hold, there and back.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>
#include <vector>

namespace tensortap::python {

// What is no UTF-8 becomes lone surrogates, as in Python's own file names.
nanobind::str to_str(std::string_view bytes);
nanobind::list to_strs(const std::vector<std::string>& texts);

// The inverse. TypeError for what is no str.
std::string from_str(nanobind::handle text, const char* what);

nanobind::bytes to_bytes(std::string_view bytes);

}  // namespace tensortap::python
