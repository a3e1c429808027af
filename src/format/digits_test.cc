// Tests of Digits: how a number looks, and that it stays in the picture.
#include "format/digits.h"

#include <gtest/gtest.h>

#include <string>

namespace tensortap::format {
namespace {

// '#' white, '.' black, ' ' untouched.
std::string drawn(std::uint64_t number, int width, int height, int left = 0, int top = 0, int font_scale = 1) {
  Pixels pixels{width, height, 1, std::vector<std::uint8_t>(static_cast<std::size_t>(width * height), 100)};
  draw_number(pixels, left, top, number, font_scale);
  std::string text = "\n";
  for (std::size_t i = 0; i < pixels.bytes.size(); ++i) {
    text += pixels.bytes[i] == 255 ? '#' : pixels.bytes[i] == 0 ? '.' : ' ';
    if ((i + 1) % static_cast<std::size_t>(width) == 0) text += '\n';
  }
  return text;
}

TEST(Digits, HaveAnOutlineAllAround) {
  EXPECT_EQ(drawn(407, 13, 7), R"(
.............
.#.#.###.###.
.#.#.#.#...#.
.###.#.#...#.
...#.#.#..#..
  .#.###..#. 
  .......... 
)");
}

TEST(Digits, TakeTheSizeThatIsAnnounced) {
  EXPECT_EQ(number_size(0, 1).width, 5);
  EXPECT_EQ(number_size(0, 1).height, 7);
  EXPECT_EQ(number_size(1234, 2).width, 34);
  EXPECT_EQ(number_size(1234, 2).height, 14);
}

TEST(Digits, GrowWithTheFontScale) {
  EXPECT_EQ(drawn(1, 10, 14, 0, 0, 2).substr(0, 45), R"(
  ......  
  ......  
....##..  
....##..  
)");
}

TEST(Digits, AreCutOffAtTheEdges) {
  EXPECT_EQ(drawn(8, 3, 3, -2, -2), "\n.#.\n##.\n.#.\n");
  EXPECT_EQ(drawn(8, 2, 2, 50, 50), "\n  \n  \n");
}

TEST(Digits, LeaveAlphaAlone) {
  Pixels pixels{5, 7, 4, std::vector<std::uint8_t>(5 * 7 * 4, 100)};
  draw_number(pixels, 0, 0, 8, 1);
  for (std::size_t i = 3; i < pixels.bytes.size(); i += 4) EXPECT_EQ(pixels.bytes[i], 100);
  EXPECT_EQ(pixels.bytes[0], 0);
}

}  // namespace
}  // namespace tensortap::format
