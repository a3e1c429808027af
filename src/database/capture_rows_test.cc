// Captures as rows: names, cells, and what is said of predictions.
#include "database/capture_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "database/schema.h"

namespace tensortap::database {
namespace {

using Numbers = std::vector<double>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

recorder::CaptureInfo info_of(std::string_view tag, std::string_view sub_run = "") {
  return {0, {{10.5, 3}, tag, Phase::kTrain, 4}, 2, sub_run};
}

event::CapturedTensor captured(const std::vector<double>& values, Shape shape) {
  return {DType::kFloat64, std::move(shape), std::as_bytes(std::span(values))};
}

event::CapturedPredictions set_of(event::CapturedTensor y_pred, event::CapturedTensor y_true = {}) {
  return {std::move(y_true), std::move(y_pred), {}, {}};
}

const Cell& cell(const Row& row, std::string_view name) {
  const Table& table = table_of(row.table);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].name == name) return row.cells.at(i);
  }
  throw std::out_of_range(std::string(name));
}

template <typename T>
T value(const Row& row, std::string_view name) {
  return std::get<T>(cell(row, name));
}

bool is_null(const Row& row, std::string_view name) { return std::holds_alternative<std::monostate>(cell(row, name)); }

Row prediction(const event::CapturedPredictions& predictions) {
  CaptureRows rows(1);
  return std::move(rows.predictions(info_of("predictions/x"), predictions).value().back());
}

TEST(CaptureRows, ATagIsNamedOnceAndByItsSubRun) {
  CaptureRows rows(77);
  const auto first = rows.scalar(info_of("loss", "train"), 0.5);
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(value<std::string>(first[0], "name"), "train/loss");
  EXPECT_EQ(value<std::int64_t>(first[0], "run_id"), 77);
  EXPECT_EQ(value<std::int64_t>(first[1], "tag_id"), value<std::int64_t>(first[0], "tag_id"));
  EXPECT_EQ(rows.scalar(info_of("loss", "train"), 0.5).size(), 1U);
  const auto other = rows.scalar(info_of("loss"), 0.5);
  ASSERT_EQ(other.size(), 2U);
  EXPECT_NE(value<std::int64_t>(other[1], "tag_id"), value<std::int64_t>(first[1], "tag_id"));
}

TEST(CaptureRows, ATagWhoseRowWasNotKeptIsNamedAgain) {
  CaptureRows rows(1);
  rows.forget_tag(rows.scalar(info_of("a"), 1));
  EXPECT_EQ(rows.scalar(info_of("a"), 1).size(), 2U);
}

TEST(CaptureRows, EveryKindFillsEveryColumn) {
  CaptureRows rows(1);
  const std::vector<double> values = {1, 2, 3};
  std::vector<CaptureRows::Rows> all;
  all.push_back({rows.run({"/runs/a", 1.0})});
  all.push_back(rows.scalar(info_of("s"), 1));
  all.push_back(rows.stats(info_of("h"), {DType::kFloat64, {3}, compute_stats(view(values)).value()}));
  all.push_back(rows.tensor(info_of("t"), captured(values, {3})).value());
  all.push_back(rows.predictions(info_of("p"), set_of(captured(values, {3}))).value());
  const recorder::EncodedImage image{2, 1, "png"};
  all.push_back(rows.images(info_of("i"), {&image, 1}));
  const std::string text = "x";
  all.push_back(rows.audio(info_of("a"), {&text, 1}));
  all.push_back(rows.texts(info_of("n"), {&text, 1}));
  all.push_back(rows.hparams(info_of("hp"), {{"lr", 0.1}}));
  std::set<TableId> seen;
  for (const auto& some : all) {
    for (const Row& row : some) {
      seen.insert(row.table);
      EXPECT_EQ(row.cells.size(), table_of(row.table).columns.size()) << table_of(row.table).name;
    }
  }
  EXPECT_EQ(seen.size(), kTableCount);
}

TEST(CaptureRows, WhatIsNotKnownIsNull) {
  CaptureRows rows(1);
  recorder::CaptureInfo info = info_of("a");
  const Row known = rows.scalar(info, 1).back();
  EXPECT_EQ(value<std::int64_t>(known, "epoch"), 2);
  EXPECT_EQ(value<std::string>(known, "phase"), "train");
  info.epoch = recorder::kNoEpoch;
  info.head.phase = Phase::kNone;
  const Row unknown = rows.scalar(info, 1).back();
  EXPECT_TRUE(is_null(unknown, "epoch"));
  EXPECT_TRUE(is_null(unknown, "phase"));
}

