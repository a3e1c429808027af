// Tests of PredictionRows: heads by shape, ids of all kinds, and samples too large for a row.
#include "format/prediction_rows.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tensortap::format {
namespace {

template <typename Rows>
std::string all(Rows rows) {
  std::string text;
  while (std::optional<std::string> piece = rows.next()) text += *piece;
  return text;
}

TEST(PredictionRows, GivesAClassVectorOneColumnAClass) {
  const std::vector<float> outputs{0.25F, 0.75F, 1, 0};
  const std::vector<std::int64_t> labels{1, 0}, ids{17, 4};
  const PredictionRows rows({view(outputs, {2, 2}), view(labels), view(ids)}, "3,120,");
  EXPECT_EQ(rows.heads(), "id,label,class_0,class_1");
  EXPECT_EQ(all(rows), "3,120,17,1,0.25,0.75\r\n3,120,4,0,1,0\r\n");
}

TEST(PredictionRows, CountsSamplesThatHaveNoIdsAndLeavesLabelsEmpty) {
  const std::vector<float> outputs{0.5F, -1};
  const PredictionRows rows({view(outputs), {}, {}}, "");
  EXPECT_EQ(rows.heads(), "id,label,output");
  EXPECT_EQ(all(rows), "0,,0.5\r\n1,,-1\r\n");
  EXPECT_EQ(PredictionRows({view(outputs, {2, 1}), {}, {}}, "").heads(), "id,label,output");
}

TEST(PredictionRows, MakesTextIdsSafe) {
  const std::vector<float> outputs{1, 2};
  const std::vector<std::string_view> ids{"=cmd", "a,b"};
  EXPECT_EQ(all(PredictionRows({view(outputs), {}, {}, ids}, "")), "\"'=cmd\",,1\r\n\"a,b\",,2\r\n");
}

TEST(PredictionRows, NamesMapsAndOneHotLabelsByTheirIndex) {
  const std::vector<float> outputs(8), labels(6);
  const PredictionRows rows({view(outputs, {2, 2, 2}), view(labels, {2, 3}), {}}, "");
  EXPECT_EQ(rows.heads(), "id,label_0,label_1,label_2,output_0_0,output_0_1,output_1_0,output_1_1");
}

TEST(PredictionRows, KeepsWhatIsTooLargeForARowOutOfIt) {
  std::vector<float> outputs(2 * 40 * 30);
  std::iota(outputs.begin(), outputs.end(), 0.0F);
  const std::vector<std::int32_t> labels{5, 6};
  const PredictionTensors tensors{view(outputs, {2, 40, 30}), view(labels), {}};
  const PredictionRows rows(tensors, "0,1,");
  EXPECT_TRUE(rows.has_table());
  EXPECT_FALSE(rows.outputs_fit());
  EXPECT_EQ(rows.heads(), "id,label");
  EXPECT_EQ(all(rows), "0,1,0,5\r\n0,1,1,6\r\n");
  const std::string elements = all(SampleElements(tensors, tensors.y_pred, "0,1,"));
  EXPECT_EQ(elements.substr(0, 26), "0,1,0,\"0,0\",0\r\n0,1,0,\"0,1\"");
  EXPECT_NE(elements.find("0,1,1,\"39,29\",2399\r\n"), std::string::npos);
  EXPECT_EQ(std::count(elements.begin(), elements.end(), '\n'), 2400);
}

TEST(PredictionRows, HasNoTableWithoutAnythingThatFits) {
  const std::vector<float> outputs(2 * 1001);
  EXPECT_FALSE(PredictionRows({view(outputs, {2, 1001}), {}, {}}, "").has_table());
  EXPECT_FALSE(PredictionRows({view(outputs, {2, 1001}), view(outputs, {2, 1001}), {}}, "").has_table());
}

TEST(PredictionRows, HasNoRowsWithoutSamples) {
  const std::vector<float> none;
  const PredictionRows rows({view(none.data(), {0, 2}), {}, {}}, "");
  EXPECT_EQ(rows.heads(), "id,label,class_0,class_1");
  EXPECT_EQ(all(rows), "");
}

}  // namespace
}  // namespace tensortap::format
