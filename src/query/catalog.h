// Catalog: the tags of all runs, each once, with the runs that have it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "query/runs.h"

namespace tensortap::query {

// Runs [first, last] by their numbers.
struct RunRange {
  std::size_t first = 0;
  std::size_t last = 0;
};

struct CatalogTag {
  std::string tag;
  store::Kind kind = store::Kind::kScalars;
  std::vector<RunRange> runs;  // ascending, with gaps between them
  std::uint64_t count = 0;     // of all runs together, also what later attempts replaced
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
};

// By tag, then by kind. What list_series() leaves out is left out.
std::vector<CatalogTag> catalog(std::span<const Run> runs, std::optional<store::Kind> kind = std::nullopt);

}  // namespace tensortap::query
