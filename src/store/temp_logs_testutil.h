// TempLogs: a log directory for a test, made of the bytes it is given.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "event/event.h"
#include "store/log_directory.h"
#include "wire/frame_testutil.h"

namespace tensortap::store {

inline constexpr std::string_view kEventsName = "events.out.tfevents.1700000000.host.1.0";
inline constexpr std::string_view kCapturesName = "captures.1700000000.host.1.0.tap";

// One directory a test, gone when it ends.
class TempLogs : public testing::Test {
 protected:
  void SetUp() override {
    root_ = testing::TempDir() + "tensortap_" + testing::UnitTest::GetInstance()->current_test_info()->name() + "_" +
            std::to_string(::getpid());
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  std::string path(const std::string& name) const { return root_ + "/" + name; }

  void write(const std::string& name, std::string_view bytes, bool append = false) {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream out(path(name), std::ios::binary | (append ? std::ios::app : std::ios::trunc));
    out << bytes;
  }
  void append(const std::string& name, std::string_view bytes) { write(name, bytes, true); }

  // As if nobody had written to it for an hour.
  void settle(const std::string& name) {
    std::filesystem::last_write_time(path(name), std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  }

  std::unique_ptr<LogDirectory> load(LoadOptions options = {}) {
    auto opened = LogDirectory::open(root_, std::move(options)).value();
    EXPECT_TRUE(opened->refresh().ok());
    return opened;
  }

  // The frame of one scalar event.
  static std::string scalar(std::int64_t step, double value, std::string_view tag = "loss", double wall_secs = 0,
                            bool with_metadata = false) {
    static const event::Metadata metadata{"scalars", "", event::DataClass::kScalar, "", false};
    return wire::frame_of(event::encode_scalar({wall_secs, step}, tag, value, with_metadata ? &metadata : nullptr));
  }
  static std::string version() { return wire::frame_of(event::encode_file_version(1)); }

  std::string root_;
};

// All values of a scalar series; empty when it is not there.
inline std::vector<double> values_of(const FollowedFile& file, std::string_view tag) {
  return file.read([&](const FileContents& contents) {
    std::vector<double> values;
    if (const Series* series = contents.find(tag, Kind::kScalars)) {
      for (std::size_t i = 0; i < series->size(); ++i) values.push_back(series->scalars.at(i).value);
    }
    return values;
  });
}

}  // namespace tensortap::store
