// LineOutput: poll before each write, and no write larger than what a pipe with room takes at once.
#include "recorder/sinks/line_output.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace tensortap::recorder {
namespace {

constexpr int kPatienceMs = 50;
constexpr std::size_t kPieceBytes = 4096;  // PIPE_BUF: taken as a whole, or not at all

// The first lines of `text` that fit into one piece; a longer line is a piece of its own, cut where it has to be.
std::size_t piece_bytes(std::string_view text) {
  if (text.size() <= kPieceBytes) return text.size();
  const std::size_t end = text.substr(0, kPieceBytes).rfind('\n');
  return end == std::string_view::npos ? kPieceBytes : end + 1;
}

}  // namespace

bool LineOutput::has_room() {
  pollfd entry{descriptor_, POLLOUT, 0};
  int ready = 0;
  do {
    ready = ::poll(&entry, 1, is_stuck_ ? 0 : kPatienceMs);
  } while (ready < 0 && errno == EINTR);
  is_stuck_ = ready <= 0;
  return !is_stuck_;
}

bool LineOutput::write_piece(std::string_view piece) {
  while (!piece.empty()) {
    if (!has_room()) return false;
    const ssize_t written = ::write(descriptor_, piece.data(), piece.size());
    if (written < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (written < 0) return false;
    piece.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool LineOutput::write(std::string_view lines) {
  std::string text;
  if (dropped_lines_ > 0) text = "(" + std::to_string(dropped_lines_) + " lines were not printed: nobody read them)\n";
  const std::size_t told_bytes = text.size();
  text += lines;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t size = piece_bytes(rest);
    if (!write_piece(rest.substr(0, size))) break;
    if (text.size() - rest.size() < told_bytes) dropped_lines_ = 0;
    rest.remove_prefix(size);
  }
  if (rest.size() > lines.size()) rest = lines;
  dropped_lines_ += static_cast<unsigned long>(std::count(rest.begin(), rest.end(), '\n'));
  return rest.empty();
}

}  // namespace tensortap::recorder
