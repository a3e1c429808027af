// Status and the words for its codes.
#include "tensortap/status.h"

#include <utility>

namespace tensortap {

std::string_view status_code_name(StatusCode code) {
  switch (code) {
    case StatusCode::kOk: return "ok";
    case StatusCode::kInvalidArgument: return "invalid argument";
    case StatusCode::kNotFound: return "not found";
    case StatusCode::kTruncated: return "truncated";
    case StatusCode::kCorrupt: return "corrupt";
    case StatusCode::kIo: return "io error";
    case StatusCode::kClosed: return "closed";
    case StatusCode::kUnsupported: return "unsupported";
  }
  return "unknown";
}

Status::Status(StatusCode code, std::string message) {
  if (code != StatusCode::kOk) state_ = std::make_shared<const State>(State{code, std::move(message)});
}

const std::string& Status::message() const {
  static const std::string empty;
  return state_ ? state_->message : empty;
}

std::string Status::to_string() const {
  if (ok()) return "ok";
  return std::string(status_code_name(code())) + ": " + message();
}

}  // namespace tensortap
