// How a Status becomes a Python exception: the one table.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "tensortap/status.h"

namespace tensortap::python {

// Throws the exception for an error; returns for success.
//
//   kInvalidArgument, kClosed  ValueError
//   kNotFound                  FileNotFoundError
//   kIo, kTruncated, kCorrupt  OSError
//   kUnsupported               TypeError
void raise_if_error(const Status& status);

// Throws `exception` with a message.
[[noreturn]] void raise(PyObject* exception, const std::string& message);

}  // namespace tensortap::python
