// Tests of ArrowStream: schemas, memory, nulls, errors, and who owns what for how long.
#include "format/arrow_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tensortap::format {
namespace {

using testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

class FakeCursor final : public TableCursor {
 public:
  FakeCursor(std::vector<ColumnHead> heads, std::vector<TableBatch> batches, Status last = {})
      : heads_(std::move(heads)), batches_(std::move(batches)), last_(std::move(last)) {}
  const std::vector<ColumnHead>& heads() const override { return heads_; }
  Result<std::optional<TableBatch>> next() override {
    if (at_ < batches_.size()) return std::optional<TableBatch>(std::move(batches_[at_++]));
    if (throws) throw std::runtime_error("thrown on purpose");
    if (!last_.ok()) return last_;
    return std::optional<TableBatch>();
  }
  bool throws = false;

 private:
  std::vector<ColumnHead> heads_;
  std::vector<TableBatch> batches_;
  std::size_t at_ = 0;
  Status last_;
};

// A stream as a consumer holds it.
class Stream {
 public:
  explicit Stream(std::unique_ptr<TableCursor> cursor) { export_arrow_stream(std::move(cursor), &stream_); }
  Stream(std::vector<ColumnHead> heads, std::vector<TableBatch> batches, Status last = {})
      : Stream(std::make_unique<FakeCursor>(std::move(heads), std::move(batches), std::move(last))) {}
  ~Stream() { release(); }
  void release() {
    if (stream_.release != nullptr) stream_.release(&stream_);
    EXPECT_EQ(stream_.release, nullptr);
  }
  ArrowSchema schema() {
    ArrowSchema out{};
    EXPECT_EQ(stream_.get_schema(&stream_, &out), 0);
    return out;
  }
  ArrowArray next() {
    ArrowArray out{};
    EXPECT_EQ(stream_.get_next(&stream_, &out), 0) << stream_.get_last_error(&stream_);
    return out;
  }
  int failure() {
    ArrowArray out{};
    const int code = stream_.get_next(&stream_, &out);
    EXPECT_EQ(out.release, nullptr);
    return code;
  }
  std::string error() {
    const char* text = stream_.get_last_error(&stream_);
    return text == nullptr ? "" : text;
  }

