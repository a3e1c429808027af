// Growing, replaced, cut and deleted files: what is shown is what a fresh look would show.
#include "store/log_directory.h"

#include <random>
#include <thread>

#include "event/damage_testutil.h"
#include "store/temp_logs_testutil.h"

namespace tensortap::store {
namespace {

using LogDirectoryTest = TempLogs;

std::string name_of(int file) { return "run/events.out.tfevents.170000000" + std::to_string(file) + ".host.1.0"; }

TEST_F(LogDirectoryTest, ReadsOnlyWhatWasAdded) {
  write(name_of(0), version() + scalar(0, 1));
  auto logs = load();
  auto file = logs->snapshot()->files.at(0);
  EXPECT_EQ(values_of(*file, "loss"), std::vector<double>{1});
  const std::uint64_t revision = file->revision();
  ASSERT_TRUE(logs->refresh().ok());
  EXPECT_EQ(file->revision(), revision);
  append(name_of(0), scalar(1, 2));
  ASSERT_TRUE(logs->refresh().ok());
  EXPECT_EQ(values_of(*file, "loss"), (std::vector<double>{1, 2}));
  EXPECT_GT(file->revision(), revision);
}

TEST_F(LogDirectoryTest, ARecordWrittenInPiecesIsSeenOnceItIsWhole) {
  write(name_of(0), version());
  auto logs = load({.threads = 1, .cache_directory = {}, .links = Links::kInside});
  auto file = logs->snapshot()->files.at(0);
  const std::string record = scalar(0, 7);
  for (std::size_t i = 0; i < record.size(); ++i) {
    EXPECT_TRUE(values_of(*file, "loss").empty());
    append(name_of(0), record.substr(i, 1));
    ASSERT_TRUE(logs->refresh().ok());
  }
  EXPECT_EQ(values_of(*file, "loss"), std::vector<double>{7});
  file->read([](const FileContents& contents) { EXPECT_EQ(contents.damage.places, 0U); });
}

TEST_F(LogDirectoryTest, ZeroesThatAreFilledInLaterAreNoDamage) {
  const std::string record = scalar(0, 7);
  write(name_of(0), version() + std::string(record.size(), '\0'));
  auto logs = load();
  auto file = logs->snapshot()->files.at(0);
  EXPECT_EQ(file->progress().tail.kind, TailKind::kZeroes);
  write(name_of(0), version() + record);
  ASSERT_TRUE(logs->refresh().ok());
  EXPECT_EQ(values_of(*file, "loss"), std::vector<double>{7});
  EXPECT_EQ(file->progress().tail.kind, TailKind::kNone);
}

TEST_F(LogDirectoryTest, AReplacedFileIsReadAnew) {
  write(name_of(0), version() + scalar(0, 1));
  auto logs = load();
  // As rsync does: another file under the same name.
  write("elsewhere", version() + scalar(0, 5) + scalar(1, 6));
  std::filesystem::rename(path("elsewhere"), path(name_of(0)));
  ASSERT_TRUE(logs->refresh().ok());
  EXPECT_EQ(values_of(*logs->snapshot()->files.at(0), "loss"), (std::vector<double>{5, 6}));
}

TEST_F(LogDirectoryTest, AFileRewrittenInPlaceIsReadAnew) {
  write(name_of(0), version() + scalar(0, 1) + scalar(1, 2));
  auto logs = load();
  write(name_of(0), version() + scalar(0, 8) + scalar(1, 9) + scalar(2, 10));
  ASSERT_TRUE(logs->refresh().ok());
  EXPECT_EQ(values_of(*logs->snapshot()->files.at(0), "loss"), (std::vector<double>{8, 9, 10}));
  write(name_of(0), version() + scalar(0, 3));
  ASSERT_TRUE(logs->refresh().ok());
  EXPECT_EQ(values_of(*logs->snapshot()->files.at(0), "loss"), std::vector<double>{3});
}

TEST_F(LogDirectoryTest, DeletedAndRecreatedFilesGoAndCome) {
  write(name_of(0), version() + scalar(0, 1));
  auto logs = load();
  std::filesystem::remove(path(name_of(0)));
  ASSERT_TRUE(logs->refresh().ok());
  EXPECT_TRUE(logs->snapshot()->files.empty());
  write(name_of(0), version() + scalar(0, 2));
  ASSERT_TRUE(logs->refresh().ok());
  EXPECT_EQ(values_of(*logs->snapshot()->files.at(0), "loss"), std::vector<double>{2});
}

TEST_F(LogDirectoryTest, ManyThreadsGiveTheSameAsOne) {
  // Metadata on the first event of a tag only, tags that appear late, and more than one block.
  std::string bytes = version();
  for (int i = 0; i < 40000; ++i) {
    bytes += scalar(i, i * 0.1, "loss", i, i == 0);
    if (i > 20000) bytes += scalar(i, -i, "late/" + std::to_string(i % 7), i, i <= 20007);
  }
  write(name_of(0), bytes);
  auto one = load({.threads = 1, .cache_directory = {}, .links = Links::kInside});
  auto many = load({.threads = 4, .cache_directory = {}, .links = Links::kInside});
  for (const char* tag : {"loss", "late/0", "late/6"}) {
    EXPECT_EQ(values_of(*one->snapshot()->files.at(0), tag), values_of(*many->snapshot()->files.at(0), tag));
    EXPECT_FALSE(values_of(*one->snapshot()->files.at(0), tag).empty());
  }
}

TEST_F(LogDirectoryTest, ATagWithNothingElseIsNoSeriesAndV1ValuesKeepTheirDescription) {
  // Event{summary{value{tag: "t"}}} and Event{summary{value{tag: "t", simple_value: 1, metadata{description: "d"}}}}
  const std::string empty = event::from_hex("09000000000000f83f10012a050a030a0174");
  const std::string described = event::from_hex("09000000000000f83f10012a0f0a0d0a0175150000803f4a031a0164");
  write(name_of(0), version() + wire::frame_of(empty) + wire::frame_of(described));
  load()->snapshot()->files.at(0)->read([](const FileContents& contents) {
    EXPECT_EQ(contents.all_series().size(), 1U);
    ASSERT_NE(contents.find("u")->info, nullptr);
    EXPECT_EQ(contents.find("u")->info->description, "d");
  });
}

TEST_F(LogDirectoryTest, FirstAndLastStepAreTheLeastAndTheGreatest) {
  write(name_of(0), version() + scalar(9, 0) + scalar(2, 0) + scalar(5, 0));
  load()->snapshot()->files.at(0)->read([](const FileContents& contents) {
    EXPECT_EQ(contents.find("loss", Kind::kScalars)->scalars.min_step(), 2);
    EXPECT_EQ(contents.find("loss", Kind::kScalars)->scalars.max_step(), 9);
  });
}

// The state of everything, for comparison with a fresh look.
std::map<std::string, std::vector<double>> state_of(const LogDirectory& logs) {
  std::map<std::string, std::vector<double>> state;
  auto snapshot = logs.snapshot();
  for (const auto& file : snapshot->files) state[file->file().relative] = values_of(*file, "loss");
  return state;
}

TEST_F(LogDirectoryTest, AfterAThousandRandomChangesTheStateIsThatOfAFreshLook) {
  std::mt19937 random(3);
  auto logs = load({.threads = 2, .cache_directory = {}, .links = Links::kInside});
  std::string pending;
  for (int change = 0; change < 1000; ++change) {
    const std::string name = name_of(static_cast<int>(random() % 4));
    switch (random() % 9) {
      case 0: std::filesystem::remove(path(name)); break;
      case 1:
        write("beside", version() + scalar(change, change));
        std::filesystem::rename(path("beside"), path(name));
        break;
      case 2:
        if (std::filesystem::exists(path(name))) {
          const auto size = std::filesystem::file_size(path(name));
          std::filesystem::resize_file(path(name), random() % (size + 1));
        }
        break;
      case 3: append(name, scalar(change, change).substr(0, 1 + random() % 30)); break;
      case 4:
        if (std::filesystem::exists(path(name))) std::filesystem::rename(path(name), path(name + ".moved"));
        break;
      default: append(name, scalar(change, change)); break;
    }
    if (change % 3 != 0) continue;
    ASSERT_TRUE(logs->refresh().ok());
    auto fresh = load({.threads = 1, .cache_directory = {}, .links = Links::kInside});
    ASSERT_EQ(state_of(*logs), state_of(*fresh)) << change;
  }
}

TEST_F(LogDirectoryTest, EightWritersWhileItIsRead) {
  constexpr int kWriters = 8, kRecords = 3000;
  std::vector<std::jthread> writers;
  for (int w = 0; w < kWriters; ++w) {
    write(name_of(w), version());
    writers.emplace_back([this, w] {
      std::mt19937 random(static_cast<unsigned>(w));
      std::ofstream out(path(name_of(w)), std::ios::binary | std::ios::app);
      for (int i = 0; i < kRecords; ++i) {
        const std::string record = scalar(i, i);
        const std::size_t cut = random() % record.size();
        out << record.substr(0, cut) << std::flush << record.substr(cut) << std::flush;
      }
    });
  }
  auto logs = load();
  for (int round = 0; round < 50; ++round) {
    ASSERT_TRUE(logs->refresh().ok());
    auto snapshot = logs->snapshot();
    for (const auto& file : snapshot->files) {
      const std::vector<double> values = values_of(*file, "loss");
      for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], static_cast<double>(i));
    }
  }
  writers.clear();
  ASSERT_TRUE(logs->refresh().ok());
  for (const auto& file : logs->snapshot()->files) EXPECT_EQ(values_of(*file, "loss").size(), std::size_t{kRecords});
}

