// Series: the values of one tag in one file, of one kind.
//
// Scalars are held as they are. Of everything else only the place in the file is held: the values are read when
// somebody asks for them. Statistics keep their numbers too, for they are drawn over thousands of steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "event/event.h"
#include "store/kind.h"
#include "store/scalar_column.h"
#include "tensortap/media.h"

namespace tensortap::store {

// A value's place in its file, with what is known without reading it.
struct Entry {
  std::int64_t step = 0;
  double wall_secs = 0;
  std::uint64_t offset = 0;       // of the frame
  std::uint64_t sequence = 0;     // captures only
  std::uint32_t data_bytes = 0;   // of the record in the frame
  std::uint32_t value_index = 0;  // which value of the event's summary
  Phase phase = Phase::kNone;
};

// The numbers of a statistics capture; percentiles and buckets are read from the file.
struct StatsRow {
  std::uint64_t count = 0, zeros = 0, nan = 0, positive_inf = 0, negative_inf = 0, negatives = 0, subnormals = 0;
  double min = 0, max = 0, mean = 0, std = 0, l1 = 0, l2 = 0;
};

struct Series {
  Kind kind = Kind::kScalars;
  ScalarColumn scalars;         // kScalars
  std::vector<Entry> entries;   // every other kind, as they stand in the file
  std::vector<StatsRow> stats;  // kStats: one for each entry

  // Of entries: the least and the greatest step.
  std::int64_t min_step = std::numeric_limits<std::int64_t>::max();
  std::int64_t max_step = std::numeric_limits<std::int64_t>::min();

  void add(const Entry& entry) {
    min_step = std::min(min_step, entry.step);
    max_step = std::max(max_step, entry.step);
    entries.push_back(entry);
  }
  std::size_t size() const { return kind == Kind::kScalars ? scalars.size() : entries.size(); }
};

// What the first metadata of a tag said.
struct TagInfo {
  std::string plugin;
  std::string content;
  std::string description;
  std::string display_name;
  event::DataClass data_class = event::DataClass::kUnknown;
  bool derived = false;
};

// A tag of one file.
struct Tag {
  std::string name;
  std::shared_ptr<const TagInfo> info;          // null: no metadata seen
  std::vector<std::unique_ptr<Series>> series;  // one per kind, mostly one

  Series* find(Kind kind) const {
    for (const auto& each : series) {
      if (each->kind == kind) return each.get();
    }
    return nullptr;
  }
};

}  // namespace tensortap::store
