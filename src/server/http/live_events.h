// LiveEvents: what one listener of the stream of changes has not been told yet, as server-sent events.
//
//   event: hello     data: {"revision": 7}
//   event: progress  data: {"read_bytes": 1, "total_bytes": 2, "loading": true}
//   event: change    data: {"revision": 8, "runs": ["a"], "catalog": false}
//
// It remembers a revision, not events: a listener that is slow gets one event for all that happened meanwhile.
#pragma once

#include <cstdint>
#include <string>

#include "server/http/served_logs.h"

namespace tensortap::server {

// Threads:  one at a time.
// Failure:  none but for memory.
// Lifetime: `logs` must outlive it.
class LiveEvents {
 public:
  explicit LiveEvents(const ServedLogs& logs) : logs_(logs) {}

  // The events since the last call; empty when nothing happened. The first call says hello.
  std::string next();

  bool is_loading() const { return last_.loading; }

 private:
  const ServedLogs& logs_;
  bool has_begun_ = false;
  std::uint64_t revision_ = 0;
  LoadState last_;
};

inline constexpr std::string_view kKeepAliveEvent = ": keep\n\n";

}  // namespace tensortap::server