 private:
  ArrowArrayStream stream_{};
};

// Moves the columns: an initializer_list would copy them.
template <typename... Columns>
TableBatch moved_batch(std::size_t rows, Columns&&... columns) {
  TableBatch batch;
  batch.rows = rows;
  (batch.columns.emplace_back(std::forward<Columns>(columns)), ...);
  return batch;
}

TableBatch batch_of(std::size_t rows, std::vector<ColumnValues> columns,
                    std::vector<std::vector<std::uint8_t>> valid = {}) {
  return TableBatch{rows, std::move(columns), std::move(valid)};
}

template <typename T>
const T* buffer(const ArrowArray* array, std::size_t index) {
  return static_cast<const T*>(array->buffers[index]);
}

WordColumn words(std::vector<std::int32_t> index, std::vector<std::string> texts) {
  return {std::move(index), std::make_shared<const std::vector<std::string>>(std::move(texts))};
}

TEST(ArrowStream, SchemaNamesEveryType) {
  Stream stream({{"i", ColumnType::kInt64},
                 {"u", ColumnType::kUint64},
                 {"f", ColumnType::kFloat64, true},
                 {"s", ColumnType::kText},
                 {"w", ColumnType::kWord},
                 {"l", ColumnType::kFloat64List},
                 {"t", ColumnType::kTimestamp},
                 {"b", ColumnType::kBinary}},
                {});
  ArrowSchema schema = stream.schema();
  EXPECT_STREQ(schema.format, "+s");
  const char* formats[] = {"l", "L", "g", "U", "i", "+L", "tsu:UTC", "Z"};
  const std::int64_t flags[] = {0, 0, ARROW_FLAG_NULLABLE, 0, 0, 0, ARROW_FLAG_NULLABLE, 0};
  ASSERT_EQ(schema.n_children, 8);
  for (int i = 0; i < 8; ++i) {
    EXPECT_STREQ(schema.children[i]->format, formats[i]);
    EXPECT_EQ(schema.children[i]->flags, flags[i]);
    EXPECT_EQ(schema.children[i]->dictionary != nullptr, i == 4);
  }
  EXPECT_STREQ(schema.children[0]->name, "i");
  EXPECT_STREQ(schema.children[4]->dictionary->format, "u");
  ASSERT_EQ(schema.children[5]->n_children, 1);
  EXPECT_STREQ(schema.children[5]->children[0]->format, "g");
  schema.release(&schema);
  EXPECT_EQ(schema.release, nullptr);
}

TEST(ArrowStream, NumbersAreTheColumnsOwnMemory) {
  std::vector<std::int64_t> steps = {1, 2, 3};
  std::vector<double> values = {0.5, kNan, -1};
  const std::int64_t* step_memory = steps.data();
  const double* value_memory = values.data();
  std::vector<TableBatch> batches;
  batches.push_back(moved_batch(3, std::move(steps), std::move(values)));
  Stream stream({{"step", ColumnType::kInt64}, {"value", ColumnType::kFloat64}}, std::move(batches));
  ArrowArray array = stream.next();
  EXPECT_EQ(array.length, 3);
  EXPECT_EQ(array.n_children, 2);
  EXPECT_EQ(buffer<std::int64_t>(array.children[0], 1), step_memory);
  EXPECT_EQ(buffer<double>(array.children[1], 1), value_memory);
  EXPECT_EQ(array.children[1]->null_count, 0);  // NaN is a value
  EXPECT_EQ(array.children[1]->buffers[0], nullptr);
  array.release(&array);
}

TEST(ArrowStream, ListsAreTheColumnsOwnMemory) {
  ListColumn lists{{0, 2, 2, 3}, {1, 2, 3}};
  const double* memory = lists.values.data();
  std::vector<TableBatch> batches;
  batches.push_back(moved_batch(3, std::move(lists)));
  batches[0].valid = {{1, 0, 1}};
  Stream stream({{"values", ColumnType::kFloat64List, true}}, std::move(batches));
  ArrowArray array = stream.next();
  const ArrowArray* list = array.children[0];
  EXPECT_EQ(list->null_count, 1);
  EXPECT_EQ(*buffer<std::uint8_t>(list, 0), 0b101);
  EXPECT_EQ(buffer<std::int64_t>(list, 1)[3], 3);
  EXPECT_EQ(list->children[0]->length, 3);
  EXPECT_EQ(buffer<double>(list->children[0], 1), memory);
  array.release(&array);
}

TEST(ArrowStream, WordsOfAllBatchesShareOneDictionary) {
  WordColumn first = words({1, 0}, {"a", "bcd"});
  WordColumn second{{0}, first.words};
  std::vector<TableBatch> batches;
  batches.push_back(batch_of(2, {std::move(first)}));
  batches.push_back(batch_of(1, {std::move(second)}));
  Stream stream({{"run", ColumnType::kWord}}, std::move(batches));
  ArrowArray one = stream.next();
  ArrowArray two = stream.next();
  const ArrowArray* dictionary = one.children[0]->dictionary;
  EXPECT_EQ(dictionary->length, 2);
  EXPECT_EQ(buffer<std::int32_t>(dictionary, 1)[2], 4);
  EXPECT_EQ(std::string_view(buffer<char>(dictionary, 2), 4), "abcd");
  EXPECT_EQ(dictionary->buffers[2], two.children[0]->dictionary->buffers[2]);
  EXPECT_EQ(buffer<std::int32_t>(one.children[0], 1)[0], 1);
  one.release(&one);
  EXPECT_EQ(std::string_view(buffer<char>(two.children[0]->dictionary, 2), 4), "abcd");
  two.release(&two);
}

TEST(ArrowStream, TextsAndBytesStandOneBehindTheOther) {
  using Texts = std::vector<std::string>;
  std::vector<TableBatch> batches;
  batches.push_back(batch_of(3, {Texts{"ab", "", "ü"}, Texts{std::string("\0x", 2), "y", ""}}, {{}, {1, 1, 0}}));
  Stream stream({{"text", ColumnType::kText}, {"data", ColumnType::kBinary, true}}, std::move(batches));
  ArrowArray array = stream.next();
  const std::int64_t* offsets = buffer<std::int64_t>(array.children[0], 1);
  EXPECT_THAT(std::vector<std::int64_t>(offsets, offsets + 4), testing::ElementsAre(0, 2, 2, 4));
  EXPECT_EQ(std::string_view(buffer<char>(array.children[0], 2), 4), "abü");
  EXPECT_EQ(std::string_view(buffer<char>(array.children[1], 2), 3), std::string_view("\0xy", 3));
  EXPECT_EQ(array.children[1]->null_count, 1);
  EXPECT_EQ(*buffer<std::uint8_t>(array.children[1], 0), 0b011);
  array.release(&array);
}

TEST(ArrowStream, TimesAreMicrosecondsAndNullWhereNotFinite) {
  std::vector<TableBatch> batches;
  batches.push_back(batch_of(6, {std::vector<double>{1.0000007, kNan, -0.5, kInf, 1e300, 1794795235.25}}));
  batches.push_back(batch_of(2, {std::vector<double>{1, 2}}, {{1, 0}}));
  Stream stream({{"wall_time", ColumnType::kTimestamp, true}}, std::move(batches));
  ArrowArray array = stream.next();
  const ArrowArray* times = array.children[0];
  EXPECT_EQ(times->null_count, 3);
  EXPECT_EQ(*buffer<std::uint8_t>(times, 0), 0b100101);
  EXPECT_EQ(buffer<std::int64_t>(times, 1)[0], 1000001);
  EXPECT_EQ(buffer<std::int64_t>(times, 1)[2], -500000);
  EXPECT_EQ(buffer<std::int64_t>(times, 1)[5], 1794795235250000);
  array.release(&array);
  array = stream.next();
  EXPECT_EQ(array.children[0]->null_count, 1);
  array.release(&array);
}

TEST(ArrowStream, ABatchWithoutRowsHasBuffersNonetheless) {
  std::vector<TableBatch> batches;
  batches.push_back(batch_of(0, {std::vector<double>{}, ListColumn{}, std::vector<std::string>{}, words({}, {})}));
  Stream stream({{"f", ColumnType::kFloat64},
                 {"l", ColumnType::kFloat64List},
                 {"s", ColumnType::kText},
                 {"w", ColumnType::kWord}},
                std::move(batches));
  ArrowArray array = stream.next();
  for (int i = 0; i < 4; ++i) EXPECT_NE(array.children[i]->buffers[1], nullptr);
  EXPECT_EQ(*buffer<std::int64_t>(array.children[1], 1), 0);
  EXPECT_EQ(array.children[3]->dictionary->length, 0);
  array.release(&array);
}

TEST(ArrowStream, EndsWithAnArrayWithoutRelease) {
  Stream stream({{"step", ColumnType::kInt64}}, {});
  EXPECT_EQ(stream.next().release, nullptr);
  EXPECT_EQ(stream.next().release, nullptr);
  EXPECT_EQ(stream.error(), "");
}

TEST(ArrowStream, ArraysOutliveTheStreamAndChildrenTheirParent) {
  std::vector<TableBatch> batches;
  batches.push_back(batch_of(2, {std::vector<std::int64_t>{1, 2}, words({0, 0}, {"word"})}));
  Stream stream({{"step", ColumnType::kInt64}, {"run", ColumnType::kWord}}, std::move(batches));
  ArrowArray array = stream.next();
  stream.release();
  ArrowArray moved = *array.children[1];
  array.children[1]->release = nullptr;
  array.release(&array);
  EXPECT_EQ(std::string_view(buffer<char>(moved.dictionary, 2), 4), "word");
  moved.release(&moved);
}

TEST(ArrowStream, ErrorsOfTheCursorAreGivenAndStay) {
  Stream stream({{"step", ColumnType::kInt64}}, {}, Status(StatusCode::kCorrupt, "runs/a: bad CRC at 12"));
  EXPECT_EQ(stream.error(), "");
  EXPECT_EQ(stream.failure(), EIO);
  EXPECT_EQ(stream.error(), "runs/a: bad CRC at 12");
  EXPECT_EQ(stream.failure(), EIO);
  EXPECT_EQ(stream.error(), "runs/a: bad CRC at 12");
}

TEST(ArrowStream, NoExceptionReachesTheConsumer) {
  auto cursor = std::make_unique<FakeCursor>(std::vector<ColumnHead>{}, std::vector<TableBatch>{});
  cursor->throws = true;
  Stream stream(std::move(cursor));
  EXPECT_EQ(stream.failure(), EIO);
  EXPECT_EQ(stream.error(), "thrown on purpose");
}

TEST(ArrowStream, RefusesBatchesThatAreNotOfTheTable) {
  const std::vector<ColumnHead> heads = {{"step", ColumnType::kInt64}, {"run", ColumnType::kWord}};
  const std::vector<std::int64_t> steps = {1, 2};
  std::pair<TableBatch, const char*> wrong[] = {
      {batch_of(2, {steps}), "1 columns, its table 2"},
      {batch_of(2, {steps, steps}), "'run' of a batch has another type"},
      {batch_of(3, {steps, words({0, 0, 0}, {"a"})}), "'step' of a batch has another length"},
      {batch_of(2, {steps, WordColumn{{0, 0}, nullptr}}), "'run' of a batch has another length"},
      {batch_of(2, {steps, words({0, 0}, {"a"})}, {{}, {1}}), "validity of another length"},
  };
  for (auto& [batch, sentence] : wrong) {
    std::vector<TableBatch> batches;
    batches.push_back(std::move(batch));
    Stream stream(heads, std::move(batches));
    EXPECT_EQ(stream.failure(), EINVAL);
    EXPECT_THAT(stream.error(), HasSubstr(sentence));
  }
}

}  // namespace
}  // namespace tensortap::format
