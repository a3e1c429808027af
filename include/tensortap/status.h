// Status: how a call ended, and what its caller can do about it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tensortap/export.h"

namespace tensortap {

// Chosen by what the caller can do, not by where the error came from.
enum class StatusCode {
  kOk = 0,
  kInvalidArgument,  // fix the call
  kNotFound,         // look elsewhere
  kTruncated,        // more bytes are needed; try again later
  kCorrupt,          // skip this record or file
  kIo,               // the operating system refused; maybe retry
  kClosed,           // open it again
  kUnsupported,      // this build or platform cannot do it
};

// The lower-case word for `code`, as it appears in messages ("invalid argument").
TENSORTAP_API std::string_view status_code_name(StatusCode code);

// Success, or a code with a sentence that says what, where, and what to do.
//
// Threads:  a Status is a value; share it as you would a string.
// Failure:  never throws but for memory.
// Lifetime: owns its message. Success owns nothing and costs one null pointer.
class [[nodiscard]] TENSORTAP_API Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string message);

  static Status ok_status() { return {}; }

  bool ok() const { return state_ == nullptr; }
  StatusCode code() const { return state_ ? state_->code : StatusCode::kOk; }

  // Empty for success.
  const std::string& message() const;

  // "io error: cannot create runs/a: Permission denied"; "ok" for success.
  std::string to_string() const;

 private:
  struct State {
    StatusCode code;
    std::string message;
  };
  std::shared_ptr<const State> state_;
};

}  // namespace tensortap
