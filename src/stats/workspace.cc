// The workspace of the calling thread.
#include "stats/workspace.h"

#include <memory>

namespace tensortap::stats {

Workspace& thread_workspace() {
  // By pointer: 150 KB in each thread's static storage would be paid for by threads that never record.
  thread_local std::unique_ptr<Workspace> workspace;
  if (workspace == nullptr) workspace = std::make_unique<Workspace>();
  return *workspace;
}

}  // namespace tensortap::stats
