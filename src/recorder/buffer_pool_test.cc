// BufferPool gives memory out again, and keeps no more than it may.
#include "recorder/buffer_pool.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace tensortap::recorder {
namespace {

TEST(BufferPool, GivesTheSameBlockAgain) {
  BufferPool pool;
  std::byte* first = pool.take(10'000).get();
  EXPECT_EQ(pool.unused_bytes(), 12'288U);
  EXPECT_EQ(pool.take(11'000).get(), first);
}

TEST(BufferPool, DoesNotHandOutABlockOfTwiceTheSize) {
  BufferPool pool;
  (void)pool.take(100 << 10);
  std::shared_ptr<std::byte> small = pool.take(4096);
  EXPECT_EQ(pool.unused_bytes(), std::size_t{100 << 10});
}

TEST(BufferPool, KeepsNoMoreThanItMay) {
  BufferPool pool(8192);
  {
    auto a = pool.take(4096), b = pool.take(4096), c = pool.take(4096);
  }
  EXPECT_EQ(pool.unused_bytes(), 8192U);
}

TEST(BufferPool, BuffersMayOutliveIt) {
  std::shared_ptr<std::byte> buffer;
  {
    BufferPool pool;
    buffer = pool.take(1);
  }
  *buffer = std::byte{1};
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.get()) % 64, 0U);
}

}  // namespace
}  // namespace tensortap::recorder
