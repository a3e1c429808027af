// Statistics and histogram of one float32 tensor, in first-level cache, second-level cache and memory.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "tensortap/tensor_stats.h"

namespace {

std::vector<float> normal_values(std::size_t count) {
  std::mt19937 generator(0);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(generator);
  return values;
}

void compute_stats_of_float32(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const std::vector<float> values = normal_values(bytes / sizeof(float));
  for (auto _ : state) {
    auto stats = tensortap::compute_stats(tensortap::view(values));
    benchmark::DoNotOptimize(stats);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(values.size()));
}
BENCHMARK(compute_stats_of_float32)->Arg(16 << 10)->Arg(256 << 10)->Arg(64 << 20);

}  // namespace
