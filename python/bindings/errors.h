// How a Status becomes a Python exception: the one table.
#pragma once

#include "tensortap/status.h"

namespace tensortap::python {

// Throws the exception for an error; returns for success.
//
//   kInvalidArgument, kClosed  ValueError
//   kNotFound                  FileNotFoundError
//   kIo, kTruncated, kCorrupt  OSError
//   kUnsupported               TypeError
void raise_if_error(const Status& status);

}  // namespace tensortap::python
