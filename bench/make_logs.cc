// make_logs KIND OUT [SCALE]: a log directory as TensorFlow's and tensorboardX's writers make it, for bench/p*.py.
//
//   S   1 run, 20 tags x 1 M scalars, V1 (simple_value)
//   S2  the same, V2 (tensor, metadata in every record)
//   R   1000 runs x 50 tags x 200 scalars, V2
//   T   1 run, 12,000 tags x 20 scalars, V2
//   H   1 run, 100 tags x 500 histograms of 30 buckets, V2
//   I   1 run, 4 tags x 500 PNGs of about 50 kB, V2
//
// SCALE (1) multiplies the steps, of R the runs, of T the tags. The same call writes the same bytes. What was made goes
// to standard output as JSON.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "event/plugins.h"
#include "format/png.h"
#include "log_writer.h"

namespace tensortap::bench {
namespace {

namespace plugin = event::plugin;

// The same numbers on every machine, which the standard library's distributions do not promise.
class Noise {
 public:
  // In [0, 1), with the 24 bits of a float.
  float next() { return static_cast<float>(generator_() >> 40) * 0x1p-24F; }
  std::uint8_t next_byte() { return static_cast<std::uint8_t>(generator_() >> 56); }

 private:
  std::mt19937_64 generator_{1};
};

std::string numbered(const char* pattern, std::int64_t number, std::int64_t second = 0) {
  std::array<char, 64> text;
  const int length =
      std::snprintf(text.data(), text.size(), pattern, static_cast<int>(number), static_cast<int>(second));
  return {text.data(), static_cast<std::size_t>(length)};
}

std::int64_t scaled(double count, double scale) { return std::max<std::int64_t>(1, std::llround(count * scale)); }

template <typename Name>
std::vector<std::string> names(std::int64_t count, Name name) {
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < count; ++i) all.push_back(name(i));
  return all;
}

void make_one_long_run(const std::string& out, double scale, Writer writer, Made& made) {
  const auto steps = scaled(1e6, scale);
  const auto tags = names(20, [](std::int64_t i) { return numbered("train/metric_%02d", i); });
  const auto add = writer == Writer::kTensorFlow ? add_v2_scalar : add_v1_scalar;
  Noise noise;
  LogWriter log(out, writer, 0, made);
  for (std::int64_t step = 0; step < steps; ++step) {
    const auto falling = static_cast<float>(std::exp(-5.0 * static_cast<double>(step) / static_cast<double>(steps)));
    for (std::size_t t = 0; t < tags.size(); ++t) {
      const double wall_secs = kStartSecs + static_cast<double>(step) * 0.05 + static_cast<double>(t) * 1e-3;
      add(log, wall_secs, step, tags[t], falling + 0.1F * noise.next() + static_cast<float>(t));
    }
  }
  log.close();
  made.series = std::ssize(tags);
  made.scalars = made.events;
}

void make_many_runs(const std::string& out, double scale, Made& made) {
  const auto runs = scaled(1000, scale);
  const auto tags = names(50, [](std::int64_t i) { return numbered("group%d/metric_%02d", i / 10, i); });
  Noise noise;
  for (std::int64_t run = 0; run < runs; ++run) {
    LogWriter log(out + numbered("/run_%04d", run), Writer::kTensorFlow, run, made);
    for (std::int64_t step = 0; step < 200; ++step) {
      const double wall_secs = static_cast<double>(kStartSecs + run + step);
      const float falling = std::exp(-static_cast<float>(step) / 50) + static_cast<float>(run) * 1e-3F;
      for (const std::string& tag : tags) add_v2_scalar(log, wall_secs, step, tag, falling + 0.1F * noise.next());
    }
    log.close();
  }
  made.series = runs * std::ssize(tags);
  made.scalars = made.events;
}

void make_many_tags(const std::string& out, double scale, Made& made) {
  const auto tags = names(scaled(12'000, scale),
                          [](std::int64_t i) { return numbered("block_%03d/unit_%03d/norm", i / 100, i % 100); });
  Noise noise;
  LogWriter log(out, Writer::kTensorFlow, 0, made);
  for (std::int64_t step = 0; step < 20; ++step)
    for (const std::string& tag : tags)
      add_v2_scalar(log, static_cast<double>(kStartSecs + step), step, tag, noise.next());
  log.close();
  made.series = std::ssize(tags);
  made.scalars = made.events;
}

constexpr std::array<std::int64_t, 2> kHistogramShape = {30, 3};

// Rows of left edge, right edge, count: a bell that widens with the step.
std::array<double, 90> bell(std::int64_t step, Noise& noise) {
  std::array<double, 90> rows;
  const double width = 0.1 + static_cast<double>(step) * 1e-3;
  for (int bucket = 0; bucket < 30; ++bucket) {
    const double away = (bucket - 14.5) / 5;
    double* row = rows.data() + 3 * bucket;
    row[0] = -3 * width + bucket * width / 5;
    row[1] = -3 * width + (bucket + 1) * width / 5;
    row[2] = std::floor(1e4 * std::exp(-0.5 * away * away) + 100 * noise.next());
  }
  return rows;
}

void make_histograms(const std::string& out, double scale, Made& made) {
  const auto steps = scaled(500, scale);
  const auto tags = names(100, [](std::int64_t i) { return numbered("layer_%03d/kernel/histogram", i); });
  Noise noise;
  LogWriter log(out, Writer::kTensorFlow, 0, made);
  for (std::int64_t step = 0; step < steps; ++step) {
    for (const std::string& tag : tags) {
      const auto rows = bell(step, noise);
      log.add(static_cast<double>(kStartSecs + step), step, tag, [&](MessageWriter& value) {
        add_tensor(value, DType::kFloat64, kHistogramShape, plugin::kHistograms, [&](MessageWriter& tensor) {
          tensor.add_bytes(field::kTensorContent, reinterpret_cast<const char*>(rows.data()), sizeof rows);
        });
      });
    }
  }
  log.close();
  made.series = std::ssize(tags);
}

constexpr int kImageSide = 129;

std::string noise_png(Noise& noise) {
  format::Pixels pixels{kImageSide, kImageSide, 3, std::vector<std::uint8_t>(kImageSide * kImageSide * 3)};
  for (std::uint8_t& byte : pixels.bytes) byte = noise.next_byte();
  auto png = format::encode_png(pixels);
  check(png.status());
  return std::move(png).value();
}

void make_images(const std::string& out, double scale, Made& made) {
  const auto steps = scaled(500, scale);
  const auto tags = names(4, [](std::int64_t i) { return numbered("img/%d", i); });
  const std::string side = std::to_string(kImageSide);
  const std::array<std::int64_t, 1> shape = {3};  // width, height, file
  Noise noise;
  std::vector<std::string> pngs;  // a few pictures, again and again
  for (int i = 0; i < 16; ++i) pngs.push_back(noise_png(noise));
  LogWriter log(out, Writer::kTensorFlow, 0, made);
  for (std::int64_t step = 0; step < steps; ++step) {
    for (std::size_t t = 0; t < tags.size(); ++t) {
      const std::string& png = pngs[(static_cast<std::size_t>(step) + t) % pngs.size()];
      log.add(static_cast<double>(kStartSecs + step), step, tags[t], [&](MessageWriter& value) {
        add_tensor(value, DType::kString, shape, plugin::kImages, [&](MessageWriter& tensor) {
          for (std::string_view text : {std::string_view(side), std::string_view(side), std::string_view(png)})
            add_text(tensor, field::kStringVal, text);
        });
      });
    }
  }
  log.close();
  made.series = std::ssize(tags);
}

bool make(std::string_view kind, const std::string& out, double scale, Made& made) {
  if (kind == "S")
    make_one_long_run(out, scale, Writer::kTensorboardX, made);
  else if (kind == "S2")
    make_one_long_run(out, scale, Writer::kTensorFlow, made);
  else if (kind == "R")
    make_many_runs(out, scale, made);
  else if (kind == "T")
    make_many_tags(out, scale, made);
  else if (kind == "H")
    make_histograms(out, scale, made);
  else if (kind == "I")
    make_images(out, scale, made);
  else
    return false;
  return true;
}

int run(const std::vector<std::string_view>& arguments) {
  constexpr std::string_view kUsage = "usage: make_logs S|S2|R|T|H|I OUT [SCALE]";
  if (arguments.size() < 2 || arguments.size() > 3) fail(kUsage);
  double scale = 1;
  if (arguments.size() == 3) {
    const std::string_view text = arguments[2];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), scale);
    if (error != std::errc() || end != text.data() + text.size() || !(scale > 0 && scale <= 1000)) fail(kUsage);
  }
  Made made;
  if (!make(arguments[0], std::string(arguments[1]), scale, made)) fail(kUsage);
  std::printf(R"({"runs": %lld, "series": %lld, "events": %lld, "scalars": %lld, "last_step": %lld, "bytes": %lld})"
              "\n",
              static_cast<long long>(made.runs), static_cast<long long>(made.series),
              static_cast<long long>(made.events), static_cast<long long>(made.scalars),
              static_cast<long long>(made.last_step), static_cast<long long>(made.bytes));
  return 0;
}

}  // namespace
}  // namespace tensortap::bench

int main(int argc, char** argv) { return tensortap::bench::run({argv + 1, argv + argc}); }
