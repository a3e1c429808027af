// Table: rows of many runs as an Arrow stream; translation only.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include "bindings.h"
#include "directory.h"
#include "errors.h"
#include "format/arrow_schema.h"
#include "format/arrow_stream.h"
#include "query/tables.h"
#include "run_handle.h"
#include "texts.h"

namespace tensortap::python {

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

// A question whose answer may be streamed any number of times.
class Table {
 public:
  Table(std::shared_ptr<const query::Runs> runs, query::TableRequest request)
      : runs_(std::move(runs)), request_(std::move(request)), heads_(open()->heads()) {}

  std::unique_ptr<TableCursor> open() const {
    Result<std::unique_ptr<TableCursor>> cursor = [&] {
      nb::gil_scoped_release released;
      return query::open_table(runs_, request_);
    }();
    return value_or_raise(std::move(cursor));
  }
  const std::vector<ColumnHead>& heads() const { return heads_; }
  const std::string& name() const { return request_.table; }

 private:
  std::shared_ptr<const query::Runs> runs_;
  query::TableRequest request_;
  std::vector<ColumnHead> heads_;
};

template <typename Struct>
void release_struct(void* pointer) noexcept {
  auto* owned = static_cast<Struct*>(pointer);
  if (owned->release != nullptr) owned->release(owned);  // not taken over by anybody
  delete owned;
}

// The names of the capsules are those of the Arrow PyCapsule interface.
nb::capsule stream_of(const Table& table, nb::handle /*requested_schema*/) {
  auto stream = std::make_unique<ArrowArrayStream>();
  format::export_arrow_stream(table.open(), stream.get());
  return {stream.release(), "arrow_array_stream", &release_struct<ArrowArrayStream>};
}

nb::capsule schema_of(const Table& table) {
  auto schema = std::make_unique<ArrowSchema>();
  format::export_arrow_schema(table.heads(), schema.get());
  return {schema.release(), "arrow_schema", &release_struct<ArrowSchema>};
}

nb::list column_names(const Table& table) {
  nb::list names;
  for (const ColumnHead& head : table.heads()) names.append(to_str(head.name));
  return names;
}

Table open_table(const Directory& directory, nb::handle name, nb::handle runs, nb::handle tags,
                 std::optional<std::int64_t> first, std::optional<std::int64_t> last, bool raw) {
  query::TableRequest request;
  request.table = from_str(name, "the name of a table");
  request.run_glob = from_str(runs, "runs");
  request.tag_glob = from_str(tags, "tags");
  request.selection = selection_of(first, last, raw);
  return {directory.runs(), std::move(request)};
}

}  // namespace

void bind_table(nb::module_& module) {
  nb::class_<Table>(module, "Table",
                    "Rows for pandas, polars, DuckDB, pyarrow: whatever takes an Arrow PyCapsule stream.")
      .def("__arrow_c_stream__", &stream_of, "requested_schema"_a = nb::none())
      .def("__arrow_c_schema__", &schema_of)
      .def_prop_ro("name", [](const Table& self) { return to_str(self.name()); })
      .def_prop_ro("columns", &column_names, "The names of the columns.")
      .def("__repr__", [](const Table& self) {
        return nb::str("<tensortap table {}: {}>")
            .format(to_str(self.name()), nb::str(", ").attr("join")(column_names(self)));
      });
  module.def("open_table", &open_table, "directory"_a, "name"_a, "runs"_a, "tags"_a, "first"_a.none(), "last"_a.none(),
             "raw"_a);
  module.def("table_names", [] { return to_strs(query::table_names()); });
}

}  // namespace tensortap::python
