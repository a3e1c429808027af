// A worker thread, and a Python thread that looks after signals meanwhile.
#include "interruptible.h"

#include <nanobind/nanobind.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace tensortap::python {

namespace nb = nanobind;

namespace {

constexpr std::chrono::milliseconds kBetweenChecks{50};

struct Work {
  std::mutex lock;
  std::condition_variable changed;
  bool done = false;
  Status status;
  std::exception_ptr error;
};

void run(Work& work, const std::function<Status()>& call) {
  Status status;
  std::exception_ptr error;
  try {
    status = call();
  } catch (...) {
    error = std::current_exception();
  }
  std::lock_guard guard(work.lock);
  work.status = std::move(status);
  work.error = error;
  work.done = true;
  work.changed.notify_all();
}

bool wait_a_while(Work& work) {
  nb::gil_scoped_release released;
  std::unique_lock guard(work.lock);
  return work.changed.wait_for(guard, kBetweenChecks, [&] { return work.done; });
}

}  // namespace

Status run_interruptible(const std::function<Status()>& call, const std::function<void()>& stop) {
  Work work;
  std::jthread thread([&] { run(work, call); });
  while (!wait_a_while(work)) {
    if (PyErr_CheckSignals() == 0) continue;
    nb::python_error raised;  // takes what the handler raised, so that waiting cannot lose it
    stop();
    while (!wait_a_while(work)) stop();
    throw raised;
  }
  if (work.error) std::rethrow_exception(work.error);
  return work.status;
}

}  // namespace tensortap::python
