// Graphs: how large they are, and the first nodes or layers.
#include <fmt/format.h>

#include <algorithm>

#include "base/try.h"
#include "cli/show/graph_outline.h"
#include "cli/show/show_request.h"
#include "cli/table_print.h"
#include "cli/units.h"
#include "cli/visible_text.h"
#include "query/media.h"

namespace tensortap::cli {
namespace {

constexpr std::size_t kUsualParts = 30;

bool has_layers(const query::Graph& graph) { return graph.form == query::GraphForm::kKerasModel; }

void print_json(const ShowRequest& request, const query::Place& place, const query::Graph& graph,
                const std::vector<GraphPart>& parts) {
  JsonOut json;
  begin_json(json, request, place);
  json.member("form", graph_form_name(graph.form));
  json.member("bytes", graph.bytes.size());
  if (!parts.empty()) {
    json.key(has_layers(graph) ? "layers" : "nodes");
    json.begin_array(JsonLayout::kLines);
    for (const GraphPart& part : parts) {
      json.begin_object();
      json.member("name", part.name);
      json.member(has_layers(graph) ? "class" : "op", part.what);
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
}

void print_parts(const ShowRequest& request, const query::Graph& graph, const std::vector<GraphPart>& parts) {
  const std::size_t most = request.height > 0 ? request.height : kUsualParts;
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(most, parts.size()); ++i) {
    rows.push_back({visible_text(parts[i].name), visible_text(parts[i].what)});
  }
  if (rows.empty()) return;
  print_table({{has_layers(graph) ? "LAYER" : "NODE"}, {has_layers(graph) ? "CLASS" : "OPERATION"}}, rows);
  if (parts.size() > most) fmt::print("and {} more; --height shows more of them\n", count_text(parts.size() - most));
}

}  // namespace

Status show_graph(const ShowRequest& request) {
  auto place = chosen_place(request);
  if (!place.ok()) return place.status();
  auto graph = query::graph_at(*place, request.run, request.tag);
  if (!graph.ok()) return graph.status();
  if (!request.save_path.empty()) TENSORTAP_TRY(save_bytes(request, graph->bytes));
  const std::vector<GraphPart> parts = graph_outline(*graph);
  if (request.json) {
    print_json(request, *place, *graph, parts);
    return {};
  }
  std::string more = fmt::format("{}  {}", graph_form_name(graph->form), size_text(graph->bytes.size()));
  if (!parts.empty()) {
    more +=
        "  " + (has_layers(*graph) ? counted(parts.size(), "layer", "layers") : counted(parts.size(), "node", "nodes"));
  }
  print_heading(request, *place, more);
  print_parts(request, *graph, parts);
  return {};
}

}  // namespace tensortap::cli
