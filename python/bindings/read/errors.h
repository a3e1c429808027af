// How a Status of the reading half becomes a Python exception: the one table.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <utility>

#include "tensortap/result.h"

namespace tensortap::python {

// Makes NotFoundError: a KeyError whose text is its sentence, where KeyError's own would be the quoted sentence.
void bind_errors(nanobind::module_& module);

// Throws the exception for an error; returns for success.
//
//   kInvalidArgument, kClosed  ValueError
//   kNotFound                  NotFoundError
//   kIo, kTruncated, kCorrupt  OSError
//   kUnsupported               NotImplementedError
void raise_if_error(const Status& status);

template <typename T>
T value_or_raise(Result<T> result) {
  if (!result.ok()) raise_if_error(result.status());
  return std::move(result).value();
}

// Throws `exception` with a message.
[[noreturn]] void raise(PyObject* exception, const std::string& message);

}  // namespace tensortap::python
