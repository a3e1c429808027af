// Hyperparameters: names and values.
#include <fmt/format.h>

#include <optional>
#include <variant>

#include "base/clock.h"
#include "cli/show/show_request.h"
#include "cli/table_print.h"
#include "cli/units.h"
#include "cli/visible_text.h"
#include "query/media.h"

namespace tensortap::cli {
namespace {

std::string value_text(const HParam& value) {
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "true" : "false";
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return visible_text(std::get<std::string>(value));
}

std::string end_text(const query::RunHParams& hparams) {
  if (!hparams.success) return "not ended";
  return *hparams.success ? "ended" : "failed";
}

void print_json(const ShowRequest& request, const query::RunHParams& hparams) {
  JsonOut json;
  begin_json(json, request);
  json.member("group", hparams.group);
  json.member("start_wall_time", hparams.start_secs);
  json.key("end_wall_time");
  hparams.success ? json.value(hparams.end_secs) : json.null();
  json.key("success");
  hparams.success ? json.value(*hparams.success) : json.null();
  json.key("values");
  json.begin_object(JsonLayout::kLines);
  for (const auto& [name, value] : hparams.values) {
    json.key(name);
    std::visit([&](const auto& each) { json.value(each); }, value);
  }
  json.end_object();
  json.end_object();
}

}  // namespace

Status show_hparams(const ShowRequest& request) {
  auto found = query::hparams(request.run);
  if (!found.ok()) return found.status();
  const std::optional<query::RunHParams>& recorded = *found;
  if (!recorded) {
    return Status(StatusCode::kNotFound, "run '" + request.run.name + "' has no hyperparameters of its own");
  }
  const query::RunHParams& hparams = *recorded;
  if (request.json) {
    print_json(request, hparams);
    return {};
  }
  fmt::print("hyperparameters of run {}  started {}  {}\n", visible_text(request.run.name),
             age_text(hparams.start_secs, WallClock().now_secs()), end_text(hparams));
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, value] : hparams.values) rows.push_back({visible_text(name), value_text(value)});
  print_table({{"NAME"}, {"VALUE"}}, rows);
  return {};
}

}  // namespace tensortap::cli
