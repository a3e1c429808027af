// RunReport: what recording has done so far, and what it cost.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tensortap {

// One sink besides the run's directory.
struct SinkReport {
  std::string name;           // "csv out/a"
  std::uint64_t written = 0;  // captures that it has taken; kinds that it does not keep do not count
  std::uint64_t failed = 0;   // captures that it could not take, and lost
  std::string error;          // the first one; empty: none
};

// Counted over a run and its sub-runs. At any moment offered == written + waiting + dropped.
struct RunReport {
  std::uint64_t offered = 0;  // recording calls with valid arguments
  std::uint64_t written = 0;  // of them, handed to the operating system
  std::uint64_t waiting = 0;  // of them, still in memory
  std::uint64_t dropped = 0;  // of them, lost: no room in the queue, or the disk refused

  std::uint64_t bytes = 0;             // in all files, handed to the operating system
  std::uint64_t queue_bytes = 0;       // memory held by what waits
  std::uint64_t peak_queue_bytes = 0;  // the most it has been

  double caller_seconds = 0;  // spent inside recording calls
  double worker_seconds = 0;  // processor time of the worker thread

  std::uint64_t histograms_thinned = 0;  // captured in full, left out of the event file (TensorBoardHistograms)

  std::vector<SinkReport> sinks;
};

}  // namespace tensortap
