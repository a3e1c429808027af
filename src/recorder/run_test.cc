// The public C++ API, as a user of the library sees it.
#include "tensortap/run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "event/capture.h"
#include "event/event.h"
#include "event/plugins.h"
#include "wire/frame_testutil.h"

namespace tensortap {
namespace {

namespace fs = std::filesystem;

class RunTest : public testing::Test {
 protected:
  void TearDown() override { fs::remove_all(root_); }

  // The records of all files of one directory whose name holds `part`.
  static std::vector<std::string> records(const std::string& directory, std::string_view part) {
    std::vector<std::string> records;
    for (const auto& entry : fs::directory_iterator(directory)) {
      if (entry.path().filename().string().find(part) == std::string::npos) continue;
      std::stringstream stream;
      stream << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      for (std::string& record : wire::records_in(stream.str())) records.push_back(std::move(record));
    }
    return records;
  }

  std::string root_ = testing::TempDir() + "tensortap_run_test_" + std::to_string(::getpid());
};

TEST_F(RunTest, RecordsEveryKind) {
  tensortap::Run run = tensortap::Run::open(root_ + "/a").value();
  std::vector<float> values(64 * 32, 0.25F);
  std::vector<std::uint8_t> pixels(8 * 8 * 3, 100);
  std::vector<float> sound(800, 0.1F);
  std::vector<std::int64_t> labels = {0, 1};
  std::vector<float> scores = {0.2F, 0.9F};
  std::vector<float> points = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  run.scalar("loss", 0.5, 1);
  run.histogram("w", view(values, {64, 32}), 1);
  run.tensor("out", view(values, {64, 32}), 1, Phase::kVal);
  run.image("in", view(pixels, {8, 8, 3}), 1);
  run.audio("sound", view(sound), 16000, 1);
  run.text("note", "**bold**", 1);
  Predictions predictions;
  predictions.y_pred = view(scores);
  predictions.y_true = view(labels);
  predictions.text_ids = {"a", "b"};
  run.predictions("val", predictions, 1);
  run.hparams({{"lr", 1e-3}, {"adam", true}, {"name", std::string("mlp")}}, {"val/loss"});
  run.graph("graph bytes");
  run.keras_model("{}");
  run.pr_curve("pr", view(labels), view(scores), 1);
  Mesh mesh;
  mesh.vertices = view(points, {1, 3, 3});
  run.mesh("mesh", mesh, 1);
  ASSERT_TRUE(run.close().ok()) << run.status().to_string();
  RunReport report = run.report();
  EXPECT_EQ(report.offered, 12U);
  EXPECT_EQ(report.written, 12U);
  EXPECT_EQ(report.dropped, 0U);
  EXPECT_GT(report.bytes, 8192U);

  std::vector<std::string> tags;
  for (const std::string& record : records(root_ + "/a", "tfevents")) {
    const event::EventView event = event::decode_event(bytes_of(record)).value();
    for (const event::ValueView& value : event.values) {
      EXPECT_TRUE(value.metadata.has_value()) << value.tag;
      EXPECT_NE(value.metadata->data_class, event::DataClass::kUnknown) << value.tag;
      tags.emplace_back(value.tag);
    }
  }
  std::sort(tags.begin(), tags.end());
  EXPECT_EQ(tags, (std::vector<std::string>{"_hparams_/experiment", "_hparams_/session_end_info",
                                            "_hparams_/session_start_info", "in", "keras", "loss", "mesh_VERTEX",
                                            "note", "pr", "sound", "w"}));
  // header, stats, tensor, predictions, end
  std::vector<std::string> captures = records(root_ + "/a", ".tap");
  ASSERT_EQ(captures.size(), 5U);
  EXPECT_TRUE(std::holds_alternative<event::CaptureHeader>(event::decode_capture(bytes_of(captures[0])).value().body));
  const auto tensor = event::decode_capture(bytes_of(captures[2])).value();
  EXPECT_EQ(tensor.head.tag, "out");
  EXPECT_EQ(tensor.head.phase, Phase::kVal);
  EXPECT_EQ(std::get<event::CapturedTensor>(tensor.body).shape, (Shape{64, 32}));
  EXPECT_TRUE(std::get<event::CaptureEnd>(event::decode_capture(bytes_of(captures[4])).value().body).success);
}

TEST_F(RunTest, MetadataStandsOnTheFirstEventOfATagOnly) {
  tensortap::Run run = tensortap::Run::open(root_ + "/a").value();
  for (int i = 0; i < 3; ++i) run.scalar("loss", i, i);
  (void)run.close();
  std::vector<bool> described;
  for (const std::string& record : records(root_ + "/a", "tfevents")) {
    const event::EventView event = event::decode_event(bytes_of(record)).value();
    for (const event::ValueView& value : event.values) {
      described.push_back(value.metadata.has_value());
    }
  }
  EXPECT_EQ(described, (std::vector<bool>{true, false, false}));
}

TEST_F(RunTest, NoEventFileWithoutEvents) {
  tensortap::Run run = tensortap::Run::open(root_ + "/a").value();
  std::vector<float> values = {1, 2};
  run.tensor("t", view(values), 0);
  tensortap::Run val = run.sub("val").value();
  val.scalar("loss", 1, 0);
  (void)run.close();
  EXPECT_TRUE(records(root_ + "/a", "tfevents").empty());
  EXPECT_EQ(records(root_ + "/a/val", "tfevents").size(), 2U);
}

TEST_F(RunTest, OneFileOfARunAndItsSubRunsTellsWhatTheWholeRunCost) {
  tensortap::Run run = tensortap::Run::open(root_ + "/a").value();
  std::vector<float> values = {1, 2};
  run.tensor("t", view(values), 0);
  run.sub("val").value().tensor("t", view(values), 0);
  (void)run.close();
  const auto end_of = [&](const std::string& folder) {
    const std::string record = records(root_ + folder, ".tap").back();
    return std::get<event::CaptureEnd>(event::decode_capture(bytes_of(record)).value().body);
  };
  const event::CaptureEnd whole = end_of("/a"), part = end_of("/a/val");
  EXPECT_TRUE(whole.success && part.success);
  EXPECT_EQ(whole.offered, 2U);
  EXPECT_GT(whole.caller_secs, 0);
  EXPECT_GT(whole.worker_secs, 0);
  EXPECT_EQ(part.offered, 0U);
  EXPECT_EQ(part.worker_secs, 0);
}

TEST_F(RunTest, BadCallsAreKeptInStatusAndHarmNothing) {
  tensortap::Run run = tensortap::Run::open(root_ + "/a").value();
  std::vector<float> values(12, 1);
  run.scalar("", 1, 0);
  EXPECT_EQ(run.status().message(), "a tag must not be empty");
  run.image("in", view(values, {12}), 0);
  run.audio("sound", view(values), -1, 0);
  run.scalar("x", 1, 0);
  run.histogram("x", view(values), 0);
  run.tensor("t", TensorView{nullptr, DType::kFloat32, {3}, {}}, 0);
  Predictions predictions;
  predictions.y_pred = view(values);
  predictions.number_ids = {1, 2};
  run.predictions("val", predictions, 0);
  run.hparams({});
  run.hparams({});
  EXPECT_FALSE(run.sub("../elsewhere").ok());
  EXPECT_FALSE(run.sub("/tmp").ok());
  EXPECT_FALSE(run.sub("").ok());
  (void)run.close();
  EXPECT_EQ(run.report().offered, 2U);
  EXPECT_EQ(run.report().written, 2U);
}

TEST_F(RunTest, AnUnwritablePathFailsAtOpenAndIsNamed) {
  std::ofstream(root_) << "a file";
  Status status = tensortap::Run::open(root_ + "/a").status();
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_NE(status.message().find(root_ + "/a"), std::string::npos) << status.message();
}

TEST_F(RunTest, AnOwnedTensorIsHeldNotCopied) {
  tensortap::Run run = tensortap::Run::open(root_ + "/a").value();
  auto values = std::make_shared<std::vector<float>>(100'000, 2.0F);
  std::weak_ptr<std::vector<float>> weak = values;
  run.tensor("t", KeptTensor(view(*values), values), 0);
  values.reset();
  ASSERT_TRUE(run.flush().ok());
  EXPECT_TRUE(weak.expired());
  (void)run.close();
}

TEST_F(RunTest, ABorrowedTensorMayChangeAfterTheCall) {
  tensortap::Run run = tensortap::Run::open(root_ + "/a", {.flush_ms = 60'000}).value();
  std::vector<float> values(100'000, 2.0F);
  run.tensor("t", view(values), 0);
  std::fill(values.begin(), values.end(), -1.0F);
  (void)run.close();
  const std::string record = records(root_ + "/a", ".tap").at(1);
  const auto capture = event::decode_capture(bytes_of(record)).value();
  const Bytes data = std::get<event::CapturedTensor>(capture.body).data;
  float first;
  std::memcpy(&first, data.data(), sizeof first);
  EXPECT_EQ(first, 2.0F);
}

TEST_F(RunTest, ThinnedHistogramsStayCompleteInTheCaptureFileAndKeepTheLast) {
  tensortap::Run run = tensortap::Run::open(root_ + "/a").value();
  std::vector<float> values = {1, 2, 3};
  for (int i = 0; i < 1000; ++i) run.histogram("w", view(values), i);
  (void)run.close();
  std::vector<std::int64_t> steps;
  for (const std::string& record : records(root_ + "/a", "tfevents")) {
    auto event = event::decode_event(bytes_of(record)).value();
    if (!event.values.empty()) steps.push_back(event.time.step);
  }
  EXPECT_EQ(steps.back(), 999);
  EXPECT_LT(steps.size(), 300U);
  EXPECT_EQ(run.report().written, 1000U);
  EXPECT_EQ(records(root_ + "/a", ".tap").size(), 1002U);
  EXPECT_EQ(run.report().histograms_thinned, 1000U - (steps.size() - 1));
}

TEST_F(RunTest, SequenceNumbersOfATagNeverRepeat) {
  tensortap::Run run = tensortap::Run::open(root_ + "/a").value();
  std::vector<float> values = {1};
  for (int i = 0; i < 5; ++i) run.histogram("w", view(values), 7);
  (void)run.close();
  std::vector<std::uint64_t> sequence;
  for (const std::string& record : records(root_ + "/a", ".tap")) {
    auto capture = event::decode_capture(bytes_of(record)).value();
    if (capture.head.tag == "w") sequence.push_back(capture.head.sequence);
  }
  EXPECT_EQ(sequence, (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
}

TEST_F(RunTest, ResumeAddsAFileAndMayTellTensorBoardWhereItGoesOn) {
  {
    tensortap::Run run = tensortap::Run::open(root_ + "/a").value();
    run.scalar("loss", 1, 0);
  }
  RunOptions options;
  options.mode = RunMode::kResume;
  options.resume_step = 80;
  tensortap::Run run = tensortap::Run::open(root_ + "/a", options).value();
  EXPECT_EQ(run.path(), root_ + "/a");
  run.scalar("loss", 2, 80);
  (void)run.close();
  int starts = 0;
  for (const std::string& record : records(root_ + "/a", "tfevents")) {
    auto event = event::decode_event(bytes_of(record)).value();
    if (event.session_status) {
      ++starts;
      EXPECT_EQ(event.time.step, 80);
    }
  }
  EXPECT_EQ(starts, 2);
}

TEST_F(RunTest, CallsAfterCloseDoNothing) {
  tensortap::Run run = tensortap::Run::open(root_ + "/a").value();
  ASSERT_TRUE(run.close().ok());
  run.scalar("x", 1, 0);
  EXPECT_EQ(run.report().offered, 0U);
  EXPECT_EQ(run.status().code(), StatusCode::kClosed);
  EXPECT_TRUE(run.flush().ok());
}

TEST_F(RunTest, OpeningAndClosingLeavesNothingBehind) {
  auto descriptors = [] { return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()); };
  auto workers = [] {
    int count = 0;
    for (const auto& task : fs::directory_iterator("/proc/self/task")) {
      std::string name;
      std::getline(std::ifstream(task.path() / "comm") >> std::ws, name);
      count += name == "tensortap" ? 1 : 0;
    }
    return count;
  };
  const auto descriptors_before = descriptors();
  const int workers_before = workers();  // a test that plays a stuck disk leaves one in the same process
  for (int i = 0; i < 200; ++i) {
    tensortap::Run run = tensortap::Run::open(root_ + "/r" + std::to_string(i)).value();
    run.scalar("x", i, 0);
  }
  EXPECT_EQ(descriptors(), descriptors_before);
  EXPECT_EQ(workers(), workers_before);
}

}  // namespace
}  // namespace tensortap
