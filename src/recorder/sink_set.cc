// SinkSet: offers to each, and keeps their errors apart.
#include "recorder/sink_set.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "base/try.h"
#include "recorder/sink_makers.h"

namespace tensortap::recorder {
namespace {

using MakeSink = MadeSink (*)(const SinkSpec&);
constexpr std::array<std::pair<std::string_view, MakeSink>, 6> kMakers{{{"csv", make_csv_sink},
                                                                        {"npy", make_npy_sink},
                                                                        {"png", make_png_sink},
                                                                        {"print", make_print_sink},
                                                                        {"sqlite", make_sqlite_sink},
                                                                        {"postgresql", make_postgresql_sink}}};

MadeSink make_sink(const SinkSpec& spec) {
  std::string kinds;
  for (const auto& [kind, make] : kMakers) {
    if (spec.kind == kind) return make(spec);
    kinds += (kinds.empty() ? "" : ", ") + std::string(kind);
  }
  return Status(StatusCode::kInvalidArgument, "there is no sink '" + spec.kind + "'; there are " + kinds);
}

// A password in a URL is not for reports and logs, nor is a part of one that was not escaped.
std::string shown_target(const std::string& target) {
  const std::size_t scheme = target.find("://");
  if (scheme == std::string::npos) return target;
  std::string shown = target;
  const std::size_t colon = shown.find(':', scheme + 3);
  const std::size_t at = shown.rfind('@');
  if (at != std::string::npos && colon < at) shown.replace(colon + 1, at - colon - 1, "...");
  for (std::size_t word = shown.find("password="); word != std::string::npos;
       word = shown.find("password=", word + 9)) {
    const std::size_t value = word + 9;
    shown.replace(value, std::min(shown.find('&', value), shown.size()) - value, "...");
  }
  return shown;
}

std::string shown_name(const SinkSpec& spec) {
  return spec.target.empty() ? spec.kind : spec.kind + " " + shown_target(spec.target);
}

Status said_by(const SinkReport& report, const Status& error) {
  return error.ok() ? error : Status(error.code(), "sink " + report.name + ": " + error.message());
}

}  // namespace

Status SinkSet::make(const std::vector<SinkSpec>& specs) {
  for (const SinkSpec& spec : specs) {
    Member member;
    member.report.name = shown_name(spec);
    MadeSink made = make_sink(spec);
    if (!made.ok()) return said_by(member.report, made.status());
    member.sink = std::move(made).value();
    members_.push_back(std::move(member));
  }
  return {};
}

Status SinkSet::begin(const RunInfo& run) {
  for (Member& member : members_) TENSORTAP_TRY(said_by(member.report, member.sink->begin(run)));
  return {};
}

std::vector<std::string> SinkSet::notes() const {
  std::vector<std::string> all;
  for (const Member& member : members_) {
    for (std::string& note : member.sink->notes()) all.push_back(std::move(note));
  }
  return all;
}

void SinkSet::remember(Member& member, const Status& error) {
  if (error.ok()) return;
  if (member.report.error.empty()) member.report.error = error.message();
  if (member.unshown.ok()) member.unshown = said_by(member.report, error);
}

Status SinkSet::first_unshown() {
  Status first;
  for (Member& member : members_) {
    Status error = std::exchange(member.unshown, Status());
    if (first.ok()) first = std::move(error);
  }
  return first;
}

void SinkSet::deliver(const std::function<Status(Sink&)>& offer) {
  for (Member& member : members_) {
    Status status;
    try {
      status = offer(*member.sink);
    } catch (const std::bad_alloc&) {
      status = Status(StatusCode::kIo, "no memory for it");
    }
    if (is_passed_over(status)) continue;
    ++(status.ok() ? member.report.written : member.report.failed);
    remember(member, status);
  }
}

Status SinkSet::flush(bool sync) {
  for (Member& member : members_) remember(member, sync ? member.sink->sync() : member.sink->flush());
  return first_unshown();
}

Status SinkSet::close(double wall_secs, const event::CaptureEnd& end) {
  for (Member& member : members_) remember(member, member.sink->close(wall_secs, end));
  return first_unshown();
}

std::vector<SinkReport> SinkSet::report() const {
  std::vector<SinkReport> reports;
  for (const Member& member : members_) {
    reports.push_back(member.report);
    const std::uint64_t lost = member.sink->lost_captures();
    reports.back().written -= lost;
    reports.back().failed += lost;
  }
  return reports;
}

}  // namespace tensortap::recorder
