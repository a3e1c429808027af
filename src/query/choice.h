// Choice: runs and tags as people ask for them, by name or by a glob.
//
// A name that is there means itself, whatever characters it has; one that is not is a glob if it has a wildcard.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "query/runs.h"

namespace tensortap::query {

// The runs of these names, each once, in the order asked for; all runs when there are no names. Names that no run has
// are left out; kNotFound with names that are near when nothing is left.
Result<std::vector<Run>> choose_runs(const Runs& runs, std::span<const std::string> names);

struct ChosenSeries {
  std::size_t run = 0;  // which of the runs
  std::string tag;
  store::Kind kind = store::Kind::kScalars;
};

// The series of these tags, by run and then in the order asked for; with several kinds each tag has the first of them
// that is there. Runs that lack a tag are left out; kNotFound with names that are near when nothing is left.
Result<std::vector<ChosenSeries>> choose_series(std::span<const Run> runs, std::span<const std::string> tags,
                                                std::span<const store::Kind> kinds);

}  // namespace tensortap::query
