// Texts, and which graphs there are.
#include "query/media.h"
#include "query/places.h"
#include "server/http/routes/answers.h"
#include "server/http/routes/one_value.h"
#include "server/http/routes/route_groups.h"
#include "server/http/routes/series_choice.h"

namespace tensortap::server {
namespace {

using format::JsonWriter;
using store::Kind;

constexpr std::uint64_t kUsualTexts = 200;
constexpr std::uint64_t kMostTexts = 10'000;

void put_text(JsonWriter& json, const query::Place& place, const query::Text& text) {
  json.begin_object();
  json.member("step", place.entry.step);
  json.member("wall_time", place.entry.wall_secs);
  json.list("shape", text.shape);
  json.list("strings", text.strings);
  json.end_object();
}

Response text(const Request& request, const ServedLogs& logs) {
  Question question(request, {"run", "tag", "first_step", "last_step", "limit", "format"});
  const SeriesAddress address = series_address(question);
  const query::Selection selection = question.selection();
  const std::uint64_t limit = question.number("limit", kUsualTexts, 1, kMostTexts);
  const std::string format = question.word("format", {"json", "csv"});
  if (!question.status().ok()) return error_response(question.status());
  if (format == "csv") return named_table(logs, "text", {address.run}, {address.tag}, selection);
  const auto found = find_places(logs, address, Kind::kText, selection);
  if (!found.ok()) return error_response(found.status());
  const std::vector<query::Place>& places = found.value();
  JsonWriter json;
  json.begin_object();
  json.member("total", places.size());
  json.key("texts");
  json.begin_array();
  for (std::size_t i = places.size() - std::min(places.size(), static_cast<std::size_t>(limit)); i < places.size();
       ++i) {
    const auto read = query::text_at(places[i]);
    if (!read.ok()) return error_response(read.status());
    put_text(json, places[i], read.value());
  }
  json.end_array();
  json.end_object();
  return json_response(json);
}

std::string_view form_name(query::GraphForm form) {
  switch (form) {
    case query::GraphForm::kGraphDef: return "graph_def";
    case query::GraphForm::kMetaGraphDef: return "meta_graph_def";
    case query::GraphForm::kKerasModel: return "keras_model";
    case query::GraphForm::kRunMetadata: return "run_metadata";
    case query::GraphForm::kOther: break;
  }
  return "other";
}

Response graph(const Request& request, const ServedLogs& logs) {
  Question question(request, {"run"});
  const std::string name = question.text("run");
  if (!question.status().ok()) return error_response(question.status());
  Result<query::Run> run = logs.current()->find(name);
  if (!run.ok()) return error_response(run.status());
  JsonWriter json;
  json.begin_object();
  json.key("graphs");
  json.begin_array();
  for (const std::string& tag : query::list_tags(*run, Kind::kGraphs)) {
    const auto found = query::places(*run, tag, Kind::kGraphs, {});
    if (!found.ok() || found.value().empty()) continue;
    const auto newest = query::graph_at(found.value().back(), *run, tag);
    if (!newest.ok()) return error_response(newest.status());
    json.begin_object();
    json.member("tag", tag);
    json.member("form", form_name(newest.value().form));
    json.member("bytes", newest.value().bytes.size());
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json_response(json);
}

}  // namespace

void add_text_routes(Router& router, ServedLogs& logs) {
  add_route(router, logs, "text", text);
  add_route(router, logs, "graph", graph);
}

}  // namespace tensortap::server
