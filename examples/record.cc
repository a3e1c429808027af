// Records a scalar, a histogram and a tensor from a C++ program.
//
//   g++ -std=c++20 record.cc -ltensortap -o record && ./record
#include <tensortap/run.h>

#include <cstdio>
#include <utility>
#include <vector>

int main() {
  auto opened = tensortap::Run::open("runs/cpp");
  if (!opened.ok()) {
    std::fprintf(stderr, "%s\n", opened.status().to_string().c_str());
    return 1;
  }
  tensortap::Run run = std::move(opened).value();
  std::vector<float> weights(64 * 32, 0.25F);
  for (int step = 0; step < 10; ++step) {
    for (float& weight : weights) weight *= 0.9F;
    run.scalar("loss", 1.0 / (step + 1), step);
    run.histogram("weights", tensortap::view(weights, {64, 32}), step);
  }
  run.tensor("weights/last", tensortap::view(weights, {64, 32}), 10);
  tensortap::Status end = run.close();
  std::printf("%s: %s\n", run.path().c_str(), end.to_string().c_str());
  return end.ok() ? 0 : 1;
}
