// PythonBuffer: an array's memory as a KeptTensor, and its safe return to Python.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>

#include "tensortap/tensor_view.h"

namespace tensortap::python {

// What carriers.py makes of anything array-like: (array, dtype name, shared). `shared` says that nobody can write to
// the memory, so that a reference will do.
//
// Threads:  needs the GIL, to make and to destroy.
// Failure:  throws the Python error of a buffer that cannot be had, ValueError for an unknown dtype.
// Lifetime: tensor() without sharing is valid as long as this object; with sharing, as long as its owner is held,
//           by any thread.
class PythonBuffer {
 public:
  explicit PythonBuffer(const nanobind::tuple& carrier);

  const KeptTensor& tensor() const { return tensor_; }

 private:
  KeptTensor tensor_;
  std::shared_ptr<Py_buffer> buffer_;
};

// Gives back what the recorder's worker has let go of. Releasing a buffer needs the GIL, which the worker never takes:
// it only puts buffers on a list, for the next call from Python (or Python's main loop) to empty.
void release_finished_buffers();

}  // namespace tensortap::python
