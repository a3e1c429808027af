// RunHandle: the bound class behind tap's RunReader: a run by its name, with the files it has by now.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "directory.h"
#include "errors.h"
#include "query/places.h"
#include "query/selection.h"

namespace tensortap::python {

// Threads:  needs the GIL.
// Failure:  run() throws NotFoundError when the run is gone.
// Lifetime: keeps its directory.
class RunHandle {
 public:
  RunHandle(std::shared_ptr<Directory> directory, std::string name)
      : directory_(std::move(directory)), name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  std::shared_ptr<const query::Run> run() const;

 private:
  std::shared_ptr<Directory> directory_;
  std::string name_;
  mutable std::shared_ptr<const query::Runs> runs_;  // in which run_ was found
  mutable std::shared_ptr<const query::Run> run_;
};

// Answers a question about a run, which gives a Result, without the GIL; throws the exception of an error.
template <typename Question>
auto ask(const RunHandle& handle, Question&& question) {
  const std::shared_ptr<const query::Run> run = handle.run();
  auto answer = [&] {
    nanobind::gil_scoped_release released;
    return question(*run);
  }();
  return value_or_raise(std::move(answer));
}

// The value at a step; without one the last.
Result<query::Place> find_place(const query::Run& run, std::string_view tag, store::Kind kind,
                                std::optional<std::int64_t> step);

// What a tag holds. kNotFound, with names that are near.
Result<std::vector<store::Kind>> kinds_of_tag(const query::Run& run, std::string_view tag);

// The kind of a word; ValueError lists the words.
store::Kind kind_of(nanobind::handle word);
std::optional<store::Kind> optional_kind_of(nanobind::handle word);  // None: nullopt

// Steps first up to last, both included; None leaves an end open.
query::Selection selection_of(std::optional<std::int64_t> first, std::optional<std::int64_t> last, bool raw);

}  // namespace tensortap::python
