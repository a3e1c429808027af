// Log directories for tests: real files, record by record, opened as users open them.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "event/capture.h"
#include "event/event.h"
#include "query/places.h"
#include "query/runs.h"
#include "wire/frame_testutil.h"

namespace tensortap::query {

// A directory of its own for every test; gone afterwards.
class LogTest : public testing::Test {
 protected:
  LogTest() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = testing::TempDir() + "tensortap_" + test->test_suite_name() + "_" + test->name() + "_" +
            std::to_string(::getpid());
    std::filesystem::create_directories(root_);
  }
  ~LogTest() override { std::filesystem::remove_all(root_); }

  void write_events(const std::string& run, const std::vector<std::string>& records) {
    write(run, "events.out.tfevents.170000000" + std::to_string(files_) + ".host.1.0", event::encode_file_version(1),
          records);
  }
  void write_captures(const std::string& run, const std::vector<std::string>& records) {
    const event::CaptureHeader header{event::kCaptureFormatVersion, event::kCaptureLeastReaderVersion, "test", "h", 1};
    write(run, "captures.170000000" + std::to_string(files_) + ".host.1.0.tap",
          event::encode_capture({{1, 0}, "", Phase::kNone, 0}, header).joined(), records);
  }

  // Everything written so far.
  std::shared_ptr<const Runs> open() {
    auto log = store::LogDirectory::open(root_, {}).value();
    EXPECT_TRUE(log->refresh().ok());
    return std::make_shared<Runs>(log->snapshot());
  }
  Place place(const std::string& run, const std::string& tag, store::Kind kind, std::int64_t step) {
    return place_at(open()->find(run).value(), tag, kind, step).value();
  }

  std::string root_;

 private:
  void write(const std::string& run, const std::string& name, const std::string& first,
             const std::vector<std::string>& records) {
    ++files_;
    std::filesystem::create_directories(root_ + "/" + run);
    std::ofstream file(root_ + "/" + run + "/" + name, std::ios::binary);
    file << wire::frame_of(first);
    for (const std::string& record : records) file << wire::frame_of(record);
  }

  int files_ = 0;
};

// Records of captures; wall times are 100 seconds and the step.
inline event::CaptureHead head_at(std::int64_t step, std::string_view tag, std::uint64_t sequence = 0,
                                  Phase phase = Phase::kTrain) {
  return {{100 + static_cast<double>(step), step}, tag, phase, sequence};
}

template <typename T>
event::CapturedTensor captured(const std::vector<T>& values, Shape shape) {
  return {dtype_of<T>(), std::move(shape), std::as_bytes(std::span(values))};
}

template <typename T>
std::string tensor_record(std::int64_t step, std::string_view tag, const std::vector<T>& values, Shape shape) {
  return event::encode_capture(head_at(step, tag), captured(values, std::move(shape))).joined();
}

inline std::string stats_record(std::int64_t step, std::string_view tag, const std::vector<float>& values,
                                std::uint64_t sequence = 0, Phase phase = Phase::kTrain) {
  const event::CapturedStats stats{
      DType::kFloat32, {static_cast<std::int64_t>(values.size())}, compute_stats(view(values)).value()};
  return event::encode_capture(head_at(step, tag, sequence, phase), stats).joined();
}

// The elements of a tensor that is known to hold `T`.
template <typename T, typename Tensor>
std::vector<T> elements(const Tensor& tensor) {
  EXPECT_EQ(tensor.dtype, dtype_of<T>());
  std::vector<T> values(tensor.data.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), tensor.data.data(), values.size() * sizeof(T));
  return values;
}

}  // namespace tensortap::query
