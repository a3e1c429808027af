// PortOwner: which process listens at a port that is taken.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tensortap::server {

struct PortOwner {
  int process_id = 0;
  std::vector<std::string> arguments;  // of its command line
  std::string directory;               // in which it works; empty when it may not be seen
};

// Nothing when the system does not say: the process belongs to somebody else.
std::optional<PortOwner> find_port_owner(std::uint16_t port);

// Whether it is a `tensortap serve` of the log directory, given by its real path.
bool serves(const PortOwner& owner, const std::string& real_log_directory);

// "process 123 (python train.py)"
std::string owner_text(const PortOwner& owner);

}  // namespace tensortap::server