TEST_F(LogDirectoryTest, AStoppedLoadKeepsWhatItHasAndGoesOnLater) {
  std::string bytes = version();
  for (int i = 0; i < 100000; ++i) bytes += scalar(i, i);
  write(name_of(0), bytes);
  auto logs = LogDirectory::open(root_, {.threads = 2, .cache_directory = {}, .links = Links::kInside}).value();
  {
    std::jthread stopper([&](const std::stop_token& done) {
      while (!done.stop_requested()) logs->stop();
    });
    EXPECT_EQ(logs->refresh().code(), StatusCode::kClosed);
  }
  ASSERT_TRUE(logs->refresh().ok());
  EXPECT_EQ(values_of(*logs->snapshot()->files.at(0), "loss").size(), 100000U);
}

TEST_F(LogDirectoryTest, LinksThatLeadOutAreNotOpened) {
  const std::string outside = root_ + "_outside.tfevents";
  {
    std::ofstream(outside, std::ios::binary) << version() + scalar(0, 1);
  }
  std::filesystem::create_directories(path("run"));
  std::filesystem::create_symlink(outside, path("run/link.tfevents"));
  write("run/real.tfevents", version() + scalar(0, 2));
  std::filesystem::create_symlink("real.tfevents", path("run/inner.tfevents"));
  auto logs = load();
  auto snapshot = logs->snapshot();
  ASSERT_EQ(snapshot->files.size(), 2U);
  EXPECT_EQ(values_of(*snapshot->files[0], "loss"), std::vector<double>{2});  // inner
  ASSERT_EQ(snapshot->unreadable.size(), 1U);
  EXPECT_NE(snapshot->unreadable[0].reason.find("leads out"), std::string::npos);
  auto following = load({.threads = 1, .cache_directory = {}, .links = Links::kFollow});
  EXPECT_EQ(values_of(*following->snapshot()->files.at(1), "loss"), std::vector<double>{1});
  std::filesystem::remove(outside);
}

}  // namespace
}  // namespace tensortap::store
