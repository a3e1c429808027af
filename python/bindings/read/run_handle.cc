// RunHandle, and what its methods share.
#include "run_handle.h"

#include "base/near_names.h"
#include "texts.h"

namespace tensortap::python {

namespace nb = nanobind;

std::shared_ptr<const query::Run> RunHandle::run() const {
  std::shared_ptr<const query::Runs> runs = directory_->runs();
  if (runs != runs_) {
    run_ = std::make_shared<const query::Run>(value_or_raise(runs->find(name_)));
    runs_ = std::move(runs);
  }
  return run_;
}

Result<query::Place> find_place(const query::Run& run, std::string_view tag, store::Kind kind,
                                std::optional<std::int64_t> step) {
  if (step) return query::place_at(run, tag, kind, *step);
  Result<std::vector<query::Place>> found = query::places(run, tag, kind, {});
  if (!found.ok()) return found.status();
  if (found->empty()) return Status(StatusCode::kNotFound, "'" + std::string(tag) + "' holds no value");
  return std::move(found->back());
}

Result<std::vector<store::Kind>> kinds_of_tag(const query::Run& run, std::string_view tag) {
  std::vector<store::Kind> kinds;
  for (const query::SeriesInfo& info : query::list_series(run)) {
    if (info.tag == tag) kinds.push_back(info.kind);
  }
  if (!kinds.empty()) return kinds;
  return Status(StatusCode::kNotFound, "run '" + run.name + "' has no tag '" + std::string(tag) + "'." +
                                           did_you_mean(tag, query::list_tags(run)));
}

store::Kind kind_of(nb::handle word) {
  const std::string name = from_str(word, "kind");
  if (std::optional<store::Kind> kind = store::kind_from_name(name)) return *kind;
  std::string words;
  for (store::Kind kind : store::all_kinds()) {
    words += (words.empty() ? "" : ", ") + std::string(store::kind_name(kind));
  }
  raise(PyExc_ValueError, "kind is one of " + words + "; not '" + name + "'");
}

std::optional<store::Kind> optional_kind_of(nb::handle word) {
  return word.is_none() ? std::nullopt : std::optional<store::Kind>(kind_of(word));
}

query::Selection selection_of(std::optional<std::int64_t> first, std::optional<std::int64_t> last, bool raw) {
  query::Selection selection;
  selection.first_step = first.value_or(selection.first_step);
  selection.last_step = last.value_or(selection.last_step);
  selection.raw = raw;
  return selection;
}

}  // namespace tensortap::python
