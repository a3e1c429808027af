// ShowRequest: what all kinds have in common.
#include "cli/show/show_request.h"

#include <fmt/format.h>

#include "base/clock.h"
#include "base/try.h"
#include "cli/new_file.h"
#include "cli/units.h"
#include "cli/visible_text.h"

namespace tensortap::cli {

Result<std::vector<query::Place>> chosen_places(const ShowRequest& request) {
  auto places = query::places(request.run, request.tag, request.kind, request.selection);
  if (!places.ok() || !places->empty()) return places;
  return Status(StatusCode::kNotFound, "'" + request.tag + "' has nothing in these steps; leave --steps out");
}

Result<query::Place> chosen_place(const ShowRequest& request) {
  if (request.step) return query::place_at(request.run, request.tag, request.kind, *request.step);
  auto places = chosen_places(request);
  if (!places.ok()) return places.status();
  return std::move(places->back());
}

void print_heading(const ShowRequest& request, const query::Place& place, const std::string& more) {
  fmt::print("{}  {} of run {}  step {}  {}{}\n", visible_text(request.tag), store::kind_name(request.kind),
             visible_text(request.run.name), place.entry.step, age_text(place.entry.wall_secs, WallClock().now_secs()),
             more.empty() ? "" : "  " + more);
}

void begin_json(JsonOut& json, const ShowRequest& request) {
  json.begin_object(JsonLayout::kLines);
  json.member("run", request.run.name);
  json.member("tag", request.tag);
  json.member("kind", store::kind_name(request.kind));
}

void begin_json(JsonOut& json, const ShowRequest& request, const query::Place& place) {
  begin_json(json, request);
  json.member("step", place.entry.step);
  json.member("wall_time", place.entry.wall_secs);
}

Status save_bytes(const ShowRequest& request, std::string_view bytes) {
  TENSORTAP_TRY(write_new_file(request.save_path, bytes));
  if (!request.json) fmt::print("saved {} to {}\n", size_text(bytes.size()), visible_text(request.save_path));
  return {};
}

Status check_index(const ShowRequest& request, std::size_t count, const char* what) {
  if (request.index < count) return {};
  if (count == 0) return Status(StatusCode::kNotFound, fmt::format("'{}' has no {} here", request.tag, what));
  return Status(StatusCode::kNotFound,
                fmt::format("there is no {} {}; --index counts from 0 to {}", what, request.index, count - 1));
}

}  // namespace tensortap::cli
