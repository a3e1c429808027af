// LiveEvents: differences, written as events.
#include "server/http/live_events.h"

#include <utility>

#include "format/json.h"

namespace tensortap::server {
namespace {

void put_event(std::string& out, std::string_view name, format::JsonWriter& json) {
  std::string data = json.take();
  while (data.ends_with('\n')) data.pop_back();
  out.append("event: ").append(name).append("\ndata: ").append(data).append("\n\n");
}

}  // namespace

std::string LiveEvents::next() {
  std::string out;
  format::JsonWriter json;
  const bool is_first = !std::exchange(has_begun_, true);
  const LoadState load = logs_.load_state();
  const Changes changes = logs_.changes_since(revision_);
  if (is_first) {
    json.begin_object();
    json.member("revision", changes.revision);
    json.end_object();
    put_event(out, "hello", json);
  }
  // The end of loading is told too, once; and to those who come later, not at all.
  const bool has_progress = load.loading != last_.loading || load.read_bytes != last_.read_bytes;
  if (is_first ? load.loading : has_progress) {
    json.begin_object();
    json.member("read_bytes", load.read_bytes);
    json.member("total_bytes", load.total_bytes);
    json.member("loading", load.loading);
    json.end_object();
    put_event(out, "progress", json);
  }
  if (!is_first && changes.revision != revision_) {
    json.begin_object();
    json.member("revision", changes.revision);
    json.list("runs", changes.runs);
    json.member("catalog", changes.catalog);
    json.end_object();
    put_event(out, "change", json);
  }
  revision_ = changes.revision;
  last_ = load;
  return out;
}

}  // namespace tensortap::server
