// PortOwner: out of /proc.
#include "server/http/port_owner.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

namespace tensortap::server {
namespace {

namespace fs = std::filesystem;

constexpr const char* kListening = "0A";
constexpr std::size_t kMostShown = 120;

// The sockets that listen at the port, as the system numbers them.
std::set<std::string> listening_inodes(std::uint16_t port) {
  std::set<std::string> inodes;
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream lines(table);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream fields(line);
      std::string number, local, remote, state, queues, timer, retransmits, user, timeout, inode;
      fields >> number >> local >> remote >> state >> queues >> timer >> retransmits >> user >> timeout >> inode;
      const std::size_t colon = local.rfind(':');
      if (state != kListening || colon == std::string::npos) continue;
      unsigned each = 0;
      std::from_chars(local.data() + colon + 1, local.data() + local.size(), each, 16);
      if (each == port) inodes.insert("socket:[" + inode + "]");
    }
  }
  return inodes;
}

bool holds_one_of(const fs::path& process, const std::set<std::string>& sockets) {
  std::error_code error;
  for (fs::directory_iterator file(process / "fd", error), end; !error && file != end; file.increment(error)) {
    std::error_code unseen;
    if (sockets.contains(fs::read_symlink(file->path(), unseen).string())) return true;
  }
  return false;
}

std::vector<std::string> command_line(const fs::path& process) {
  std::ifstream file(process / "cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(file, argument, '\0');) arguments.push_back(argument);
  return arguments;
}

}  // namespace

std::optional<PortOwner> find_port_owner(std::uint16_t port) {
  const std::set<std::string> sockets = listening_inodes(port);
  if (sockets.empty()) return std::nullopt;
  std::error_code error;
  for (fs::directory_iterator process("/proc", error), end; !error && process != end; process.increment(error)) {
    const std::string name = process->path().filename().string();
    PortOwner owner;
    const auto [stop, bad] = std::from_chars(name.data(), name.data() + name.size(), owner.process_id);
    if (bad != std::errc() || stop != name.data() + name.size() || !holds_one_of(process->path(), sockets)) continue;
    owner.arguments = command_line(process->path());
    std::error_code unseen;
    owner.directory = fs::read_symlink(process->path() / "cwd", unseen).string();
    return owner;
  }
  return std::nullopt;
}

bool serves(const PortOwner& owner, const std::string& real_log_directory) {
  const auto& arguments = owner.arguments;
  if (arguments.size() < 3 || fs::path(arguments[0]).filename() != "tensortap" || arguments[1] != "serve") return false;
  return std::any_of(arguments.begin() + 2, arguments.end(), [&](const std::string& argument) {
    if (argument.empty() || argument[0] == '-') return false;
    std::error_code error;
    const fs::path real = fs::canonical(fs::path(owner.directory) / argument, error);
    return !error && real == real_log_directory;
  });
}

std::string owner_text(const PortOwner& owner) {
  std::string text = "process " + std::to_string(owner.process_id), line;
  bool is_secret = false;
  for (const std::string& argument : owner.arguments) {
    // What ends up in a build's log is no place for a token.
    const bool has_secret = argument.starts_with("--token=");
    line += (line.empty() ? "" : " ") + (is_secret ? "..." : has_secret ? "--token=..." : argument);
    is_secret = argument == "--token";
  }
  if (line.size() > kMostShown) line = line.substr(0, kMostShown) + " ...";
  return line.empty() ? text : text + " (" + line + ")";
}

}  // namespace tensortap::server
