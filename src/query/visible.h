// Visible: what is left of a series when later attempts have replaced earlier ones; the rule is in query/selection.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

namespace tensortap::query {

// A session that started: what came before `index` in its file, at `step` or later, is replaced.
struct SessionCut {
  std::size_t index = 0;
  std::int64_t step = 0;
  double wall_secs = 0;
};

// The values of one file, in its order. `Value` has step and wall_secs, by the overloads of step_of() and wall_of().
template <typename Value>
struct FileValues {
  std::vector<Value> values;
  std::vector<SessionCut> cuts;  // by index
};

namespace visible_detail {

template <typename Value>
void drop_from(std::vector<Value>& values, std::int64_t step) {
  while (!values.empty() && step_of(values.back()) >= step) values.pop_back();
}

// What one file leaves, how far back it went, and when it was written.
template <typename Value>
struct Attempt {
  std::vector<Value> left;
  std::int64_t lowest_step = std::numeric_limits<std::int64_t>::max();
  double first_secs = std::numeric_limits<double>::infinity();
  double last_secs = -std::numeric_limits<double>::infinity();

  void see(std::int64_t step, double wall_secs) {
    lowest_step = std::min(lowest_step, step);
    if (!std::isfinite(wall_secs)) return;
    first_secs = std::min(first_secs, wall_secs);
    last_secs = std::max(last_secs, wall_secs);
  }
};

template <typename Value>
Attempt<Value> attempt_of(FileValues<Value>& file, bool steps_repeat) {
  Attempt<Value> attempt;
  auto cut = file.cuts.begin();
  auto cut_until = [&](std::size_t index) {
    for (; cut != file.cuts.end() && cut->index <= index; ++cut) {
      drop_from(attempt.left, cut->step);
      attempt.see(cut->step, cut->wall_secs);
    }
  };
  for (std::size_t i = 0; i < file.values.size(); ++i) {
    cut_until(i);
    const std::int64_t step = step_of(file.values[i]);
    const bool is_last_step = step == std::numeric_limits<std::int64_t>::max();
    if (!steps_repeat) drop_from(attempt.left, step);
    if (steps_repeat && !is_last_step) drop_from(attempt.left, step + 1);
    attempt.see(step, wall_of(file.values[i]));
    attempt.left.push_back(std::move(file.values[i]));
  }
  cut_until(file.values.size());
  return attempt;
}

// Files that were written at the same time: by step; the newest of a step unless steps may repeat.
template <typename Value>
std::vector<Value> merge(std::vector<Value> older, std::vector<Value> newer, bool steps_repeat) {
  std::vector<Value> merged;
  merged.reserve(older.size() + newer.size());
  std::merge(std::make_move_iterator(older.begin()), std::make_move_iterator(older.end()),
             std::make_move_iterator(newer.begin()), std::make_move_iterator(newer.end()), std::back_inserter(merged),
             [](const Value& a, const Value& b) { return step_of(a) < step_of(b); });
  if (steps_repeat) return merged;
  std::vector<Value> single;
  for (Value& value : merged) {
    if (single.empty() || step_of(single.back()) != step_of(value)) {
      single.push_back(std::move(value));
    } else if (!(wall_of(value) < wall_of(single.back()))) {
      single.back() = std::move(value);
    }
  }
  return single;
}

}  // namespace visible_detail

// Steps ascend in what it returns; strictly, unless `steps_repeat`. `files` are in the order of their names.
template <typename Value>
std::vector<Value> visible(std::vector<FileValues<Value>> files, bool steps_repeat) {
  using namespace visible_detail;
  std::vector<Value> shown;
  double last_secs = -std::numeric_limits<double>::infinity();
  for (FileValues<Value>& file : files) {
    Attempt<Value> attempt = attempt_of(file, steps_repeat);
    const bool is_later = attempt.first_secs >= last_secs;
    last_secs = std::max(last_secs, attempt.last_secs);
    if (shown.empty() || is_later) {
      drop_from(shown, attempt.lowest_step);
      shown.insert(shown.end(), std::make_move_iterator(attempt.left.begin()),
                   std::make_move_iterator(attempt.left.end()));
    } else {
      shown = merge(std::move(shown), std::move(attempt.left), steps_repeat);
    }
  }
  return shown;
}

}  // namespace tensortap::query
