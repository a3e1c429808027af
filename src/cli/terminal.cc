// Terminal: asked of the environment and the system.
#include "cli/terminal.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string_view>

namespace tensortap::cli {
namespace {

std::atomic<const char*> doomed_path{nullptr};

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool understands_codes(int descriptor) { return ::isatty(descriptor) == 1 && variable("TERM") != "dumb"; }

Colors colors() {
  if (!variable("NO_COLOR").empty()) return Colors::kNone;
  const std::string_view promised = variable("COLORTERM");
  if (promised == "truecolor" || promised == "24bit") return Colors::kTrue;
  return variable("TERM").find("256color") != std::string_view::npos ? Colors::k256 : Colors::kNone;
}

// Only what is allowed in a signal handler.
void on_signal(int number) {
  if (const char* path = doomed_path.load()) ::unlink(path);
  constexpr std::string_view kReset = "\x1b[0m";
  constexpr std::string_view kEraseLine = "\r\x1b[K";
  if (::isatty(STDOUT_FILENO) == 1) (void)!::write(STDOUT_FILENO, kReset.data(), kReset.size());
  if (::isatty(STDERR_FILENO) == 1) (void)!::write(STDERR_FILENO, kEraseLine.data(), kEraseLine.size());
  // SA_RESETHAND has put the default action back: the shell learns what ended us.
  ::raise(number);
}

}  // namespace

Terminal stdout_terminal() {
  Terminal terminal;
  terminal.is_terminal = understands_codes(STDOUT_FILENO);
  if (!terminal.is_terminal) return terminal;
  terminal.colors = colors();
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
    terminal.columns = std::max<int>(size.ws_col, 20);
    terminal.rows = std::max<int>(size.ws_row, 8);
  }
  return terminal;
}

bool stderr_is_terminal() { return understands_codes(STDERR_FILENO); }

void keep_terminal_sane() {
  // A parent may have passed on that SIGPIPE is ignored; then every write to a closed pipe would be an error to report.
  ::signal(SIGPIPE, SIG_DFL);
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before{};
    // Ignored by whoever started us (nohup): stays ignored.
    if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    ::sigaction(number, &action, nullptr);
  }
}

void delete_when_interrupted(const char* path) { doomed_path = path; }

}  // namespace tensortap::cli
