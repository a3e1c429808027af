// ForkGuard: one registry of queues for pthread_atfork.
#include "recorder/fork_guard.h"

#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "recorder/capture_queue.h"

namespace tensortap::recorder {
namespace {

// Never destroyed: a child may fork while the program ends.
struct Registry {
  std::mutex mutex;
  std::vector<CaptureQueue*> queues;
};

Registry& registry() {
  static auto* instance = new Registry;
  return *instance;
}

void before_fork() {
  registry().mutex.lock();
  for (CaptureQueue* queue : registry().queues) queue->lock_for_fork();
}

void after_fork_in_parent() {
  for (CaptureQueue* queue : registry().queues) queue->unlock_after_fork();
  registry().mutex.unlock();
}

void after_fork_in_child() {
  for (CaptureQueue* queue : registry().queues) {
    queue->mark_forked();
    queue->unlock_after_fork();
  }
  registry().mutex.unlock();
}

}  // namespace

ForkGuard::ForkGuard(CaptureQueue& queue) : queue_(queue) {
  static const int registered = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  (void)registered;
  std::lock_guard lock(registry().mutex);
  registry().queues.push_back(&queue_);
}

ForkGuard::~ForkGuard() {
  std::lock_guard lock(registry().mutex);
  std::erase(registry().queues, &queue_);
}

}  // namespace tensortap::recorder
