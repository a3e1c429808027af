// Spot: one place in a program where a tensor is tapped by name: it finds its run and its step when it executes.
//
//   tap.tap(x, "encoder/attention")  -> the op carries the spot's number -> Spot::see(x) -> the innermost open run
//   run.scalar("loss", symbolic)     -> the same, of one given run
//
// So a function that was traced under one run records under the next, and where no run is open nothing happens.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "recorder/batch_clock.h"
#include "recorder/spot_display.h"
#include "recorder/tap_schedule.h"
#include "tensortap/export.h"
#include "tensortap/media.h"
#include "tensortap/result.h"

namespace tensortap::recorder {

class Channel;

enum class SpotKind : std::uint8_t { kTensor, kScalar, kImage };

struct SpotOptions {
  std::string tag = {};
  std::int64_t run = 0;  // a number of open_runs.h; 0: the innermost
  SpotKind kind = SpotKind::kTensor;
  bool stats = true;  // kTensor: statistics, values, or both
  bool values = false;
  std::int64_t first_samples = 0;  // above 0: of the values only so many along the first dimension
  ImageScale image_scale = ImageScale::kAuto;
  TapSchedule schedule = {};
  bool numbers_calls = false;   // the second execution in a batch gets a tag of its own: name#1
  double shows_per_second = 0;  // 0: shows nothing

  bool operator==(const SpotOptions&) const = default;
};

// What the program says about one execution.
struct SpotMoment {
  std::optional<std::int64_t> step =
      std::nullopt;                               // unknown: that of the run's batch, else how often this was executed
  std::span<const std::int64_t> iterations = {};  // of the loops around it, from the outermost in
};

// Threads:  any.
// Failure:  none reaches the program: what cannot be recorded is counted in its run.
// Lifetime: as long as the process: graphs hold its number.
class TENSORTAP_API Spot {
 public:
  // The same options give the same spot.
  static std::int64_t number_of(const SpotOptions& options);
  // Null for a number of another process.
  static Spot* find(std::int64_t untrusted_number);

  // Whether see() would do anything at all now.
  bool listens() const;
  // Records the tensor, and gives the line to show if there is one now.
  std::optional<std::string> see(const KeptTensor& tensor, const SpotMoment& moment);

 private:
  explicit Spot(SpotOptions options);

  // What one execution is, among the others of this spot.
  struct Execution {
    bool is_due = false;
    std::int64_t step = 0;
    Phase phase = Phase::kNone;
    std::uint64_t call = 0;  // how often it was executed before in the same batch
  };

  Execution next(const Channel* channel, const SpotMoment& moment);
  void count_batch(const BatchMark& mark, std::int64_t epoch);
  std::string tag_of(const Execution& execution, const SpotMoment& moment) const;
  Status record(Channel& channel, const std::string& tag, const KeptTensor& tensor, const Execution& execution) const;

  const SpotOptions options_;
  SpotDisplay display_;
  std::mutex mutex_;
  std::int64_t counted_for_ = 0;  // the number of a run; 0: none
  std::uint64_t batch_serial_ = 0;
  std::array<std::uint64_t, 4> batches_{};  // of each phase
  std::array<std::int64_t, 4> epoch_seen_{};
  bool is_first_of_epoch_ = false;
  bool is_due_ = false;
  std::uint64_t calls_ = 0;
  std::uint64_t executions_ = 0;
};

}  // namespace tensortap::recorder
