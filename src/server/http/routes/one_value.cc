// OneValue: from names to a place in a file.
#include "server/http/routes/one_value.h"

namespace tensortap::server {

SeriesAddress series_address(Question& question) {
  SeriesAddress address;
  address.run = question.text("run");
  address.tag = question.text("tag");
  return address;
}

ValueAddress value_address(Question& question) {
  ValueAddress address{series_address(question), question.step("step"), std::nullopt};
  if (question.has("index")) address.index = question.number("index", 0, 0, std::numeric_limits<std::int64_t>::max());
  return address;
}

Result<std::vector<query::Place>> find_places(const ServedLogs& logs, const SeriesAddress& address, store::Kind kind,
                                              const query::Selection& selection) {
  Result<query::Run> run = logs.current()->find(address.run);
  if (!run.ok()) return run.status();
  return query::places(*run, address.tag, kind, selection);
}

Result<query::Place> find_place(const ServedLogs& logs, const ValueAddress& address, store::Kind kind) {
  Result<query::Run> run = logs.current()->find(address.series.run);
  if (!run.ok()) return run.status();
  if (!address.index.has_value()) return query::place_at(*run, address.series.tag, kind, address.step);
  const query::Selection only{address.step, address.step, false};
  Result<std::vector<query::Place>> found = query::places(*run, address.series.tag, kind, only);
  if (!found.ok()) return found.status();
  if (found->empty()) return query::place_at(*run, address.series.tag, kind, address.step);
  if (*address.index >= found->size()) {
    return Status(StatusCode::kInvalidArgument, "index is " + std::to_string(*address.index) + ", but step " +
                                                    std::to_string(address.step) + " of '" + address.series.tag +
                                                    "' has " + std::to_string(found->size()) + ", counted from 0");
  }
  return std::move((*found)[*address.index]);
}

}  // namespace tensortap::server
