// PostgresqlPlugin: libpq behind a table of C functions; no call waits without a limit.
#include "database/postgresql_plugin.h"

#include <libpq-fe.h>
#include <poll.h>
#include <string.h>
#include <time.h>

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <new>

namespace {

constexpr int kConnectMs = 5000;
// Without a byte in either direction for so long, a connection counts as lost.
constexpr int kSilenceMs = 30'000;
constexpr size_t kPieceBytes = 1 << 18;

struct Connection {
  PGconn* handle = nullptr;
  int cancel_descriptor = -1;
  int silence_ms = kSilenceMs;
};

int64_t now_ms() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

void leave(TensortapPgText text, const char* words) {
  if (text.data == nullptr || text.size == 0) return;
  size_t length = strnlen(words, text.size - 1);
  while (length > 0 && (words[length - 1] == '\n' || words[length - 1] == ' ')) --length;
  memcpy(text.data, words, length);
  text.data[length] = '\0';
}

// True when the socket is ready; otherwise the text says what was waited for in vain.
bool wait(const Connection& connection, short events, int limit_ms, TensortapPgText text) {
  pollfd watched[2] = {{PQsocket(connection.handle), events, 0}, {connection.cancel_descriptor, POLLIN, 0}};
  const int64_t until = now_ms() + limit_ms;
  while (true) {
    const int64_t left = until - now_ms();
    const int ready = poll(watched, connection.cancel_descriptor < 0 ? 1 : 2, left < 0 ? 0 : static_cast<int>(left));
    if (watched[1].revents != 0 && connection.cancel_descriptor >= 0) {
      leave(text, "gave up waiting for the server");
      return false;
    }
    if (ready > 0) return true;
    if (left <= 0) {
      leave(text, "the server does not answer");
      return false;
    }
  }
}

int lost(const Connection& connection, TensortapPgText text) {
  leave(text, PQerrorMessage(connection.handle));
  return kTensortapPgLost;
}

// Classes of SQLSTATE that speak of the data or the statement, not of the server's condition.
int outcome_of(const Connection& connection, const PGresult* result) {
  const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  if (PQstatus(connection.handle) != CONNECTION_OK || state == nullptr) return kTensortapPgLost;
  for (const char* kind : {"0A", "22", "23", "42", "54"}) {
    if (strncmp(state, kind, 2) == 0) return kTensortapPgRefused;
  }
  return kTensortapPgLost;
}

// Everything that is waiting to be sent.
bool send_all(const Connection& connection, TensortapPgText text) {
  while (true) {
    const int left = PQflush(connection.handle);
    if (left == 0) return true;
    if (left < 0) {
      lost(connection, text);
      return false;
    }
    if (!wait(connection, POLLIN | POLLOUT, connection.silence_ms, text)) return false;
    if (PQconsumeInput(connection.handle) == 0) {
      lost(connection, text);
      return false;
    }
  }
}

// The next result; null at the end of them, or, with `is_lost`, of the connection.
PGresult* next_result(const Connection& connection, bool& is_lost, TensortapPgText text) {
  is_lost = true;
  while (PQisBusy(connection.handle) != 0) {
    if (!wait(connection, POLLIN, connection.silence_ms, text)) return nullptr;
    if (PQconsumeInput(connection.handle) == 0) {
      lost(connection, text);
      return nullptr;
    }
  }
  is_lost = false;
  return PQgetResult(connection.handle);
}

// Reads results to their end, and keeps the first error, or else the first value.
int read_results(const Connection& connection, TensortapPgText text) {
  int outcome = kTensortapPgDone;
  bool has_value = false;
  while (true) {
    bool is_lost = false;
    PGresult* result = next_result(connection, is_lost, text);
    if (is_lost) return kTensortapPgLost;
    if (result == nullptr) return outcome;
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_TUPLES_OK && !has_value && outcome == kTensortapPgDone && PQntuples(result) > 0) {
      leave(text, PQgetvalue(result, 0, 0));
      has_value = true;
    } else if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK && outcome == kTensortapPgDone) {
      outcome = outcome_of(connection, result);
      leave(text, PQresultErrorMessage(result));
    }
    PQclear(result);
    // A COPY that nobody feeds would be waited for without end.
    if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT) return kTensortapPgLost;
  }
}

int run(void* opened, const char* sql, TensortapPgText text) {
  const auto& connection = *static_cast<const Connection*>(opened);
  leave(text, "");
  if (PQsendQuery(connection.handle, sql) == 0) return lost(connection, text);
  if (!send_all(connection, text)) return kTensortapPgLost;
  return read_results(connection, text);
}

// True when the server is ready to take rows; otherwise `outcome` says why not.
bool begin_copy(const Connection& connection, const char* sql, int& outcome, TensortapPgText text) {
  outcome = kTensortapPgLost;
  if (PQsendQuery(connection.handle, sql) == 0) return lost(connection, text) == kTensortapPgDone;
  if (!send_all(connection, text)) return false;
  bool is_lost = false;
  PGresult* result = next_result(connection, is_lost, text);
  if (is_lost || result == nullptr) return false;
  const bool is_ready = PQresultStatus(result) == PGRES_COPY_IN;
  if (!is_ready) {
    const int refused = outcome_of(connection, result);
    leave(text, PQresultErrorMessage(result));
    // What follows an error is the end of the results.
    outcome = read_results(connection, {nullptr, 0}) == kTensortapPgLost ? kTensortapPgLost : refused;
  }
  PQclear(result);
  return is_ready;
}

