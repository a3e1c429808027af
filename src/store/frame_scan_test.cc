// Damage is found, named, and costs only itself.
#include "store/frame_scan.h"

#include "store/temp_logs_testutil.h"

namespace tensortap::store {
namespace {

// What a loader would make of some bytes.
struct Scanned {
  std::vector<double> values;
  DamageLog damage;
  Tail tail;
  std::string error;
};

class FrameScanTest : public TempLogs {
 protected:
  void SetUp() override {
    TempLogs::SetUp();
    whole_ = version();
    for (int i = 0; i < 9; ++i) whole_ += scalar(i, i);
  }

  Scanned scan(std::string_view bytes, bool settled = false) {
    const std::string name(kEventsName);
    write(name, bytes);
    if (settled) settle(name);
    auto logs = load({.threads = 1, .cache_directory = {}, .links = Links::kInside});
    const FollowedFile& file = *logs->snapshot()->files.at(0);
    Scanned scanned{values_of(file, "loss"), {}, file.progress().tail, file.progress().error};
    file.read([&](const FileContents& contents) { scanned.damage = contents.damage; });
    return scanned;
  }

  static std::vector<double> count_to(int n) {
    std::vector<double> numbers;
    for (int i = 0; i < n; ++i) numbers.push_back(i);
    return numbers;
  }

  std::string whole_;
};

TEST_F(FrameScanTest, AWholeFileIsWhole) {
  Scanned scanned = scan(whole_);
  EXPECT_EQ(scanned.values, count_to(9));
  EXPECT_EQ(scanned.damage.places, 0U);
  EXPECT_EQ(scanned.tail, Tail());
}

TEST_F(FrameScanTest, EveryTruncationGivesAPrefixAndATornTail) {
  std::size_t most = 0;
  for (std::size_t n = 0; n < whole_.size(); ++n) {
    Scanned scanned = scan(whole_.substr(0, n), n % 2 == 0);
    ASSERT_EQ(scanned.damage.places, 0U) << n;
    ASSERT_EQ(scanned.values, count_to(static_cast<int>(scanned.values.size()))) << n;
    ASSERT_GE(scanned.values.size(), most);
    most = scanned.values.size();
  }
  EXPECT_EQ(most, 8U);
}

TEST_F(FrameScanTest, EveryFlippedBitCostsOneRecordAndIsNamed) {
  for (std::size_t bit = 0; bit < whole_.size() * 8; ++bit) {
    std::string damaged = whole_;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    Scanned scanned = scan(damaged);
    const bool in_last = bit / 8 >= whole_.size() - scalar(8, 8).size();
    // Behind a last record with a bad length there is nothing to go on with.
    ASSERT_EQ(scanned.damage.places + (scanned.tail.kind == TailKind::kNone ? 0U : 1U), 1U) << bit;
    ASSERT_TRUE(scanned.tail.kind == TailKind::kNone || in_last) << bit;
    std::vector<double> expected = count_to(9);
    const std::size_t lost = 9 - scanned.values.size();
    ASSERT_LE(lost, 1U) << bit;
    if (lost == 1) {
      for (std::size_t i = 0; i < 9; ++i) {
        if (i == scanned.values.size() || scanned.values[i] != static_cast<double>(i)) {
          expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(i));
          break;
        }
      }
    }
    ASSERT_EQ(scanned.values, expected) << bit;
  }
}

TEST_F(FrameScanTest, ZeroesInTheMiddleAreDamageWithAnOffset) {
  const std::size_t at = version().size();
  std::string damaged = whole_;
  damaged.insert(at, std::string(100, '\0'));
  Scanned scanned = scan(damaged);
  EXPECT_EQ(scanned.values, count_to(9));
  ASSERT_EQ(scanned.damage.first.size(), 1U);
  EXPECT_EQ(scanned.damage.first[0].offset, at);
  EXPECT_EQ(scanned.damage.first[0].size_bytes, 100U);
}

TEST_F(FrameScanTest, ZeroesAtTheEndWait) {
  for (std::size_t zeroes : {12U, 13U, 4096U, 3U << 20}) {
    Scanned scanned = scan(whole_ + std::string(zeroes, '\0'));
    EXPECT_EQ(scanned.values, count_to(9));
    EXPECT_EQ(scanned.damage.places, 0U);
    EXPECT_EQ(scanned.tail, (Tail{TailKind::kZeroes, zeroes}));
  }
}

TEST_F(FrameScanTest, LengthBombsCostNothing) {
  for (int bits = 31; bits <= 64; ++bits) {
    const std::uint64_t length = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - (bits % 2);
    auto header = wire::encode_header(length);
    const std::string bomb(reinterpret_cast<const char*>(header.data()), header.size());
    EXPECT_NE(scan(bomb).tail.kind, TailKind::kNone);
    // What stands behind one is found when it cannot be a record, or nobody writes any more.
    Scanned scanned = scan(whole_ + bomb + scalar(9, 9), true);
    EXPECT_EQ(scanned.values, count_to(10)) << bits;
  }
}

TEST_F(FrameScanTest, TinyFilesAndGarbageAreTails) {
  EXPECT_EQ(scan("").tail, Tail());
  for (std::size_t n = 1; n < 12; ++n) EXPECT_EQ(scan(std::string(n, 'x')).tail, (Tail{TailKind::kTorn, n}));
  EXPECT_EQ(scan(std::string(5000, 'x')).tail, (Tail{TailKind::kUnreadable, 5000}));
}

TEST_F(FrameScanTest, RecordsWrittenBehindATornOneAreFound) {
  const std::string torn = scalar(100, 100, "a tag that is rather long, as they sometimes are").substr(0, 40);
  std::string rest;
  for (int i = 9; i < 20; ++i) rest += scalar(i, i);
  Scanned scanned = scan(whole_ + torn + rest);
  EXPECT_EQ(scanned.values, count_to(20));
  EXPECT_GE(scanned.damage.places, 1U);
}

TEST_F(FrameScanTest, ARecordLargerThanABlockIsOneRecord) {
  const std::string large(5 << 20, 'x');
  const std::string text = wire::frame_of(event::encode_strings({1, 1}, "text", std::span(&large, 1), {1}, nullptr));
  Scanned scanned = scan(whole_ + text + scalar(9, 9));
  EXPECT_EQ(scanned.values, count_to(10));
  EXPECT_EQ(scanned.damage.places, 0U);
}

TEST_F(FrameScanTest, DamageLongerThanAWindowIsSkipped) {
  Scanned scanned = scan(whole_ + std::string(3 << 20, 'y') + scalar(9, 9));
  EXPECT_EQ(scanned.values, count_to(10));
  ASSERT_EQ(scanned.damage.first.size(), 1U);
  EXPECT_EQ(scanned.damage.first[0].size_bytes, 3U << 20);
}

}  // namespace
}  // namespace tensortap::store
