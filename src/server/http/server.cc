// Server: Asio's event loop around the sessions.
#include "server/http/server.h"

#include <unistd.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <thread>
#include <utility>

#include "server/http/connections.h"

namespace tensortap::server {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

Result<asio::ip::address> address_of(const std::string& host) {
  error_code error;
  const auto address = asio::ip::make_address(host, error);
  if (!error) return address;
  asio::io_context context;
  const auto found = tcp::resolver(context).resolve(host, "", error);
  if (error || found.empty()) {
    return Status(StatusCode::kInvalidArgument, "--host " + host + " is no address of this machine");
  }
  // Browsers that are told "localhost" try both; the one that every machine has is the older.
  for (const auto& each : found) {
    if (each.endpoint().address().is_v4()) return each.endpoint().address();
  }
  return found.begin()->endpoint().address();
}

}  // namespace

class Server::Impl {
 public:
  explicit Impl(ServerLimits limits) : limits_(limits) {}

  Status listen(const std::string& host, std::uint16_t port) {
    auto address = address_of(host);
    if (!address.ok()) return address.status();
    const tcp::endpoint endpoint(*address, port);
    error_code error;
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (!error) return {};
    const std::string where = host + ", port " + std::to_string(port);
    if (error == asio::error::address_in_use) return Status(StatusCode::kClosed, where + " is taken");
    return Status(StatusCode::kIo, "cannot listen at " + where + ": " + error.message());
  }

  tcp::endpoint endpoint() const {
    error_code ignored;
    return acceptor_.local_endpoint(ignored);
  }

  bool run(const Site& site, const ServedLogs& logs, const std::function<void()>& ready) {
    const unsigned workers = limits_.workers != 0 ? limits_.workers : std::max(4U, std::thread::hardware_concurrency());
    auto pool = std::make_unique<asio::thread_pool>(workers);
    Connections all{limits_, site, logs, *pool};
    all_ = &all;
    asio::steady_timer drained(context_);
    all.drained = &drained;
    asio::signal_set signals(context_, SIGINT, SIGTERM);
    // A terminal that is closed ends it as Ctrl-C does; nohup keeps it.
    struct sigaction before{};
    if (::sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) signals.add(SIGHUP);
    signals.async_wait([&](error_code error, int) {
      if (!error) drain(signals, drained);
    });
    accept();
    ready();
    context_.run();
    all_ = nullptr;
    const bool is_clean = all.requests_in_work == 0 && all.open.empty();
    // A worker may still be at a long answer that nobody waits for any more.
    if (!is_clean) (void)pool.release();
    return is_clean;
  }

  void wake_streams() {
    asio::post(context_, [this] {
      if (all_ == nullptr) return;
      for (Connection* each : all_->open) {
        if (each->wake == nullptr) continue;
        each->has_news = true;
        each->wake->cancel();
      }
    });
  }

 private:
  void accept() {
    acceptor_.async_accept([this](error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted || all_->is_draining) return;
      if (error) {
        // Out of descriptors, most likely: those that are there have to go first.
        retry_.expires_after(std::chrono::milliseconds(100));
        retry_.async_wait([this](error_code stopped) {
          if (!stopped) accept();
        });
        return;
      }
      if (all_->open.size() < limits_.connections + kMostRefusals) {
        asio::co_spawn(context_, serve_client(std::move(socket), *all_), asio::detached);
      }
      accept();
    });
  }

  void drain(asio::signal_set& signals, asio::steady_timer& drained) {
    signals.async_wait([](error_code error, int number) {
      if (!error) ::_exit(128 + number);
    });
    all_->is_draining = true;
    error_code ignored;
    acceptor_.close(ignored);
    retry_.cancel();
    drained.expires_after(limits_.drain);
    if (all_->open.empty()) return stop(signals);
    drained.async_wait([this, &signals](error_code) { stop(signals); });
    for (Connection* each : all_->open) {
      if (each->wake != nullptr) {
        each->wake->cancel();
      } else if (!each->is_busy) {
        each->socket->cancel(ignored);
      }
    }
  }

  void stop(asio::signal_set& signals) {
    error_code ignored;
    signals.cancel(ignored);
    context_.stop();
  }

  static constexpr std::size_t kMostRefusals = 32;  // connections beyond the limit that are told so

  const ServerLimits limits_;
  asio::io_context context_{1};
  tcp::acceptor acceptor_{context_};
  asio::steady_timer retry_{context_};
  Connections* all_ = nullptr;
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::listen(const std::string& host, std::uint16_t port, ServerLimits limits) {
  auto impl = std::make_unique<Impl>(limits);
  if (Status status = impl->listen(host, port); !status.ok()) return status;
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

std::uint16_t Server::port() const { return impl_->endpoint().port(); }
std::string Server::address() const { return impl_->endpoint().address().to_string(); }
bool Server::is_loopback() const { return impl_->endpoint().address().is_loopback(); }
bool Server::run(const Site& site, const ServedLogs& logs, const std::function<void()>& ready) {
  return impl_->run(site, logs, ready);
}
void Server::wake_streams() { impl_->wake_streams(); }

}  // namespace tensortap::server
