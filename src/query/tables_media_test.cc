// The tables of tensors, predictions and media.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>

#include "event/damage_testutil.h"
#include "event/plugins.h"
#include "query/table_testutil.h"

namespace tensortap::query {
namespace {

using event::DataClass;
using event::Metadata;
using testing::ElementsAre;
using Strings = std::vector<std::string>;

// A capture of elements given as bytes, for dtypes that C++ does not know.
std::string raw_record(std::int64_t step, std::string_view tag, DType dtype, const std::string& bytes) {
  const auto count = static_cast<std::int64_t>(bytes.size() / dtype_size_bytes(dtype));
  return event::encode_capture(head_at(step, tag), event::CapturedTensor{dtype, {count}, bytes_of(bytes)}).joined();
}

class ValueTablesTest : public TableTest {};

TEST_F(ValueTablesTest, TensorsOfEveryDtypeAreListsOfDoubles) {
  using event::from_hex;
  write_captures("a", {
                          raw_record(0, "t", DType::kFloat16, from_hex("003c00c2007c")),
                          raw_record(1, "t", DType::kBfloat16, from_hex("803f40c0")),
                          raw_record(2, "t", DType::kFloat8E4m3fn, from_hex("38b87f")),
                          raw_record(3, "t", DType::kInt4, from_hex("070f")),
                          raw_record(4, "t", DType::kBool, from_hex("0001")),
                          tensor_record(5, "t", std::vector<std::int64_t>{-3, 1LL << 52}, {2, 1}),
                          tensor_record(6, "t", std::vector<std::uint8_t>{0, 255}, {2}),
                          tensor_record(7, "t", std::vector<std::complex<float>>{{1, -2}, {3, 0.5}}, {2}),
                          tensor_record(8, "t", std::vector<double>{0.25}, {}),
                          tensor_record(9, "t", std::vector<float>{}, {0, 4}),
                      });
  const Rows table = read({.table = "tensors"});
  EXPECT_THAT(table.heads,
              ElementsAre("run", "tag", "phase", "sequence", "step", "wall_time", "dtype", "shape", "values"));
  EXPECT_THAT(table.rows, ElementsAre("a|t|train|0|0|100|float16|[3]|[1,-3,inf]",        //
                                      "a|t|train|0|1|101|bfloat16|[2]|[1,-3]",           //
                                      "a|t|train|0|2|102|float8_e4m3fn|[3]|[1,-1,nan]",  //
                                      "a|t|train|0|3|103|int4|[2]|[7,-1]",               //
                                      "a|t|train|0|4|104|bool|[2]|[0,1]",                //
                                      "a|t|train|0|5|105|int64|[2,1]|[-3,4.5036e+15]",   //
                                      "a|t|train|0|6|106|uint8|[2]|[0,255]",             //
                                      "a|t|train|0|7|107|complex64|[2]|[1,-2,3,0.5]",    //
                                      "a|t|train|0|8|108|float64|[]|[0.25]",             //
                                      "a|t|train|0|9|109|float32|[0,4]|[]"));
}

TEST_F(ValueTablesTest, TensorsThatAreNoNumbersAreNull) {
  const Metadata metadata{"mine", "", DataClass::kTensor, "", false};
  const std::vector<float> number = {2};
  // The second is a quint8, which is none of our dtypes.
  write_events("a", {event::encode_strings({1, 0}, "t", Strings{"x"}, {1}, &metadata),
                     event::from_hex("09000000000000f83f10012a130a110a0174420c080c12041202080222020102"),
                     event::encode_tensor({2, 2}, "t", view(number), nullptr)});
  EXPECT_THAT(read({.table = "tensors"}).rows,
              ElementsAre("a|t||0|0|1|string|[1]|null", "a|t||0|1|1.5|invalid|[2]|null", "a|t||0|2|2|float32|[1]|[2]"));
}

TEST_F(ValueTablesTest, PredictionsAreARowASample) {
  const std::vector<float> outputs = {0.5F, 0.25F, 1, 2};
  const std::vector<std::int64_t> labels = {1, 0};
  const std::vector<std::int64_t> ids = {70, -2};
  const auto record = [](std::int64_t step, const event::CapturedPredictions& predictions) {
    return event::encode_capture(head_at(step, "val"), predictions).joined();
  };
  write_captures("a", {record(0, {captured(labels, {2}), captured(outputs, {2, 2}), captured(ids, {2}), {}}),
                       record(1, {{}, captured(outputs, {2, 1, 2}), {}, {"x", "y"}}),
                       record(2, {{}, captured(outputs, {4}), {}, {}})});
  const Rows table = read({.table = "predictions"});
  EXPECT_THAT(table.heads, ElementsAre("run", "tag", "step", "wall_time", "sample", "id", "y_true", "y_pred"));
  EXPECT_THAT(table.rows,
              ElementsAre("a|val|0|100|0|70|[1]|[0.5,0.25]", "a|val|0|100|1|-2|[0]|[1,2]",
                          "a|val|1|101|0|x|null|[0.5,0.25]", "a|val|1|101|1|y|null|[1,2]", "a|val|2|102|0|0|null|[0.5]",
                          "a|val|2|102|1|1|null|[0.25]", "a|val|2|102|2|2|null|[1]", "a|val|2|102|3|3|null|[2]"));
}

TEST_F(ValueTablesTest, MediaAreARowAnItem) {
  const Metadata images{event::plugin::kImages, "", DataClass::kBlobSequence, "", false};
  const Metadata audio{event::plugin::kAudio, "", DataClass::kBlobSequence, "", false};
  const Metadata text{event::plugin::kText, "", DataClass::kTensor, "", false};
  write_events("a", {event::encode_strings({1, 2}, "i", Strings{"3", "2", "p", "q"}, {4}, &images),
                     event::encode_strings({1, 3}, "i", Strings{"3", "2"}, {2}, nullptr),
                     event::encode_strings({1, 2}, "s", Strings{"wav"}, {1}, &audio),
                     event::encode_strings({1, 2}, "n", Strings{"x", "y"}, {2, 1}, &text)});
  EXPECT_THAT(read({.table = "images"}).rows, ElementsAre("a|i|2|1|0|3|2|p", "a|i|2|1|1|3|2|q"));
  EXPECT_THAT(read({.table = "audio"}).rows, ElementsAre("a|s|2|1|0|wav"));
  EXPECT_THAT(read({.table = "text"}).rows, ElementsAre("a|n|2|1|0|x", "a|n|2|1|1|y"));
}

TEST_F(ValueTablesTest, LargeValuesMakeSmallBatches) {
  const std::vector<double> large(1 << 20);
  std::vector<std::string> records;
  for (std::int64_t step = 0; step < 5; ++step) records.push_back(tensor_record(step, "t", large, {1 << 20}));
  write_captures("a", records);
  auto cursor = open_table(open(), {.table = "tensors"}).value();
  std::vector<std::size_t> sizes;
  while (auto batch = cursor->next().value()) sizes.push_back(batch->rows);
  EXPECT_THAT(sizes, ElementsAre(2, 2, 1));
}

TEST_F(ValueTablesTest, ATableEndsAtAValueThatCannotBeRead) {
  const Metadata text{event::plugin::kText, "", DataClass::kTensor, "", false};
  write_events("a", {event::encode_tensor({1, 0}, "n", view<float>(nullptr, {0}), &text),
                     event::encode_strings({1, 1}, "n", Strings{"x"}, {}, nullptr)});
  auto cursor = open_table(open(), {.table = "text"}).value();
  const Status status = cursor->next().status();
  EXPECT_EQ(status.code(), StatusCode::kCorrupt);
  EXPECT_THAT(status.message(), testing::HasSubstr("at offset"));
  EXPECT_FALSE(cursor->next().value().has_value());
}

}  // namespace
}  // namespace tensortap::query
