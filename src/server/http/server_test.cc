// Server: real connections to a server with small limits.
#include "server/http/server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <latch>
#include <thread>

#include "store/temp_logs_testutil.h"

namespace tensortap::server {
namespace {

using std::chrono::milliseconds;

// A client that says what it is told to.
class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const timeval patience{.tv_sec = 10, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const int small = 4096;
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ~Client() { close(); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void close() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  }
  void ask(const std::string& path, const std::string& more = "") const {
    const std::string text = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n";
    EXPECT_EQ(::send(socket_, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
  }
  // What comes until the end, or until `end` was seen.
  std::string read(std::string_view end = "") const {
    std::string text;
    char piece[16384];
    for (ssize_t got = 1; got > 0 && (end.empty() || text.find(end) == std::string::npos);) {
      got = ::recv(socket_, piece, sizeof piece, 0);
      if (got > 0) text.append(piece, static_cast<std::size_t>(got));
    }
    return text;
  }
  unsigned status() const {
    const std::string text = read("\r\n\r\n");
    return text.size() > 12 ? static_cast<unsigned>(std::stoul(text.substr(9, 3))) : 0;
  }

 private:
  int socket_;
};

class ServerTest : public store::TempLogs {
 protected:
  ServerTest() {
    router_.get("/api/v1/quick", [](const Request&) { return text_response("quick"); });
    router_.get("/api/v1/waits", [this](const Request&) {
      ++waiting_;
      released_.wait();
      return text_response("done");
    });
    router_.get("/api/v1/large", [](const Request&) { return text_response(std::string(std::size_t{32} << 20, 'x')); });
    router_.get("/api/v1/breaks", [](const Request&) {
      Response response;
      response.body = BodyStream([count = 0]() mutable -> Result<std::optional<std::string>> {
        if (++count > 3) return Status(StatusCode::kIo, "the disk is gone");
        return std::optional<std::string>("piece");
      });
      return response;
    });
  }

  static Response text_response(std::string text) {
    Response response;
    response.content_type = "text/plain";
    response.body = std::move(text);
    return response;
  }

  void start(ServerLimits limits) {
    logs_ = ServedLogs::open(root_, {}).value();
    server_ = Server::listen("127.0.0.1", 0, limits).value();
    std::latch is_ready(1);
    thread_ =
        std::thread([this, &is_ready] { is_clean_ = server_->run(site_, *logs_, [&] { is_ready.count_down(); }); });
    is_ready.wait();
  }
  void end() {
    if (!thread_.joinable()) return;
    ::kill(::getpid(), SIGTERM);
    thread_.join();
  }
  void TearDown() override {
    if (!released_.try_wait()) released_.count_down();
    end();
    TempLogs::TearDown();
  }

  std::uint16_t port() const { return server_->port(); }

  Router router_;
  const Page page_{{}, ""};
  const Site site_{{}, page_, router_};
  std::latch released_{1};
  std::atomic<int> waiting_{0};
  std::unique_ptr<ServedLogs> logs_;
  std::unique_ptr<Server> server_;
  std::thread thread_;
  bool is_clean_ = false;
};

TEST_F(ServerTest, AnswersOneRequestAfterAnother) {
  start({});
  const Client client(port());
  for (int i = 0; i < 3; ++i) {
    client.ask("/api/v1/quick");
    EXPECT_NE(client.read("quick").find("200 OK"), std::string::npos);
  }
  client.ask("/api/v1/quick", "Connection: close\r\n");
  EXPECT_TRUE(client.read().ends_with("quick"));
  end();
  EXPECT_TRUE(is_clean_);
}

TEST_F(ServerTest, RequestsThatComeTogetherAreAnsweredInOrder) {
  start({});
  const Client client(port());
  client.ask("/api/v1/quick");
  client.ask("/api/v1/nothing");
  client.ask("/api/v1/quick", "Connection: close\r\n");
  const std::string text = client.read();
  EXPECT_LT(text.find("200 OK"), text.find("404 Not Found"));
  EXPECT_LT(text.find("404 Not Found"), text.rfind("200 OK"));
}

TEST_F(ServerTest, MoreRequestsThanAllowedAreSentAway) {
  start({.requests_in_work = 1});
  const Client first(port());
  first.ask("/api/v1/waits");
  while (waiting_ == 0) std::this_thread::sleep_for(milliseconds(1));
  const Client second(port());
  second.ask("/api/v1/quick");
  const std::string refused = second.read("\r\n\r\n");
  EXPECT_NE(refused.find("503 Service Unavailable"), std::string::npos);
  EXPECT_NE(refused.find("Retry-After: 1"), std::string::npos);
  released_.count_down();
  EXPECT_EQ(first.status(), 200U);
  const Client third(port());
  third.ask("/api/v1/quick");
  EXPECT_EQ(third.status(), 200U);
}

TEST_F(ServerTest, UnsentAnswersAreLimited) {
  start({.unsent_bytes = std::size_t{1} << 20});
  Client slow(port());
  slow.ask("/api/v1/large");
  EXPECT_EQ(slow.status(), 200U);
  const Client other(port());
  other.ask("/api/v1/quick");
  EXPECT_EQ(other.status(), 503U);
  slow.close();
  unsigned status = 503;
  for (int i = 0; i < 200 && status == 503; ++i) {
    std::this_thread::sleep_for(milliseconds(10));
    const Client again(port());
    again.ask("/api/v1/quick");
    status = again.status();
  }
  EXPECT_EQ(status, 200U);
}

TEST_F(ServerTest, AReaderThatStopsIsCutOff) {
  start({.piece_sent = milliseconds(200)});
  const Client slow(port());
  slow.ask("/api/v1/large");
  EXPECT_EQ(slow.status(), 200U);
  std::this_thread::sleep_for(milliseconds(800));
  EXPECT_LT(slow.read().size(), std::size_t{32} << 20);
}

TEST_F(ServerTest, IdleConnectionsAreClosed) {
  start({.first_request = milliseconds(100), .between_requests = milliseconds(100)});
  const Client silent(port()), quiet(port());
  quiet.ask("/api/v1/quick");
  EXPECT_TRUE(quiet.read().ends_with("quick"));
  EXPECT_EQ(silent.read(), "");
}

TEST_F(ServerTest, ABrokenStreamIsNotTakenForAWholeOne) {
  start({});
  const Client client(port());
  client.ask("/api/v1/breaks");
  const std::string text = client.read();
  EXPECT_NE(text.find("Transfer-Encoding: chunked"), std::string::npos);
  EXPECT_NE(text.find("piece"), std::string::npos);
  EXPECT_FALSE(text.ends_with("0\r\n\r\n"));
}

TEST_F(ServerTest, OldClientsGetStreamsWithoutChunks) {
  start({});
  const Client client(port());
  client.ask("/api/v1/breaks HTTP/1.0\r\nX: y");  // what follows becomes a header field
  const std::string text = client.read();
  EXPECT_EQ(text.find("chunked"), std::string::npos);
}

TEST_F(ServerTest, AnswersUnderWayAreFinishedAtTheEnd) {
  start({});
  const Client client(port());
  client.ask("/api/v1/waits");
  while (waiting_ == 0) std::this_thread::sleep_for(milliseconds(1));
  ::kill(::getpid(), SIGTERM);
  std::this_thread::sleep_for(milliseconds(100));
  released_.count_down();
  const std::string text = client.read();
  EXPECT_TRUE(text.ends_with("done"));
  EXPECT_NE(text.find("Connection: close"), std::string::npos);
  thread_.join();
  EXPECT_TRUE(is_clean_);
}

}  // namespace
}  // namespace tensortap::server
