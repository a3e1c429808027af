// ProgressBar: a line on stderr that says how far a long load is.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "store/log_directory.h"

namespace tensortap::cli {

// Shown from half a second on, and only where somebody looks.
//
// Threads:  asks `progress` from a thread of its own.
// Failure:  without another thread there is no bar.
// Lifetime: takes the line away when it ends.
class ProgressBar {
 public:
  ProgressBar(std::string_view what, std::function<store::LoadProgress()> progress);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

 private:
  void watch();

  const std::string what_;
  const std::function<store::LoadProgress()> progress_;
  std::mutex lock_;
  std::condition_variable ended_changed_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace tensortap::cli
