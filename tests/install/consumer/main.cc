// Records a few values through the installed library, and prints the path of the run.
#include <tensortap/run.h>

#include <cstdio>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  auto opened = tensortap::Run::open(argc > 1 ? argv[1] : "runs/cpp");
  if (!opened.ok()) {
    std::fprintf(stderr, "%s\n", opened.status().to_string().c_str());
    return 1;
  }
  tensortap::Run run = std::move(opened).value();
  const std::vector<float> data(64 * 32, 0.5f);
  for (int step = 0; step < 3; ++step) {
    run.scalar("loss", 1.0 / (step + 1), step);
    run.histogram("w", tensortap::view(data, {64, 32}), step);
    run.tensor("out", tensortap::view(data, {2048}), step);
  }
  const std::string path(run.path());
  const tensortap::Status end = run.close();
  if (!end.ok()) {
    std::fprintf(stderr, "%s\n", end.to_string().c_str());
    return 1;
  }
  std::printf("%s\n", path.c_str());
  return 0;
}
