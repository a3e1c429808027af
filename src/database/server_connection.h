// ServerConnection: what sending batches needs of a database server.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "tensortap/result.h"

namespace tensortap::database {

enum class AnswerKind {
  kDone,
  kRefused,  // the same again would be refused again
  kLost,     // no connection any more, or a server that cannot now: the same may work later
};

struct Answer {
  AnswerKind kind = AnswerKind::kDone;
  std::string text;  // kDone: the first value of the first row, if there is one; otherwise why

  bool ok() const { return kind == AnswerKind::kDone; }
};

// Threads:  one at a time.
// Failure:  in the answers. After kLost the connection is of no more use.
// Lifetime: the destructor hangs up.
class ServerConnection {
 public:
  virtual ~ServerConnection() = default;
  virtual Answer run(const std::string& sql) = 0;
  // `sql` is COPY ... FROM STDIN.
  virtual Answer copy(const std::string& sql, std::string_view data) = 0;
};

// Ends whatever a connection, or the making of one, is waiting for; there is no way back.
//
// Threads:  any.
// Failure:  without a descriptor left in the process, nothing can be cancelled: limits of time still hold.
// Lifetime: outlives the connections that were given its descriptor.
class Cancellation {
 public:
  Cancellation();
  ~Cancellation();
  Cancellation(const Cancellation&) = delete;
  Cancellation& operator=(const Cancellation&) = delete;

  void cancel();
  int descriptor() const { return descriptor_; }  // readable once cancelled

 private:
  const int descriptor_;
};

using Connect = std::function<Result<std::unique_ptr<ServerConnection>>(const Cancellation&)>;

}  // namespace tensortap::database
