// Result<T>: a value, or the Status that says why there is none.
#pragma once

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <variant>

#include "tensortap/status.h"

namespace tensortap {

// Threads:  a value; as its T.
// Failure:  value() on an error ends the program with the message: ask ok() first where errors can happen.
// Lifetime: owns its value.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}        // NOLINT: `return value;` should read naturally
  Result(Status status) : state_(std::move(status)) {  // NOLINT
    assert(!std::get<Status>(state_).ok());
  }

  bool ok() const { return std::holds_alternative<T>(state_); }

  Status status() const { return ok() ? Status() : std::get<Status>(state_); }

  T& value() & { return checked(); }
  const T& value() const& { return const_cast<Result*>(this)->checked(); }
  T&& value() && { return std::move(checked()); }

  T* operator->() { return &checked(); }
  T& operator*() & { return checked(); }

 private:
  T& checked() {
    if (!ok()) {
      // A caller that asks for a value it was not given has a bug; carrying on would read garbage.
      std::fprintf(stderr, "tensortap: value() of a failed Result: %s\n", std::get<Status>(state_).to_string().c_str());
      std::abort();
    }
    return std::get<T>(state_);
  }

  std::variant<T, Status> state_;
};

}  // namespace tensortap
