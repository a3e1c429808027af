// Spot: from one execution to a recording call.
#include "recorder/spot.h"

#include <algorithm>
#include <deque>
#include <random>
#include <unordered_map>

#include "base/clock.h"
#include "recorder/channel.h"
#include "recorder/first_samples.h"
#include "recorder/open_runs.h"
#include "stats/value_reader.h"

namespace tensortap::recorder {
namespace {

// Iterations beyond share the last tag: a loop over a long sequence must not make a tag of each element.
constexpr std::int64_t kMaxIterations = 1024;

// All spots of the process. Never destroyed: TensorFlow's threads may outlive exit().
struct SpotNumbers {
  std::mutex mutex;
  std::int64_t first = 0;
  std::deque<Spot*> spots;
  std::unordered_multimap<std::string, std::size_t> by_tag;

  // A graph that was saved in another process must not find spots here: numbers begin at a random place.
  SpotNumbers() {
    std::random_device random;
    first = static_cast<std::int64_t>((static_cast<std::uint64_t>(random()) << 30) & 0x3fff'ffff'0000'0000U) + 1;
  }
};

SpotNumbers& numbers() {
  static auto* all = new SpotNumbers;
  return *all;
}

std::size_t index(Phase phase) { return static_cast<std::size_t>(phase); }

// Phases are sub-runs, as for the taps of a watch.
std::shared_ptr<Channel> of_phase(const std::shared_ptr<Channel>& run, Phase phase) {
  if (phase != Phase::kVal && phase != Phase::kPredict) return run;
  Result<std::shared_ptr<Channel>> sub_run = run->sub(phase == Phase::kVal ? "val" : "predict");
  return sub_run.ok() ? std::move(sub_run).value() : run;
}

}  // namespace

Spot::Spot(SpotOptions options) : options_(std::move(options)), display_(options_.shows_per_second) {
  epoch_seen_.fill(-1);
}

std::int64_t Spot::number_of(const SpotOptions& options) {
  std::lock_guard lock(numbers().mutex);
  auto& [mutex, first, spots, by_tag] = numbers();
  const auto [begin, end] = by_tag.equal_range(options.tag);
  for (auto known = begin; known != end; ++known) {
    if (spots[known->second]->options_ == options) return first + static_cast<std::int64_t>(known->second);
  }
  by_tag.emplace(options.tag, spots.size());
  spots.push_back(new Spot(options));
  return first + static_cast<std::int64_t>(spots.size() - 1);
}

Spot* Spot::find(std::int64_t untrusted_number) {
  std::lock_guard lock(numbers().mutex);
  const auto offset = static_cast<std::uint64_t>(untrusted_number) - static_cast<std::uint64_t>(numbers().first);
  return offset < numbers().spots.size() ? numbers().spots[offset] : nullptr;
}

bool Spot::listens() const { return display_.is_on() || any_run_open(); }

std::optional<std::string> Spot::see(const KeptTensor& tensor, const SpotMoment& moment) {
  const std::shared_ptr<Channel> channel = options_.run == 0 ? innermost_run() : find_open_run(options_.run);
  if (!channel && !display_.is_on()) return std::nullopt;
  const Execution execution = next(channel.get(), moment);
  if (!execution.is_due) return std::nullopt;
  const std::string tag = tag_of(execution, moment);
  if (channel) {
    const std::shared_ptr<Channel> target = options_.run == 0 ? of_phase(channel, execution.phase) : channel;
    Status status = record(*target, tag, tensor, execution);
    if (!status.ok() && status.code() != StatusCode::kClosed) channel->refuse(tag, execution.step, status);
  }
  if (!display_.is_on()) return std::nullopt;
  const std::optional<std::uint64_t> held_back = display_.turn(monotonic_nanos());
  if (!held_back) return std::nullopt;
  std::string line = describe_tensor(tag, execution.step, tensor.view);
  if (*held_back > 0) line += "  (" + std::to_string(*held_back) + " not shown)";
  return line;
}

Spot::Execution Spot::next(const Channel* channel, const SpotMoment& moment) {
  const BatchMark mark = channel == nullptr ? BatchMark() : channel->batch();
  std::lock_guard lock(mutex_);
  const std::int64_t run = channel == nullptr ? 0 : channel->number();
  if (run != counted_for_) {  // a new run counts anew
    counted_for_ = run;
    batch_serial_ = 0;
    batches_.fill(0);
    epoch_seen_.fill(-1);
    executions_ = 0;
  }
  Execution execution;
  execution.phase = mark.phase;
  const bool goes_on = executions_ > 0 && std::any_of(moment.iterations.begin(), moment.iterations.end(),
                                                      [](std::int64_t iteration) { return iteration != 0; });
  if (!goes_on) ++executions_;
  execution.step = moment.step.value_or(mark.step.value_or(static_cast<std::int64_t>(executions_) - 1));
  // Where nobody tells of batches each execution is one, but for a loop's.
  const bool is_new_batch =
      mark.serial == 0 ? !goes_on : mark.serial != batch_serial_ || batches_[index(mark.phase)] == 0;
  if (is_new_batch) {
    batch_serial_ = mark.serial;
    calls_ = 0;
    count_batch({execution.step, mark.phase, mark.serial}, channel == nullptr ? -1 : channel->published_epoch());
  }
  execution.is_due = is_due_;
  execution.call = calls_++;
  return execution;
}

void Spot::count_batch(const BatchMark& mark, std::int64_t epoch) {
  const std::size_t phase = index(mark.phase);
  const bool is_first = batches_[phase] == 0 || epoch != epoch_seen_[phase];
  epoch_seen_[phase] = epoch;
  const TapMoment moment{batches_[phase]++, mark.step.value_or(0), epoch < 0 ? 0 : static_cast<std::uint64_t>(epoch),
                         is_first};
  is_due_ = options_.schedule.opens(moment);
}

std::string Spot::tag_of(const Execution& execution, const SpotMoment& moment) const {
  if (!options_.numbers_calls) return options_.tag;
  std::string suffix;
  bool is_first = true;
  for (const std::int64_t iteration : moment.iterations) {
    is_first &= iteration == 0;
    suffix += (suffix.empty() ? "#" : ".") + std::to_string(std::min(iteration, kMaxIterations));
  }
  if (moment.iterations.empty() && execution.call > 0) {
    is_first = false;
    suffix = "#" + std::to_string(std::min(execution.call, static_cast<std::uint64_t>(kMaxIterations)));
  }
  return is_first ? options_.tag : options_.tag + suffix;
}

Status Spot::record(Channel& channel, const std::string& tag, const KeptTensor& tensor,
                    const Execution& execution) const {
  if (options_.kind == SpotKind::kImage) return channel.image(tag, tensor, execution.step, options_.image_scale);
  if (options_.kind == SpotKind::kScalar) {
    Status valid = tensor.view.validate();
    if (!valid.ok()) return valid;
    if (tensor.view.element_count() != 1) {
      return Status(StatusCode::kInvalidArgument,
                    "a scalar has one element, not the shape " + shape_to_string(tensor.view.shape));
    }
    double number = 0;
    stats::read_values(tensor.view, 0, 1, &number);
    return channel.scalar(tag, number, execution.step);
  }
  Status status;
  if (options_.stats) status = channel.histogram(tag, tensor, execution.step, execution.phase);
  if (options_.values) {
    Status kept = channel.tensor(tag, first_samples(tensor, options_.first_samples), execution.step, execution.phase);
    if (status.ok()) status = std::move(kept);
  }
  return status;
}

}  // namespace tensortap::recorder
