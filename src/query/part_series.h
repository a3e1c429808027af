// PartSeries: a run's tag found again in the files it is made of.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "query/runs.h"
#include "query/visible.h"

namespace tensortap::query {

// The name of the run's tag within a part; nullopt when it cannot be there.
std::optional<std::string_view> tag_within(const RunPart& part, std::string_view tag);

// The tags of which statistics were captured.
std::set<std::string> captured_tags(const Run& run);

// Whether any file holds statistics captures of the tag, so that histograms derived from them are no news.
bool is_captured(const Run& run, std::string_view tag);

// Whether any file holds values of the kind under the tag.
bool has_series(const Run& run, std::string_view tag, store::Kind kind);

// How many values of the kind all files hold under the tag, also those that a later attempt replaced.
std::uint64_t count_values(const Run& run, std::string_view tag, store::Kind kind);

// The starts of sessions in a file, as they cut `series`, which may be null.
std::vector<SessionCut> session_cuts(const store::FileContents& contents, const store::Series* series);

// kNotFound: the run has no such tag, or not of this kind; with names that are near.
Status no_such_tag(const Run& run, std::string_view tag, store::Kind kind);

}  // namespace tensortap::query
