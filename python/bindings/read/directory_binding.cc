// Directory: the bound class behind tap.open; translation only.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "bindings.h"
#include "directory.h"
#include "errors.h"
#include "interruptible.h"
#include "query/health.h"
#include "run_handle.h"
#include "store/index_cache.h"
#include "texts.h"

namespace tensortap::python {

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

// A path has Python's own exceptions.
void raise_if_no_directory(const Status& status) {
  if (status.code() == StatusCode::kNotFound) raise(PyExc_FileNotFoundError, status.message());
  if (status.code() == StatusCode::kInvalidArgument) raise(PyExc_NotADirectoryError, status.message());
  raise_if_error(status);
}

bool refresh(const std::shared_ptr<Directory>& directory) {
  bool changed = false;
  raise_if_no_directory(run_interruptible([&] { return directory->refresh(changed); }, [&] { directory->stop(); }));
  return changed;
}

std::shared_ptr<Directory> open_directory(nb::handle path, nb::handle cache_directory, bool follow_links,
                                          unsigned threads) {
  store::LoadOptions options;
  options.threads = threads;
  options.cache_directory = from_str(cache_directory, "cache");
  options.links = follow_links ? store::Links::kFollow : store::Links::kInside;
  Result<std::shared_ptr<Directory>> opened = Directory::open(from_str(path, "path"), std::move(options));
  raise_if_no_directory(opened.status());
  const std::shared_ptr<Directory>& directory = *opened;
  refresh(directory);
  return directory;
}

nb::list run_names(const Directory& directory) {
  nb::list names;
  for (const query::Run& run : directory.runs()->all()) names.append(to_str(run.name));
  return names;
}

RunHandle find_run(const std::shared_ptr<Directory>& directory, nb::handle name) {
  RunHandle handle(directory, from_str(name, "the name of a run"));
  (void)handle.run();  // throws when there is none
  return handle;
}

const char* tail_name(store::TailKind kind) {
  switch (kind) {
    case store::TailKind::kTorn: return "torn";
    case store::TailKind::kZeroes: return "zeroes";
    case store::TailKind::kUnreadable: return "unreadable";
    case store::TailKind::kNone: break;
  }
  return "";
}

nb::dict to_dict(const query::FileReport& report) {
  nb::dict out;
  out["path"] = to_str(report.path);
  out["run"] = to_str(report.run);
  out["kind"] = report.kind == store::RunFileKind::kCaptures ? "captures" : "events";
  out["bytes"] = report.size_bytes;
  out["records"] = report.records;
  out["damaged"] = report.damaged();
  nb::list damage;
  for (const store::Damage& place : report.damage) {
    nb::dict each;
    each["offset"] = place.offset;
    each["bytes"] = place.size_bytes;
    each["reason"] = to_str(place.reason);
    damage.append(each);
  }
  out["damage"] = damage;
  out["damaged_places"] = report.damaged_places;
  out["damaged_bytes"] = report.damaged_bytes;
  out["tail"] = tail_name(report.tail.kind);
  out["tail_bytes"] = report.tail.size_bytes;
  out["settled"] = report.settled;
  out["error"] = to_str(report.error);
  out["dropped"] = report.dropped;
  return out;
}

nb::list health(const Directory& directory) {
  const query::HealthReport report = query::health(directory.runs()->snapshot());
  nb::list files;
  for (const query::FileReport& file : report.files) files.append(to_dict(file));
  for (const store::UnreadablePath& skipped : report.skipped) {
    query::FileReport file;
    file.path = skipped.path;
    file.error = skipped.reason;
    files.append(to_dict(file));
  }
  return files;
}

}  // namespace

void bind_directory(nb::module_& module) {
  nb::class_<Directory>(module, "Directory")
      .def("refresh", &refresh)
      .def("run_names", &run_names)
      .def("run", &find_run, "name"_a)
      .def("health", &health)
      .def_prop_ro("path", [](const Directory& self) { return to_str(self.path()); });
  module.def("open_directory", &open_directory, "path"_a, "cache_directory"_a, "follow_links"_a, "threads"_a);
  module.def("usual_cache_directory", [] { return to_str(store::IndexCache::usual_directory()); });
}

}  // namespace tensortap::python