TEST(CaptureRows, TheNameOfARunIsTheLastPartOfItsPath) {
  const CaptureRows rows(1);
  EXPECT_EQ(value<std::string>(rows.run({"/runs/deep/a", 1.0}), "name"), "a");
  EXPECT_EQ(value<std::string>(rows.run({"/runs/a/", 1.0}), "name"), "a");
  EXPECT_EQ(value<std::string>(rows.run({"/", 1.0}), "name"), "/");
}

TEST(CaptureRows, TextsBecomeValidUtf8) {
  CaptureRows rows(1);
  const std::string text = "a\xFF\xC3z";
  EXPECT_EQ(value<std::string>(rows.texts(info_of("n"), {&text, 1}).back(), "text"), "a\xEF\xBF\xBD\xEF\xBF\xBDz");
}

TEST(PredictionRows, AVectorOfClassesHasAPredictedClass) {
  const Numbers outputs = {0.1, 0.7, 0.2};
  const Numbers labels = {2};
  const Row row = prediction(set_of(captured(outputs, {1, 3}), captured(labels, {1})));
  EXPECT_EQ(value<double>(row, "predicted"), 1);
  EXPECT_EQ(value<double>(row, "label"), 2);
  EXPECT_EQ(value<Numbers>(row, "output"), outputs);
  EXPECT_TRUE(is_null(row, "labels"));
  EXPECT_TRUE(is_null(row, "output_npy"));
  EXPECT_EQ(value<std::string>(row, "shape"), "[3]");
  EXPECT_EQ(value<std::string>(row, "id"), "0");
}

TEST(PredictionRows, AOneHotLabelIsItsClassAndAnyOtherVectorIsNone) {
  const Numbers outputs = {0.1, 0.7, 0.2};
  const Numbers one_hot = {0, 0, 1};
  const Numbers soft = {0, 0.5, 0.5};
  const Row hard = prediction(set_of(captured(outputs, {1, 3}), captured(one_hot, {1, 3})));
  EXPECT_EQ(value<double>(hard, "label"), 2);
  EXPECT_EQ(value<Numbers>(hard, "labels"), one_hot);
  EXPECT_TRUE(is_null(prediction(set_of(captured(outputs, {1, 3}), captured(soft, {1, 3}))), "label"));
}

TEST(PredictionRows, NanIsNoClassAndAMapHasNone) {
  const Numbers outputs = {0.1, kNan, 0.2, 0.3};
  EXPECT_TRUE(is_null(prediction(set_of(captured(outputs, {1, 4}))), "predicted"));
  const Numbers map = {0.1, 0.5, 0.2, 0.3};
  EXPECT_TRUE(is_null(prediction(set_of(captured(map, {1, 2, 2}))), "predicted"));
}

TEST(PredictionRows, ALabelThatIsNanIsNotTakenForNone) {
  const Numbers outputs = {0.5};
  const Numbers labels = {kNan};
  const Row row = prediction(set_of(captured(outputs, {1}), captured(labels, {1})));
  EXPECT_TRUE(std::isnan(value<Numbers>(row, "labels").at(0)));
  EXPECT_TRUE(is_null(prediction(set_of(captured(outputs, {1}))), "labels"));
}

TEST(PredictionRows, BeyondTheLimitASampleIsAFile) {
  const Numbers few(kMaxListNumbers, 0.5);
  EXPECT_EQ(value<Numbers>(prediction(set_of(captured(few, {1, kMaxListNumbers}))), "output").size(), few.size());
  const Numbers many(2 * (kMaxListNumbers + 1), 0.5);
  const Row row = prediction(set_of(captured(many, {2, kMaxListNumbers + 1})));
  EXPECT_TRUE(is_null(row, "output"));
  EXPECT_TRUE(value<Blob>(row, "output_npy").bytes.starts_with("\x93NUMPY"));
}

TEST(PredictionRows, NoSamplesAreNoRows) {
  CaptureRows rows(1);
  const Numbers none;
  const auto found = rows.predictions(info_of("p"), set_of(captured(none, {0, 3}))).value();
  EXPECT_EQ(found.size(), 1U);  // the tag
}

}  // namespace
}  // namespace tensortap::database
