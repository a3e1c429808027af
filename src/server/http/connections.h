// Connections: what the connections of a server share, on its I/O thread.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <cstddef>
#include <set>

#include "server/http/server.h"

namespace tensortap::server {

// One client, as the others see it.
struct Connection {
  boost::asio::ip::tcp::socket* socket = nullptr;
  boost::asio::steady_timer* wake = nullptr;  // of a stream of changes
  bool has_news = false;                      // for it
  bool is_busy = false;                       // a request is being answered
};

// Threads:  the I/O thread only, but for `workers`.
struct Connections {
  const ServerLimits& limits;
  const Site& site;
  const ServedLogs& logs;
  boost::asio::thread_pool& workers;
  std::set<Connection*> open = {};
  std::size_t live_streams = 0;
  std::size_t long_answers = 0;
  std::size_t requests_in_work = 0;
  std::size_t unsent_bytes = 0;
  bool is_draining = false;
  boost::asio::steady_timer* drained = nullptr;  // cancelled when the last connection has gone
};

// Counts something while it lives, however its coroutine ends.
class Counted {
 public:
  explicit Counted(std::size_t& total, std::size_t amount = 1) : total_(total), amount_(amount) { total_ += amount_; }
  ~Counted() { total_ -= amount_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  void give_back(std::size_t part) {
    total_ -= part;
    amount_ -= part;
  }

 private:
  std::size_t& total_;
  std::size_t amount_;
};

// Serves one client until it goes, or has to.
boost::asio::awaitable<void> serve_client(boost::asio::ip::tcp::socket socket, Connections& all);

}  // namespace tensortap::server
