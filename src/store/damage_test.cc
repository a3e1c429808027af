// A file of 64 KiB with every kind of record: cut at every byte and with its bits flipped.
//
// All 524,288 bits take a minute: TENSORTAP_EXHAUSTIVE=1. Otherwise every 41st is flipped.
#include <cstdlib>
#include <map>

#include "event/capture.h"
#include "store/temp_logs_testutil.h"

namespace tensortap::store {
namespace {

double value_at(std::int64_t step) { return 0.1 * static_cast<double>(step) - 3; }

class DamageTest : public TempLogs {
 protected:
  // Every record has its number as step, so that the steps tell what was read.
  std::string events_of_64_kib() {
    std::string bytes;
    const event::Metadata text{"text", "", event::DataClass::kTensor, "", false};
    const event::Metadata images{"images", "", event::DataClass::kBlobSequence, "", false};
    const event::Metadata histograms{"histograms", "", event::DataClass::kTensor, "", true};
    const std::vector<double> rows(30 * 3, 0.5);
    for (std::int64_t step = 0; bytes.size() < 65536; ++step) {
      starts_.push_back(bytes.size());
      const event::EventTime time{1.0 + static_cast<double>(step), step};
      const std::vector<std::string> strings = {"2", "2", std::string(200, static_cast<char>(step))};
      switch (step % 5) {
        case 0: bytes += wire::frame_of(event::encode_strings(time, "text", strings, {3}, &text)); break;
        case 1: bytes += wire::frame_of(event::encode_strings(time, "image", strings, {3}, &images)); break;
        case 2: bytes += wire::frame_of(event::encode_tensor(time, "h", view(rows, {30, 3}), &histograms)); break;
        default: bytes += scalar(step, value_at(step), step % 2 == 0 ? "loss" : "accuracy", 1, true); break;
      }
    }
    return bytes;
  }

  std::string captures_of_64_kib() {
    std::string bytes;
    const std::vector<float> numbers(64, 1.5F);
    for (std::int64_t step = 0; bytes.size() < 65536; ++step) {
      starts_.push_back(bytes.size());
      event::CaptureHead head{{1.0, step}, "w", Phase::kTrain, static_cast<std::uint64_t>(step)};
      event::CaptureBody body = event::CapturedTensor{DType::kFloat32, {64}, std::as_bytes(std::span(numbers))};
      if (step % 2 == 0) body = event::CapturedStats{DType::kFloat32, {64}, compute_stats(view(numbers)).value()};
      if (step == 0) body = event::CaptureHeader{1, 1, "tensortap test", "host", 1};
      bytes += wire::frame_of(event::encode_capture(head, body).joined());
    }
    return bytes;
  }

  // The steps that were read, with a check of every scalar.
  std::map<std::int64_t, int> steps_read(const std::string& name, const std::string& bytes) {
    std::filesystem::remove(path(name));  // ext4 waits for the disk when a file is written over
    write(name, bytes);
    auto logs = LogDirectory::open(root_, {.threads = 1, .cache_directory = {}, .links = Links::kInside}).value();
    EXPECT_TRUE(logs->refresh().ok());
    std::map<std::int64_t, int> steps;
    auto file = logs->snapshot()->files.at(0);
    damage_ = file->read([&](const FileContents& contents) {
      for (const Series* series : contents.all_series()) {
        for (std::size_t i = 0; i < series->size(); ++i) {
          if (series->kind != Kind::kScalars) {
            ++steps[series->entries[i].step];
            continue;
          }
          const ScalarPoint point = series->scalars.at(i);
          EXPECT_EQ(point.value, value_at(point.step));
          ++steps[point.step];
        }
      }
      return contents.damage.places;
    });
    tail_ = file->progress().tail;
    return steps;
  }

  std::size_t record_at(std::size_t byte) const {
    return static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end(), byte) - starts_.begin()) - 1;
  }

  // `first` is the number of the first record that is a value.
  void cut_everywhere(const std::string& name, const std::string& whole, std::size_t first) {
    for (std::size_t n = 0; n < whole.size(); n += exhaustive() ? 1 : 13) {
      const std::size_t records = n == 0 ? 0 : record_at(n);  // whole ones before the cut
      const auto steps = steps_read(name, whole.substr(0, n));
      ASSERT_EQ(steps.size(), records > first ? records - first : 0) << n;
      ASSERT_TRUE(steps.empty() || steps.rbegin()->first == static_cast<std::int64_t>(records) - 1) << n;
      ASSERT_EQ(damage_, 0U) << n;
    }
  }

  void flip_everywhere(const std::string& name, const std::string& whole, std::size_t first) {
    const std::size_t all = starts_.size() - first;
    for (std::size_t bit = 0; bit < whole.size() * 8; bit += exhaustive() ? 1 : 41) {
      std::string damaged = whole;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
      const std::size_t hit = record_at(bit / 8);
      const auto steps = steps_read(name, damaged);
      ASSERT_EQ(steps.size(), all - (hit >= first ? 1 : 0)) << bit;
      ASSERT_FALSE(hit >= first && steps.contains(static_cast<std::int64_t>(hit))) << bit;
      ASSERT_EQ(damage_ + (tail_.kind == TailKind::kNone ? 0U : 1U), 1U) << bit;
    }
  }

  static bool exhaustive() { return std::getenv("TENSORTAP_EXHAUSTIVE") != nullptr; }

  std::vector<std::size_t> starts_;
  std::uint64_t damage_ = 0;
  Tail tail_;
};

TEST_F(DamageTest, AnEventFileCutAnywhereGivesAnExactPrefix) {
  cut_everywhere(std::string(kEventsName), events_of_64_kib(), 0);
}

TEST_F(DamageTest, AFlippedBitInAnEventFileCostsExactlyItsRecord) {
  flip_everywhere(std::string(kEventsName), events_of_64_kib(), 0);
}

TEST_F(DamageTest, ACaptureFileCutAnywhereGivesAnExactPrefix) {
  cut_everywhere(std::string(kCapturesName), captures_of_64_kib(), 1);
}

TEST_F(DamageTest, AFlippedBitInACaptureFileCostsExactlyItsRecord) {
  flip_everywhere(std::string(kCapturesName), captures_of_64_kib(), 1);
}

}  // namespace
}  // namespace tensortap::store
