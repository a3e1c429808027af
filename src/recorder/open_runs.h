// OpenRuns: the runs of this process that are open, for what finds its run when it executes.
#pragma once

#include <cstdint>
#include <memory>

#include "tensortap/export.h"

namespace tensortap::recorder {

class Channel;

// Threads: any, for all of them.

// From now on the run or sub-run is found by the number that comes back; a run also as the innermost one.
std::int64_t add_open_run(const std::shared_ptr<Channel>& channel);
// The run is closed; its sub-runs go with it.
void remove_open_run(const Channel& root);

// Whether there is any, by one look at one number.
TENSORTAP_API bool any_run_open();
// The run that was opened last of those that are open; null when there is none.
TENSORTAP_API std::shared_ptr<Channel> innermost_run();
// The run or sub-run of a number; null when it is closed.
TENSORTAP_API std::shared_ptr<Channel> find_open_run(std::int64_t untrusted_number);

}  // namespace tensortap::recorder
