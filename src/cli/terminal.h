// Terminal: what the other end of stdout and stderr can show.
#pragma once

namespace tensortap::cli {

enum class Colors { kNone, k256, kTrue };

struct Terminal {
  bool is_terminal = false;  // somebody looks at it: curves and pictures instead of plain lines
  int columns = 80;
  int rows = 24;
  Colors colors = Colors::kNone;  // none where NO_COLOR is set
};

Terminal stdout_terminal();

// Whether a progress bar would be seen.
bool stderr_is_terminal();

// For the whole program: a reader of the output that goes away ends it quietly, and Ctrl-C leaves no half-drawn line
// and no colour behind.
void keep_terminal_sane();

// The file that Ctrl-C shall delete, a file being written; null for none. The text must live until it is taken back.
void delete_when_interrupted(const char* path);

}  // namespace tensortap::cli
