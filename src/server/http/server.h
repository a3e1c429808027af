// Server: the listening socket, its connections, and the threads that answer.
//
//   one I/O thread   accept, read, write, streams of changes        workers   Site::answer(), pieces of long answers
//
// Limits keep a client from taking what others need: see ServerLimits.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "server/http/served_logs.h"
#include "server/http/site.h"
#include "tensortap/result.h"

namespace tensortap::server {

struct ServerLimits {
  std::size_t connections = 512;
  std::size_t live_streams = 128;
  std::size_t long_answers = 16;                      // that come in pieces: each holds a part of its table
  std::size_t requests_in_work = 256;                 // waiting or being answered
  std::size_t unsent_bytes = std::size_t{256} << 20;  // of all answers; more wait at their clients' pace
  std::size_t target_bytes = std::size_t{64} << 10;   // many runs make long addresses
  std::size_t header_bytes = std::size_t{16} << 10;   // besides the target
  std::size_t body_bytes = std::size_t{64} << 10;
  std::chrono::milliseconds first_request{5'000};  // from the connection to the first byte
  std::chrono::milliseconds whole_request{5'000};  // from the first byte to the last
  std::chrono::milliseconds between_requests{75'000};
  std::chrono::milliseconds piece_sent{30'000};  // 256 KiB
  std::chrono::milliseconds drain{3'000};
  unsigned workers = 0;  // 0: one per processor, at least 4
};

// Threads:  run() from one thread; wake_streams() from any while run() runs or before.
// Failure:  listen(): kInvalidArgument for a host that is none, kClosed when the port is taken, kIo.
// Lifetime: whoever calls wake_streams() must have stopped before it ends.
class Server {
 public:
  // Port 0: any that is free.
  static Result<std::unique_ptr<Server>> listen(const std::string& host, std::uint16_t port, ServerLimits limits = {});
  ~Server();

  std::uint16_t port() const;
  std::string address() const;  // numeric
  bool is_loopback() const;

  // Answers until SIGINT or SIGTERM; then takes no more requests, and gives those that are there a while. Another
  // signal meanwhile ends the program. Returns false when some had to be cut off. `ready` is called when requests and
  // signals can come.
  bool run(const Site& site, const ServedLogs& logs, const std::function<void()>& ready);

  // There is news for the streams of changes.
  void wake_streams();

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tensortap::server
