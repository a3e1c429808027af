// Records one of everything, with the values that test_cpp_and_python.py records too.
#include <tensortap/run.h>

#include <complex>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using tensortap::Phase;
using tensortap::Run;
using tensortap::Shape;
using tensortap::view;

// 0, 0.25, 0.5, ... shifted: exact in every float type.
template <typename T>
std::vector<T> ramp(int count, double first = -2, double step = 0.25) {
  std::vector<T> values;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<T>(first + step * i));
  return values;
}

void record_values(Run& run) {
  run.hparams({{"rate", 0.001}, {"layers", 3.0}, {"name", std::string("größe")}, {"drop", true}}, {"loss", "val/loss"});
  for (int step = -2; step < 20; ++step) run.scalar("loss", 1.0 / (step + 3), step);
  Run val = run.sub("val").value();
  val.scalar("größe", 0.1, 7);
  const auto floats = ramp<float>(24);
  for (int step = 0; step < 3; ++step) run.histogram("weights", view(floats, {4, 6}), step, Phase::kTrain);
  const auto large = ramp<float>(20'000, -3, 0.001);
  run.histogram("large", view(large, {100, 200}), 0);
  const auto narrow = ramp<double>(50, 1000, 0.125);
  run.histogram("narrow", view(narrow), 0);
}

void record_tensors(Run& run) {
  const auto floats = ramp<float>(6);
  const auto doubles = ramp<double>(6);
  const auto bytes = ramp<std::uint8_t>(6, 0, 1);
  const auto longs = ramp<std::int64_t>(6, -3, 1);
  const std::vector<std::complex<float>> complex = {{1, -2}, {0.5, 0}};
  run.tensor("float32", view(floats, {2, 3}), 1);
  run.tensor("float64", view(doubles, {3, 2}), 2, Phase::kVal);
  run.tensor("uint8", view(bytes), 3);
  run.tensor("int64", view(longs), -4);
  run.tensor("complex64", view(complex), 5);
  run.tensor("scalar", view(floats.data(), Shape{}), 6);
  run.tensor("empty", view(floats.data(), {0, 3}), 7);
  run.predictions("out", {view(floats, {3, 2}), view(bytes.data(), {3}), {5, -6, 7}, {}}, 1, Phase::kPredict);
  run.predictions("out", {view(doubles, {2, 3}), {}, {}, {"a", "ö"}}, 2);
}

void record_media(Run& run) {
  const auto pixels = ramp<std::uint8_t>(60, 0, 4);
  run.image("bytes", view(pixels, {4, 5, 3}), 0);
  const auto gray = ramp<float>(12, -0.5, 0.125);
  run.image("gray", view(gray, {3, 4}), 1, tensortap::ImageScale::kMinMax);
  run.audio("sound", view(gray), 8000, 0);
  run.text("note", "**größe**", 4);
  run.keras_model(R"({"class_name": "Sequential", "config": {"name": "s", "layers": []}})");
  const std::vector<std::uint8_t> labels = {0, 1, 1, 0};
  const std::vector<float> scores = {0.125F, 0.5F, 0.875F, 1.0F};
  run.pr_curve("curve", view(labels), view(scores), 3, 11);
  const auto vertices = ramp<float>(12);
  const std::vector<std::int32_t> faces = {0, 1, 2, 1, 2, 3};
  tensortap::Mesh mesh;
  mesh.vertices = view(vertices, {1, 4, 3});
  mesh.faces = view(faces, {1, 2, 3});
  run.mesh("body", mesh, 0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  Run run = Run::open(argv[1]).value();
  record_values(run);
  record_tensors(run);
  record_media(run);
  const tensortap::Status end = run.close();
  if (!end.ok()) std::fprintf(stderr, "%s\n", end.to_string().c_str());
  return end.ok() ? 0 : 1;
}
