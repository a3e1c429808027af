// What one step of a small network costs the trainer's thread, and all threads: 20 tensors and 4 scalars.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <random>
#include <vector>

#include "recorder/channel.h"
#include "recorder/tap_watch.h"

namespace {

using tensortap::KeptTensor;
using tensortap::Phase;
using namespace tensortap::recorder;  // NOLINT: a benchmark of this room

// Shapes of an MLP of 64-128-128-128-10: activations, gradients, weights.
const std::vector<std::vector<std::int64_t>> kShapes = {
    {64, 128}, {64, 128}, {64, 128}, {64, 10}, {64, 128},  {128}, {128, 128}, {128}, {128, 128}, {128},
    {128, 10}, {10},      {64, 128}, {128},    {128, 128}, {128}, {128, 128}, {128}, {128, 10},  {10}};

void one_step(benchmark::State& state) {
  const std::string root =
      std::filesystem::temp_directory_path() / ("tensortap_tap_bench_" + std::to_string(::getpid()));
  auto channel = Channel::open(root + "/a", {}).value();
  auto watch = TapWatch::open(channel);
  std::mt19937 generator(0);
  std::normal_distribution<float> normal;
  std::vector<std::shared_ptr<const Tap>> taps;
  std::vector<std::shared_ptr<std::vector<float>>> tensors;
  for (std::size_t i = 0; i < kShapes.size() + 4; ++i) {
    const bool scalar = i >= kShapes.size();
    TapOptions options;
    options.tag = "activations/layer_" + std::to_string(i);
    options.kind = scalar ? TapKind::kScalar : TapKind::kTensor;
    options.phase = Phase::kTrain;
    taps.push_back(find_tap(watch->add_tap(channel, options).value()));
    std::size_t count = 1;
    if (!scalar)
      for (std::int64_t extent : kShapes[i]) count *= static_cast<std::size_t>(extent);
    tensors.push_back(std::make_shared<std::vector<float>>(count));
    for (float& value : *tensors.back()) value = normal(generator);
  }
  std::int64_t step = 0;
  for (auto _ : state) {
    watch->begin_batch(Phase::kTrain, 0, step);
    std::vector<TapValue> values;
    values.reserve(taps.size());
    for (std::size_t i = 0; i < taps.size(); ++i) {
      const std::vector<std::int64_t> shape = i < kShapes.size() ? kShapes[i] : std::vector<std::int64_t>{};
      values.push_back({taps[i].get(), KeptTensor(tensortap::view(tensors[i]->data(), shape), tensors[i]), {}});
    }
    record_taps(values, step++);
    if (step % 20 == 0) {  // the queue must not run full; a step takes about this long
      state.PauseTiming();
      (void)channel->flush();
      state.ResumeTiming();
    }
  }
  (void)channel->flush();
  const auto report = channel->report();
  state.counters["dropped"] = static_cast<double>(report.dropped);
  state.counters["worker_us"] = report.worker_seconds * 1e6 / static_cast<double>(step);
  state.counters["caller_us"] = report.caller_seconds * 1e6 / static_cast<double>(step);
  state.counters["bytes"] = static_cast<double>(report.bytes) / static_cast<double>(step);
  watch->close();
  (void)channel->close(true);
  std::filesystem::remove_all(root);
}
BENCHMARK(one_step)->Unit(benchmark::kMicrosecond);

}  // namespace
