// TapWatch: gates that a batch opens, and the numbers by which ops find their taps.
#include "recorder/tap_watch.h"

#include <random>
#include <unordered_map>

#include "base/clock.h"
#include "event/plugins.h"
#include "recorder/recorder.h"

namespace tensortap::recorder {
namespace {

// Every watch and every tap of the process. Never destroyed: TensorFlow's threads may outlive exit().
struct TapNumbers {
  std::mutex mutex;
  std::int64_t next = 0;
  std::unordered_map<std::int64_t, std::shared_ptr<const Tap>> taps;
  std::unordered_map<std::int64_t, std::weak_ptr<TapWatch>> watches;

  // A graph that was saved in another process must not find taps here: numbers begin at a random place.
  TapNumbers() {
    std::random_device random;
    next = static_cast<std::int64_t>((static_cast<std::uint64_t>(random()) << 30) & 0x3fff'ffff'0000'0000U) + 1;
  }
};

TapNumbers& numbers() {
  static auto* all = new TapNumbers;
  return *all;
}

std::int64_t next_number() {
  std::lock_guard lock(numbers().mutex);
  return numbers().next++;
}

std::size_t index(Phase phase) { return static_cast<std::size_t>(phase); }

}  // namespace

TapWatch::TapWatch(std::shared_ptr<Channel> channel) : channel_(std::move(channel)), number_(next_number()) {
  gates_.push_back(std::make_unique<Gates>());
}

TapWatch::~TapWatch() = default;

std::shared_ptr<TapWatch> TapWatch::open(std::shared_ptr<Channel> channel) {
  std::shared_ptr<TapWatch> watch(new TapWatch(std::move(channel)));
  std::lock_guard lock(numbers().mutex);
  numbers().watches[watch->number_] = watch;
  return watch;
}

std::size_t TapWatch::add_schedule(TapSchedule schedule) {
  auto gates = std::make_unique<Gates>();
  gates->schedule = std::move(schedule);
  std::lock_guard lock(mutex_);
  gates_.push_back(std::move(gates));
  return gates_.size() - 1;
}

Result<std::int64_t> TapWatch::add_tap(std::shared_ptr<Channel> channel, TapOptions options) {
  auto tap = std::make_shared<Tap>();
  {
    std::lock_guard lock(mutex_);
    if (options.schedule >= gates_.size() || options.replica < 0 || options.replica >= kMaxReplicas) {
      return Status(StatusCode::kInvalidArgument, "no schedule " + std::to_string(options.schedule) + ", or replica " +
                                                      std::to_string(options.replica) + " beyond " +
                                                      std::to_string(kMaxReplicas - 1));
    }
    tap->gate = &gates_[options.schedule]->open[index(options.phase)][static_cast<std::size_t>(options.replica)];
  }
  const bool shown = channel->recorder_.options().tensorboard_histograms != TensorBoardHistograms::kNone;
  std::string_view kind = shown && options.stats ? event::plugin::kHistograms : std::string_view();
  if (options.kind == TapKind::kScalar) kind = event::plugin::kScalars;
  auto tag = channel->tags_->find_or_add(options.tag, kind);
  if (!tag.ok()) return tag.status();
  tap->tag = *tag;
  if (!options.ratio_tag.empty()) {
    auto ratio = channel->tags_->find_or_add(options.ratio_tag, event::plugin::kScalars);
    if (!ratio.ok()) return ratio.status();
    tap->ratio_tag = *ratio;
  }
  tap->options = std::move(options);
  tap->channel = std::move(channel);
  tap->watch = shared_from_this();
  const std::int64_t number = next_number();
  std::lock_guard lock(numbers().mutex);
  numbers().taps[number] = std::move(tap);
  tap_numbers_.push_back(number);
  return number;
}

Status TapWatch::time_steps(std::shared_ptr<Channel> channel, const std::string& tag) {
  TapOptions options{.tag = tag, .kind = TapKind::kScalar, .phase = Phase::kTrain};
  auto number = add_tap(std::move(channel), std::move(options));
  if (!number.ok()) return number.status();
  std::lock_guard lock(mutex_);
  step_seconds_ = find_tap(*number);
  return {};
}

void TapWatch::record_step_seconds(std::int64_t step) {
  const std::int64_t now_nanos = monotonic_nanos();
  if (step_seconds_ && batch_began_nanos_ != 0) {
    const double seconds = static_cast<double>(now_nanos - batch_began_nanos_) * 1e-9;
    TapValue value{step_seconds_.get(), {view(&seconds, Shape{}), nullptr}, {}};
    record_taps({&value, 1}, batch_step_);
  }
  batch_began_nanos_ = now_nanos;
  batch_step_ = step;
}

void TapWatch::follow_epochs() {
  std::lock_guard lock(mutex_);
  follows_epochs_ = true;
  followed_epoch_.fill(-1);
}

void TapWatch::begin_epoch(Phase phase) {
  std::lock_guard lock(mutex_);
  batch_began_nanos_ = 0;  // what passed since the last batch was not training alone
  ++epochs_begun_[index(phase)];
}

void TapWatch::mute(bool muted) {
  std::lock_guard lock(mutex_);
  muted_ = muted;
  if (muted) channel_->end_batches();
  batch_began_nanos_ = 0;  // what passes until the next batch is no step's time
}

bool TapWatch::begin_batch(Phase phase, int replica, std::int64_t step) {
  if (replica < 0 || replica >= kMaxReplicas) return false;
  const auto slot = static_cast<std::size_t>(replica);
  std::lock_guard lock(mutex_);
  if (step == kUnknownStep) {
    const auto batches = static_cast<std::int64_t>(progress_[index(phase)][slot].batches);
    step = channel_->published_serial() == 0 ? batches : channel_->published_step().value_or(batches);
  }
  current_step_.store(step, std::memory_order_relaxed);
  channel_->begin_batch(step, phase);
  if (follows_epochs_ && followed_epoch_[index(phase)] != channel_->published_epoch()) {
    followed_epoch_[index(phase)] = channel_->published_epoch();
    ++epochs_begun_[index(phase)];
  }
  const bool listens = !closed_ && !muted_;
  if (listens) {
    if (phase == Phase::kTrain && replica == 0) record_step_seconds(step);
    bool any = false;
    Progress& progress = progress_[index(phase)][slot];
    const std::uint64_t begun = epochs_begun_[index(phase)];
    const bool first_of_epoch = begun != progress.epochs_seen || progress.batches == 0;
    const TapMoment moment{progress.batches, step, begun == 0 ? 0 : begun - 1, first_of_epoch};
    progress.epochs_seen = begun;
    ++progress.batches;
    for (auto& gates : gates_) {
      const bool opens = gates->schedule.opens(moment);
      gates->open[index(phase)][slot].store(opens, std::memory_order_relaxed);
      any |= opens;
    }
    return any;
  }
  for (auto& gates : gates_) gates->open[index(phase)][slot].store(false, std::memory_order_relaxed);
  return false;
}

void TapWatch::close() {
  std::vector<std::shared_ptr<const Tap>> dropped;  // destroyed without the lock
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    channel_->end_batches();
    step_seconds_.reset();
    for (auto& gates : gates_) {
      for (auto& phase : gates->open) {
        for (auto& gate : phase) gate.store(false, std::memory_order_relaxed);
      }
    }
  }
  std::lock_guard numbers_lock(numbers().mutex);
  for (const std::int64_t number : std::exchange(tap_numbers_, {})) {
    auto found = numbers().taps.find(number);
    if (found == numbers().taps.end()) continue;
    dropped.push_back(std::move(found->second));
    numbers().taps.erase(found);
  }
  numbers().watches.erase(number_);
}

std::uint64_t TapWatch::batches(Phase phase) const {
  std::lock_guard lock(mutex_);
  return progress_[index(phase)][0].batches;
}

std::shared_ptr<const Tap> find_tap(std::int64_t untrusted_number) {
  std::lock_guard lock(numbers().mutex);
  auto found = numbers().taps.find(untrusted_number);
  return found == numbers().taps.end() ? nullptr : found->second;
}

std::shared_ptr<TapWatch> find_watch(std::int64_t untrusted_number) {
  std::lock_guard lock(numbers().mutex);
  auto found = numbers().watches.find(untrusted_number);
  return found == numbers().watches.end() ? nullptr : found->second.lock();
}

}  // namespace tensortap::recorder
