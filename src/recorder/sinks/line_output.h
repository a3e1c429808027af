// LineOutput: whole lines to a file descriptor that may be a pipe nobody reads.
#pragma once

#include <string>
#include <string_view>

namespace tensortap::recorder {

// Waits a moment for a reader, once; from then on lines are dropped until there is room again, and the next line that
// gets through is preceded by how many were not.
//
// Threads:  one at a time, with SIGPIPE blocked or ignored.
// Failure:  counted, never told: there is nobody to tell.
// Lifetime: the descriptor stays the caller's.
class LineOutput {
 public:
  explicit LineOutput(int descriptor) : descriptor_(descriptor) {}

  // `lines` end with a line feed each. False when some of them were dropped.
  bool write(std::string_view lines);

 private:
  bool write_piece(std::string_view piece);
  bool has_room();

  int descriptor_;
  bool is_stuck_ = false;
  unsigned long dropped_lines_ = 0;
};

}  // namespace tensortap::recorder
