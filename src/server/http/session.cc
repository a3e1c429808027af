// Session: one connection, request after request, on Beast.
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>

#include "base/clock.h"
#include "server/http/connections.h"
#include "server/http/live_events.h"
#include "server/http/on_workers.h"

namespace tensortap::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;
using std::chrono::milliseconds;

constexpr std::size_t kPieceBytes = std::size_t{256} << 10;
constexpr milliseconds kBetweenEvents{250};
constexpr milliseconds kKeepAlive{15'000};

auto quietly(error_code& error) { return asio::redirect_error(asio::use_awaitable, error); }

class Session {
 public:
  Session(asio::ip::tcp::socket socket, Connections& all)
      : all_(all), limits_(all.limits), stream_(std::move(socket)), wake_(stream_.get_executor()) {
    error_code ignored;
    stream_.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
    self_.socket = &stream_.socket();
    all_.open.insert(&self_);
  }

  ~Session() {
    *alive_ = false;
    all_.open.erase(&self_);
    if (all_.open.empty() && all_.drained != nullptr) all_.drained->cancel();
  }

  asio::awaitable<void> run() {
    bool goes_on = all_.open.size() <= limits_.connections;
    if (!goes_on) {
      Answer answer = busy("too many connections; close some tabs, or try again soon");
      co_await send(answer, 11, false);
    }
    for (bool is_first = true; goes_on && !all_.is_draining; is_first = false) {
      self_.is_busy = false;
      if (!co_await has_bytes(is_first ? limits_.first_request : limits_.between_requests)) break;
      self_.is_busy = true;
      goes_on = co_await serve_request();
    }
    co_await close();
  }

 private:
  using Parser = http::request_parser<http::string_body>;

  // Waits for a request to begin.
  asio::awaitable<bool> has_bytes(milliseconds most) {
    if (buffer_.size() > 0) co_return true;
    error_code error;
    stream_.expires_after(most);
    const std::size_t got = co_await stream_.async_read_some(buffer_.prepare(4096), quietly(error));
    buffer_.commit(got);
    co_return !error && got > 0;
  }

  // Reads a request and answers it; true when another may follow.
  asio::awaitable<bool> serve_request() {
    Parser parser;
    parser.header_limit(static_cast<std::uint32_t>(limits_.target_bytes + limits_.header_bytes));
    parser.body_limit(limits_.body_bytes);
    error_code error;
    stream_.expires_after(limits_.whole_request);
    co_await http::async_read_header(stream_, buffer_, parser, quietly(error));
    const unsigned version = parser.get().version();
    Answer refused;
    if (!error && is_refused(parser.get(), refused)) co_return co_await send(refused, version, false);
    if (!error && parser.get()[http::field::expect] == "100-continue" && version >= 11) {
      http::response<http::empty_body> go_on(http::status::continue_, version);
      co_await http::async_write(stream_, go_on, quietly(error));
    }
    if (!error) co_await http::async_read(stream_, buffer_, parser, quietly(error));
    if (error) {
      if (is_unreadable(error, refused)) co_await send(refused, 11, false);
      co_return false;
    }
    const bool keep = parser.get().keep_alive();
    Incoming incoming = incoming_of(parser.get());
    Answer answer;
    co_await answer_to(incoming, answer);
    co_return co_await send(answer, version, keep);
  }

  bool is_refused(const http::request<http::string_body>& head, Answer& refused) const {
    if (head.target().size() > limits_.target_bytes) {
      refused = all_.site.refusal(414, "target_too_long", "the address is too long; ask for fewer runs at once");
      return true;
    }
    std::size_t bytes = 0;
    for (const auto& field : head) bytes += field.name_string().size() + field.value().size() + 4;
    if (bytes > limits_.header_bytes) {
      refused = all_.site.refusal(431, "headers_too_long", "the header fields are too long; are there old cookies?");
      return true;
    }
    if (head.count(http::field::host) > 1) {
      refused = all_.site.refusal(400, "invalid_argument", "more than one Host");
      return true;
    }
    return false;
  }

  // Whether somebody is there to be told, and what.
  bool is_unreadable(error_code error, Answer& refused) const {
    if (error == http::error::header_limit) {
      refused = all_.site.refusal(431, "headers_too_long", "the address or the header fields are too long");
    } else if (error == http::error::body_limit) {
      refused = all_.site.refusal(413, "body_too_long", "the body is too long");
    } else if (error.category() == make_error_code(http::error::bad_version).category() &&
               error != http::error::end_of_stream && error != http::error::partial_message) {
      refused = all_.site.refusal(400, "invalid_argument", "this is not HTTP/1.1 as it should be");
    } else {
      return false;
    }
    return true;
  }

  Answer busy(std::string_view message) const {
    Answer answer = all_.site.refusal(503, "busy", message);
    answer.headers.emplace_back("Retry-After", "1");
    return answer;
  }

  asio::awaitable<void> answer_to(Incoming& incoming, Answer& answer) {
    if (all_.requests_in_work >= limits_.requests_in_work || all_.unsent_bytes > limits_.unsent_bytes) {
      answer = busy("too much is being asked at once; try again soon");
      co_return;
    }
    const Counted counted(all_.requests_in_work);
    auto work = [this, &incoming] { return all_.site.answer(std::move(incoming)); };
    const std::unique_ptr<Answer> made = co_await on_workers(all_.workers, work);
    answer = std::move(*made);
  }

  static Incoming incoming_of(http::request<http::string_body>& request) {
    const auto field = [&](std::string_view name) { return std::string(request[name]); };
    Incoming incoming;
    incoming.method = std::string(request.method_string());
    incoming.target = std::string(request.target());
    incoming.host = field("Host");
    incoming.origin = field("Origin");
    incoming.fetch_site = field("Sec-Fetch-Site");
    incoming.fetch_mode = field("Sec-Fetch-Mode");
    incoming.authorization = field("Authorization");
    incoming.cookie = field("Cookie");
    incoming.accept_encoding = field("Accept-Encoding");
    incoming.content_type = field("Content-Type");
    incoming.if_none_match = field("If-None-Match");
    incoming.range = field("Range");
    incoming.if_range = field("If-Range");
    incoming.body = std::move(request.body());
    return incoming;
  }

  using Message = http::response<http::buffer_body>;

  // Sends header and body; true when the connection can be used again.
  asio::awaitable<bool> send(Answer& answer, unsigned version, bool keep) {
    if (answer.is_live && all_.live_streams >= limits_.live_streams) {
      answer = busy("too many streams of changes; close some tabs");
    }
    if (answer.stream && all_.long_answers >= limits_.long_answers) {
      answer = busy("too many long answers are being read; try again soon");
    }
    const bool is_stream = answer.stream || answer.is_live;
    const bool has_body = !answer.is_head && answer.status != 304;
    keep = keep && !all_.is_draining && (version >= 11 || !is_stream);
    Message message(http::int_to_status(answer.status), version);
    for (const auto& [name, value] : answer.headers) message.insert(name, value);
    message.keep_alive(keep);
    if (is_stream) {
      message.chunked(has_body && version >= 11);
    } else if (answer.status != 304) {
      message.content_length(answer.bytes().size());
    }
    message.body().data = nullptr;
    message.body().more = false;
    http::response_serializer<http::buffer_body> serializer(message);
    if (!has_body) co_return co_await put(serializer, {}, false) && keep;
    if (answer.is_live) co_return co_await send_changes(serializer, message) && keep;
    if (answer.stream) co_return co_await send_stream(serializer, message, answer.stream) && keep;
    co_return co_await send_bytes(serializer, message, answer.bytes()) && keep;
  }

  using Serializer = http::response_serializer<http::buffer_body>;

  // Sends what the serializer has; with `more` it stays open for another piece.
  asio::awaitable<bool> put(Serializer& serializer, std::string_view piece, bool more, Message* message = nullptr) {
    if (message != nullptr) {
      message->body().data = piece.empty() ? nullptr : const_cast<char*>(piece.data());  // Beast only reads it
      message->body().size = piece.size();
      message->body().more = more;
    }
    error_code error;
    stream_.expires_after(limits_.piece_sent);
    co_await http::async_write(stream_, serializer, quietly(error));
    co_return !error || error == http::error::need_buffer;
  }

  asio::awaitable<bool> send_bytes(Serializer& serializer, Message& message, std::string_view bytes) {
    Counted unsent(all_.unsent_bytes, bytes.size());
    bool sent = true;
    do {
      const std::string_view piece = bytes.substr(0, kPieceBytes);
      bytes.remove_prefix(piece.size());
      sent = co_await put(serializer, piece, !bytes.empty(), &message);
      unsent.give_back(piece.size());
    } while (sent && !bytes.empty());
    co_return sent;
  }

  // One piece is made while none waits: a slow client slows its own answer and nothing else.
  asio::awaitable<bool> send_stream(Serializer& serializer, Message& message, BodyStream& stream) {
    const Counted counted(all_.long_answers);
    auto work = [&stream] { return next_of(stream); };
    for (;;) {
      const auto made = co_await on_workers(all_.workers, work);
      Result<std::optional<std::string>>& piece = *made;
      if (!piece.ok()) co_return false;
      const bool is_last = !piece->has_value();
      if (!is_last && (*piece)->empty()) continue;
      const std::string_view bytes = is_last ? std::string_view() : std::string_view(**piece);
      if (!co_await put(serializer, bytes, !is_last, &message)) co_return false;
      if (is_last) co_return true;
    }
  }

  static Result<std::optional<std::string>> next_of(BodyStream& stream) {
    try {
      return stream();
    } catch (const std::exception& error) {
      return Status(StatusCode::kIo, error.what());
    }
  }

  asio::awaitable<bool> send_changes(Serializer& serializer, Message& message) {
    const Counted counted(all_.live_streams);
    self_.is_busy = false;
    self_.wake = &wake_;
    // Whatever a client says on a stream, and its end above all, ends the stream.
    stream_.socket().async_wait(asio::ip::tcp::socket::wait_read, [this, alive = alive_](error_code) {
      if (!*alive) return;
      is_over_ = true;
      wake_.cancel();
    });
    LiveEvents events(all_.logs);
    std::int64_t spoke_nanos = 0;
    bool sent = true;
    while (sent && !is_over_ && !all_.is_draining) {
      std::string text = events.next();
      if (text.empty() && monotonic_nanos() - spoke_nanos >= std::chrono::nanoseconds(kKeepAlive).count()) {
        text = kKeepAliveEvent;
      }
      if (!text.empty()) {
        sent = co_await put(serializer, text, true, &message);
        spoke_nanos = monotonic_nanos();
        stream_.expires_never();
        // Not more often, however much happens.
        co_await pause(kBetweenEvents, false);
      }
      if (sent) co_await pause(events.is_loading() ? kBetweenEvents : kKeepAlive, true);
    }
    self_.wake = nullptr;
    if (sent && !is_over_) co_await put(serializer, {}, false, &message);
    co_return false;
  }

  // News ends a pause early if `is_listening`, and is not forgotten otherwise.
  asio::awaitable<void> pause(milliseconds most, bool is_listening) {
    error_code ignored;
    const auto until = std::chrono::steady_clock::now() + most;
    if (is_listening && std::exchange(self_.has_news, false)) co_return;
    while (!is_over_ && !all_.is_draining && std::chrono::steady_clock::now() < until) {
      wake_.expires_at(until);
      co_await wake_.async_wait(quietly(ignored));
      if (is_listening && std::exchange(self_.has_news, false)) co_return;
    }
  }

  // Lets the client read what was sent before the connection goes: closing with bytes unread would tear it away.
  asio::awaitable<void> close() {
    error_code error;
    self_.is_busy = false;
    stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, error);
    stream_.expires_after(milliseconds(500));
    for (std::size_t left = std::size_t{1} << 20; !error && left > 0 && !all_.is_draining;) {
      buffer_.clear();
      left -= std::min(left, co_await stream_.async_read_some(buffer_.prepare(16 << 10), quietly(error)));
    }
    stream_.close();
  }

  Connections& all_;
  const ServerLimits& limits_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  asio::steady_timer wake_;
  Connection self_;
  bool is_over_ = false;
  // Handlers that outlive the session look here first.
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace

asio::awaitable<void> serve_client(asio::ip::tcp::socket socket, Connections& all) {
  try {
    Session session(std::move(socket), all);
    co_await session.run();
  } catch (const std::exception&) {
    // Memory: this client is lost, the others are not.
  }
}

}  // namespace tensortap::server
