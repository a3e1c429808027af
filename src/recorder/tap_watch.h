// TapWatch: the taps of one watched model: where each tensor goes, and whether the batch that runs is recorded.
//
//   begin op ----- begin_batch(phase, replica, step) -----> opens or shuts the gates of this batch
//   tap op ------- any_open(taps)? -> TapValue ... -------> record_taps() -> queue
//
// Python makes the watch and its taps while a function is traced; the ops carry only numbers, and find the taps again
// when their kernels are made. So a graph holds no pointer, and one that outlives its watch does nothing.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "recorder/tap_schedule.h"
#include "tensortap/export.h"
#include "tensortap/media.h"
#include "tensortap/result.h"
#include "tensortap/tensor_view.h"

namespace tensortap::recorder {

class Channel;
class TapWatch;
struct Tag;

// Where nothing in the graph counts steps: the run knows, or batches are counted.
inline constexpr std::int64_t kUnknownStep = std::numeric_limits<std::int64_t>::min();

// What becomes of a tensor.
enum class TapKind : std::uint8_t {
  kTensor,  // statistics, values, or both
  kScalar,  // one number
  kUpdate,  // two tensors, before and after: statistics of the change, and its norm relative to what was there
};

// What Python says about one tensor.
struct TapOptions {
  std::string tag = {};
  TapKind kind = TapKind::kTensor;
  Phase phase = Phase::kNone;
  std::size_t schedule = 0;  // of the watch
  int replica = 0;
  bool stats = true;
  bool values = false;
  std::int64_t first_samples = 0;  // above 0: of the values only so many along the first dimension
  std::string ratio_tag = {};      // kUpdate
};

// One tensor of a graph.
//
// Threads:  any; everything but the gate is fixed.
// Failure:  none.
// Lifetime: shared by its watch and by the kernels that found it.
struct Tap {
  TapOptions options;
  std::shared_ptr<Channel> channel;
  Tag* tag = nullptr;
  Tag* ratio_tag = nullptr;
  const std::atomic<bool>* gate = nullptr;  // of the watch
  std::shared_ptr<TapWatch> watch;

  bool is_open() const { return gate->load(std::memory_order_relaxed); }
  int input_count() const { return options.kind == TapKind::kUpdate ? 2 : 1; }
};

// The tensors of one tap, at one step.
struct TapValue {
  const Tap* tap = nullptr;
  KeptTensor tensor;
  KeptTensor after;  // kUpdate
};

// Offers what an op has seen, with one turn of each queue's lock. Never fails: what cannot be recorded is counted.
TENSORTAP_API void record_taps(std::span<TapValue> values, std::int64_t step);

// Threads:  any. begin_batch() of one phase and replica comes from one thread at a time.
// Failure:  add_tap() says what is wrong with a tag; the rest cannot fail.
// Lifetime: until close(), known by number to the whole process; its taps keep it, and the channel, alive.
class TENSORTAP_API TapWatch : public std::enable_shared_from_this<TapWatch> {
 public:
  static constexpr int kMaxReplicas = 64;

  // `channel`'s run gets the step of each training batch.
  static std::shared_ptr<TapWatch> open(std::shared_ptr<Channel> channel);
  ~TapWatch();

  // What ops carry. 0 is never one.
  std::int64_t number() const { return number_; }

  // For taps that do not record at all batches; 0 is a schedule that opens at every batch.
  std::size_t add_schedule(TapSchedule schedule);
  // A number for the tap op. The tensors go to `channel`, which is a sub-run of the watch's run or that run itself.
  Result<std::int64_t> add_tap(std::shared_ptr<Channel> channel, TapOptions options);

  // From now on the seconds from one training batch to the next are recorded, but for those that an epoch divides.
  Status time_steps(std::shared_ptr<Channel> channel, const std::string& tag);

  // From now on an epoch begins when the channel's published epoch changes, rather than with begin_epoch().
  void follow_epochs();
  // The next batch of this phase is the first of an epoch.
  void begin_epoch(Phase phase);
  // Nothing is recorded in between: for steps that are the recorder's own.
  void mute(bool muted);
  // Decides about the taps of this batch; true when any of them is to record.
  bool begin_batch(Phase phase, int replica, std::int64_t step);
  // What kUnknownStep stands for: that of the batch that runs.
  std::int64_t current_step() const { return current_step_.load(std::memory_order_relaxed); }
  // Shuts all gates for good.
  void close();

  std::uint64_t batches(Phase phase) const;

 private:
  static constexpr std::size_t kPhases = 4;

  // The gates of one schedule, for each phase and replica.
  struct Gates {
    TapSchedule schedule;
    std::array<std::array<std::atomic<bool>, kMaxReplicas>, kPhases> open{};
  };
  // How far one phase has come on one replica.
  struct Progress {
    std::uint64_t batches = 0;
    std::uint64_t epochs_seen = 0;
  };

  explicit TapWatch(std::shared_ptr<Channel> channel);
  void record_step_seconds(std::int64_t step);

  const std::shared_ptr<Channel> channel_;
  const std::int64_t number_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Gates>> gates_;
  std::array<std::array<Progress, kMaxReplicas>, kPhases> progress_{};
  std::array<std::uint64_t, kPhases> epochs_begun_{};
  std::vector<std::int64_t> tap_numbers_;
  std::shared_ptr<const Tap> step_seconds_;  // null: not recorded
  std::int64_t batch_began_nanos_ = 0;       // 0: nothing to measure from
  std::int64_t batch_step_ = 0;
  std::atomic<std::int64_t> current_step_{0};
  std::array<std::int64_t, kPhases> followed_epoch_{};
  bool follows_epochs_ = false;
  bool muted_ = false;
  bool closed_ = false;
};

// The tap or the watch of a number; null when there is none (any more).
TENSORTAP_API std::shared_ptr<const Tap> find_tap(std::int64_t untrusted_number);
TENSORTAP_API std::shared_ptr<TapWatch> find_watch(std::int64_t untrusted_number);

}  // namespace tensortap::recorder
