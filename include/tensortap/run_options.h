// RunOptions: how a run is opened, and what recording may cost.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tensortap/sinks.h"

namespace tensortap {

// What to do with a directory that already holds a run.
enum class RunMode {
  kNew,        // record into a numbered sibling: runs/a-2
  kResume,     // a new file beside the old ones
  kJoin,       // as one of several processes that write the same run
  kOverwrite,  // delete the old run's files first; refuses a directory that holds something else
};

// What a recording call does when the queue has no room.
enum class WhenFull {
  kDrop,    // drop what was offered, and count it
  kWait,    // wait up to wait_ms, then drop
  kStrict,  // wait up to wait_ms, then report an error from the call
};

// Which of the captured histograms also go into the event file, for TensorBoard to show.
enum class TensorBoardHistograms {
  kNone,
  kThinned,  // of each tag the first 50, then every 2nd, from 100 on every 4th, ..., and always the last
  kAll,
};

struct RunOptions {
  RunMode mode = RunMode::kNew;

  // Memory for what waits to be written: kept references and copies alike.
  std::uint64_t queue_bytes = std::uint64_t{256} << 20;
  WhenFull when_full = WhenFull::kDrop;
  std::int64_t wait_ms = 100;

  // The longest that a record waits before the operating system has it.
  std::int64_t flush_ms = 200;
  // The longest that close() waits for a disk that does not answer.
  std::int64_t close_ms = 10'000;

  TensorBoardHistograms tensorboard_histograms = TensorBoardHistograms::kThinned;

  // kResume only: tells TensorBoard to hide what older files hold from this step on.
  std::optional<std::int64_t> resume_step = std::nullopt;

  // Where else everything goes, besides the run's directory.
  std::vector<SinkSpec> sinks = {};
};

}  // namespace tensortap
