// PythonBuffer over the buffer protocol.
#include "python_buffer.h"

#include <nanobind/stl/string.h>

#include <mutex>
#include <vector>

#include "errors.h"

namespace tensortap::python {
namespace {

namespace nb = nanobind;

struct FinishedList {
  std::mutex mutex;
  std::vector<Py_buffer*> buffers;
};

// Never destroyed: the worker may still let go of buffers while the program ends.
FinishedList& finished() {
  static auto* list = new FinishedList;
  return *list;
}

int release_from_main_loop(void*) {
  release_finished_buffers();
  return 0;
}

// Called by whoever held the last reference, with or without the GIL.
void finish(Py_buffer* buffer) {
  bool first;
  {
    std::lock_guard lock(finished().mutex);
    first = finished().buffers.empty();
    finished().buffers.push_back(buffer);
  }
  // Works without the GIL. When Python's own list is full, the next recording call does it.
  if (first && Py_IsInitialized()) (void)Py_AddPendingCall(release_from_main_loop, nullptr);
}

void release_now(Py_buffer* buffer) {
  PyBuffer_Release(buffer);
  delete buffer;
}

}  // namespace

void release_finished_buffers() {
  std::vector<Py_buffer*> buffers;
  {
    std::lock_guard lock(finished().mutex);
    buffers.swap(finished().buffers);
  }
  for (Py_buffer* buffer : buffers) release_now(buffer);
}

PythonBuffer::PythonBuffer(const nb::tuple& carrier) {
  const nb::handle array = carrier[0];
  const auto dtype_text = nb::cast<std::string>(carrier[1]);
  const bool shared = nb::cast<bool>(carrier[2]);
  Result<DType> dtype = dtype_from_name(dtype_text);
  if (!dtype.ok()) raise_if_error(dtype.status());

  auto* buffer = new Py_buffer;
  if (PyObject_GetBuffer(array.ptr(), buffer, PyBUF_STRIDES) != 0) {
    delete buffer;
    throw nb::python_error();
  }
  if (shared) {
    buffer_ = std::shared_ptr<Py_buffer>(buffer, finish);
  } else {
    buffer_ = std::shared_ptr<Py_buffer>(buffer, release_now);
  }

  TensorView view;
  view.data = buffer->buf;
  view.dtype = *dtype;
  view.shape.assign(buffer->shape, buffer->shape + buffer->ndim);
  view.strides_bytes.assign(buffer->strides, buffer->strides + buffer->ndim);
  tensor_ = KeptTensor(std::move(view), shared ? std::shared_ptr<const void>(buffer_) : nullptr);
}

}  // namespace tensortap::python
