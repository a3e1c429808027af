// Run: what a run is and which series it has; translation only.
#include <nanobind/nanobind.h>

#include "bindings.h"
#include "query/runs.h"
#include "run_handle.h"
#include "texts.h"

namespace tensortap::python {

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

nb::dict info(const RunHandle& handle) {
  const query::RunInfo info = ask(handle, [](const query::Run& run) { return Result(query::run_info(run)); });
  nb::dict out;
  out["name"] = to_str(info.name);
  out["directories"] = to_strs(info.directories);
  out["state"] = to_str(query::run_state_name(info.state));
  out["first_wall_time"] = info.first_wall_secs;
  out["last_wall_time"] = info.last_wall_secs;
  out["last_step"] = info.last_step;
  out["bytes"] = info.size_bytes;
  out["files"] = info.files;
  out["records"] = info.records;
  out["tags"] = info.tags;
  out["points"] = info.points;
  out["damaged_places"] = info.damaged_places;
  out["dropped"] = info.dropped;
  const auto seconds = [](const std::optional<double>& told) -> nb::object {
    return told ? nb::object(nb::float_(*told)) : nb::object(nb::none());
  };
  out["caller_seconds"] = seconds(info.caller_secs);
  out["worker_seconds"] = seconds(info.worker_secs);
  nb::list kinds;
  for (store::Kind kind : info.kinds) kinds.append(to_str(store::kind_name(kind)));
  out["kinds"] = kinds;
  return out;
}

nb::list tags(const RunHandle& handle, nb::handle kind) {
  const std::optional<store::Kind> wanted = optional_kind_of(kind);
  return to_strs(ask(handle, [&](const query::Run& run) { return Result(query::list_tags(run, wanted)); }));
}

nb::list tag_kinds(const RunHandle& handle, nb::handle tag) {
  const std::string name = from_str(tag, "tag");
  nb::list kinds;
  for (store::Kind kind : ask(handle, [&](const query::Run& run) { return kinds_of_tag(run, name); }))
    kinds.append(to_str(store::kind_name(kind)));
  return kinds;
}

nb::list series(const RunHandle& handle) {
  nb::list out;
  for (const query::SeriesInfo& info :
       ask(handle, [](const query::Run& run) { return Result(query::list_series(run)); })) {
    nb::dict each;
    each["tag"] = to_str(info.tag);
    each["kind"] = to_str(store::kind_name(info.kind));
    each["count"] = info.count;
    each["first_step"] = info.first_step;
    each["last_step"] = info.last_step;
    each["last_wall_time"] = info.last_wall_secs;
    each["plugin"] = to_str(info.plugin);
    each["description"] = to_str(info.description);
    out.append(each);
  }
  return out;
}

}  // namespace

void bind_run(nb::module_& module) {
  RunClass run(module, "Run");
  run.def_prop_ro("name", [](const RunHandle& self) { return to_str(self.name()); })
      .def("info", &info)
      .def("tags", &tags, "kind"_a.none())
      .def("tag_kinds", &tag_kinds, "tag"_a)
      .def("series", &series);
  bind_run_series(run);
  bind_run_values(run);
  bind_run_media(run);
}

}  // namespace tensortap::python
