// ForkGuard: keeps a forked child off its parent's files.
#pragma once

namespace tensortap::recorder {

class CaptureQueue;

// While an object of this class lives, fork() holds the queue's lock, so that the child never inherits it half-way, and
// marks the child's copy: it has no worker, and its files belong to the parent.
//
// Threads:  any.
// Failure:  none.
// Lifetime: no longer than the queue.
class ForkGuard {
 public:
  explicit ForkGuard(CaptureQueue& queue);
  ~ForkGuard();
  ForkGuard(const ForkGuard&) = delete;
  ForkGuard& operator=(const ForkGuard&) = delete;

 private:
  CaptureQueue& queue_;
};

}  // namespace tensortap::recorder
