// SinkSet: the sinks of one run besides its directory, and how they fare.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "recorder/sink.h"
#include "tensortap/result.h"
#include "tensortap/run_report.h"
#include "tensortap/sinks.h"

namespace tensortap::recorder {

// Every sink gets every capture, whatever becomes of it elsewhere. What one of them could not take is counted for that
// one alone: the run directory has it.
//
// Threads:  one at a time.
// Failure:  make() and begin() say what the user has to mend; later the first error of each sink is kept.
// Lifetime: owns its sinks.
class SinkSet {
 public:
  Status make(const std::vector<SinkSpec>& specs);
  Status begin(const RunInfo& run);
  std::vector<std::string> notes() const;

  void deliver(const std::function<Status(Sink&)>& offer);
  // The first error of any sink since the flush before.
  Status flush(bool sync);
  Status close(double wall_secs, const event::CaptureEnd& end);

  std::vector<SinkReport> report() const;

 private:
  struct Member {
    std::unique_ptr<Sink> sink;
    SinkReport report;
    Status unshown;  // an error that no flush() has told of
  };

  static void remember(Member& member, const Status& error);
  Status first_unshown();

  std::vector<Member> members_;
};

}  // namespace tensortap::recorder