bool put_piece(const Connection& connection, const char* data, size_t size, TensortapPgText text) {
  for (size_t done = 0; done < size;) {
    const size_t part = size - done < kPieceBytes ? size - done : kPieceBytes;
    const int taken = PQputCopyData(connection.handle, data + done, static_cast<int>(part));
    if (taken < 0) {
      lost(connection, text);
      return false;
    }
    if (taken > 0) done += part;
    // Otherwise libpq would gather all of it in memory.
    if (!send_all(connection, text)) return false;
  }
  return true;
}

int copy(void* opened, const char* sql, const char* const* pieces, const size_t* sizes, size_t count,
         TensortapPgText text) {
  const auto& connection = *static_cast<const Connection*>(opened);
  leave(text, "");
  int outcome = kTensortapPgLost;
  if (!begin_copy(connection, sql, outcome, text)) return outcome;
  for (size_t i = 0; i < count; ++i) {
    if (!put_piece(connection, pieces[i], sizes[i], text)) return kTensortapPgLost;
  }
  if (PQputCopyEnd(connection.handle, nullptr) < 0) return lost(connection, text);
  if (!send_all(connection, text)) return kTensortapPgLost;
  return read_results(connection, text);
}

const char* option(const PQconninfoOption* options, const char* name) {
  for (; options->keyword != nullptr; ++options) {
    if (strcmp(options->keyword, name) == 0) return options->val;
  }
  return nullptr;
}

// libpq's own words may quote a piece of a password that was not escaped; ours do not.
bool is_good_url(const PQconninfoOption* options) {
  const char* host = option(options, "host");
  const char* port = option(options, "port");
  if (host != nullptr && strchr(host, '@') != nullptr) return false;
  return port == nullptr || strspn(port, "0123456789,") == strlen(port);
}

// False, with `connect_ms` untouched, for a URL that cannot be used.
bool read_url(const char* url, int& connect_ms) {
  PQconninfoOption* options = PQconninfoParse(url, nullptr);
  if (options == nullptr) return false;
  const bool is_good = is_good_url(options);
  const char* given = option(options, "connect_timeout");
  if (given != nullptr && atoi(given) > 0 && atoi(given) < 3600) connect_ms = 1000 * atoi(given);
  PQconninfoFree(options);
  return is_good;
}

bool finish_connecting(const Connection& connection, int connect_ms, TensortapPgText text) {
  const int64_t until = now_ms() + connect_ms;
  PostgresPollingStatusType step = PGRES_POLLING_WRITING;
  while (step != PGRES_POLLING_OK) {
    if (step == PGRES_POLLING_FAILED) return lost(connection, text) == kTensortapPgDone;
    const int64_t left = until - now_ms();
    const short events = step == PGRES_POLLING_READING ? POLLIN : POLLOUT;
    if (!wait(connection, events, left < 0 ? 0 : static_cast<int>(left), text)) return false;
    step = PQconnectPoll(connection.handle);
  }
  return true;
}

// Notices ("already exists, skipping") are not for the user's terminal.
void ignore_notice(void*, const char*) {}

void close(void* opened) {
  auto* connection = static_cast<Connection*>(opened);
  PQfinish(connection->handle);
  delete connection;
}

void* open(const char* url, const char* application_name, int cancel_descriptor, int* outcome, TensortapPgText text) {
  int connect_ms = kConnectMs;
  *outcome = kTensortapPgBadUrl;
  leave(text, "");
  if (!read_url(url, connect_ms)) return nullptr;
  *outcome = kTensortapPgLost;
  // What stands behind dbname wins over what the URL says.
  const char* names[] = {"dbname", "application_name", "client_encoding", nullptr};
  const char* values[] = {url, application_name, "UTF8", nullptr};
  auto* connection = new (std::nothrow) Connection{PQconnectStartParams(names, values, 1), cancel_descriptor};
  if (connection == nullptr) return nullptr;
  if (connection->handle != nullptr) PQsetNoticeProcessor(connection->handle, ignore_notice, nullptr);
  const bool is_open = connection->handle != nullptr && PQstatus(connection->handle) != CONNECTION_BAD &&
                       finish_connecting(*connection, connect_ms, text);
  if (is_open && PQsetnonblocking(connection->handle, 1) == 0) {
    *outcome = kTensortapPgDone;
    return connection;
  }
  if (!is_open && text.size > 0 && text.data[0] == '\0') leave(text, PQerrorMessage(connection->handle));
  close(connection);
  return nullptr;
}

const TensortapPgApi kApi = {TENSORTAP_POSTGRESQL_VERSION, open, close, run, copy};

}  // namespace

extern "C" __attribute__((visibility("default"))) const TensortapPgApi* tensortap_postgresql() { return &kApi; }
