// Interruptible: long work that Ctrl-C ends for the one who waits for it.
#pragma once

#include <functional>

#include "tensortap/status.h"

namespace tensortap::python {

// Runs `work` on a thread of its own, without the GIL, while this thread runs Python's signal handlers; needs the GIL.
// When a handler raises, `stop` must make `work` end soon; then that is thrown.
Status run_interruptible(const std::function<Status()>& work, const std::function<void()>& stop);

}  // namespace tensortap::python
