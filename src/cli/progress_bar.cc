// ProgressBar: one line, drawn over and over.
#include "cli/progress_bar.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <system_error>
#include <utility>

#include "cli/terminal.h"
#include "cli/units.h"
#include "cli/visible_text.h"

namespace tensortap::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kQuiet = std::chrono::milliseconds(500);
constexpr auto kBetween = std::chrono::milliseconds(100);
constexpr int kCells = 16;

std::string line(const std::string& what, const store::LoadProgress& progress, double seconds) {
  const auto read = static_cast<double>(progress.read_bytes);
  const auto total = static_cast<double>(std::max(progress.read_bytes, progress.total_bytes));
  if (total == 0) return "looking for files in " + what;
  const auto filled = static_cast<int>(kCells * read / total);
  const double rate = read / seconds;
  std::string text = fmt::format("reading [{}{}]  {} of {}  {}/s", std::string(filled, '#'),
                                 std::string(kCells - filled, '.'), size_text(progress.read_bytes),
                                 size_text(progress.total_bytes), size_text(static_cast<std::uint64_t>(rate)));
  if (rate > 0) text += fmt::format("  {} left", duration_text((total - read) / rate));
  return text + "  " + what;  // what does not fit is cut off at the end
}

std::size_t columns() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col - 1U : 79U;  // the last column would wrap on some terminals
}

}  // namespace

ProgressBar::ProgressBar(std::string_view what, std::function<store::LoadProgress()> progress)
    : what_(visible_text(what)), progress_(std::move(progress)) {
  if (!stderr_is_terminal()) return;
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch): then it is as quiet as in a pipe
  }
}

ProgressBar::~ProgressBar() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(lock_);
    ended_ = true;
  }
  ended_changed_.notify_one();
  thread_.join();
}

void ProgressBar::watch() {
  const auto started = Clock::now();
  std::unique_lock lock(lock_);
  if (ended_changed_.wait_for(lock, kQuiet, [this] { return ended_; })) return;
  do {
    const double seconds = std::chrono::duration<double>(Clock::now() - started).count();
    const std::string text = cut_to_width(line(what_, progress_(), seconds), columns());
    std::fprintf(stderr, "\r\x1b[K%s", text.c_str());
    std::fflush(stderr);
  } while (!ended_changed_.wait_for(lock, kBetween, [this] { return ended_; }));
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
}

}  // namespace tensortap::cli
