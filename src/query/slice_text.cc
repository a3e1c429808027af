// SliceText: commas, then colons, then numbers.
#include "query/slice_text.h"

#include <algorithm>
#include <charconv>

#include "base/try.h"

namespace tensortap::query {
namespace {

using Form = AxisSlice::Form;

// More axes than any tensor has.
constexpr std::size_t kMaxSlices = 64;

Status invalid(std::string message) { return Status(StatusCode::kInvalidArgument, std::move(message)); }

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t found = text.find(at);
    parts.push_back(trimmed(text.substr(0, found)));
    if (found == std::string_view::npos) return parts;
    text.remove_prefix(found + 1);
  }
}

Status read_number(std::string_view text, std::string_view whole, std::int64_t& number) {
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec == std::errc() && read.ptr == end) return {};
  return invalid("'" + std::string(whole) + "' is no slice: '" + std::string(text) +
                 "' is no whole number; write it as in Python, 0,:,3:9,::2");
}

Status read_range(const std::vector<std::string_view>& parts, std::string_view text, AxisSlice& axis) {
  if (parts.size() > 3) return invalid("'" + std::string(text) + "' is no slice: it has more than two colons");
  if (!parts[0].empty()) TENSORTAP_TRY(read_number(parts[0], text, axis.slice.from));
  if (!parts[1].empty()) {
    std::int64_t to = 0;
    TENSORTAP_TRY(read_number(parts[1], text, to));
    axis.slice.to = to;
  }
  if (parts.size() == 3 && !parts[2].empty()) TENSORTAP_TRY(read_number(parts[2], text, axis.slice.stride));
  if (axis.slice.stride < 1) return invalid("the stride of '" + std::string(text) + "' must be above 0");
  return {};
}

Status read_axis(std::string_view text, AxisSlice& axis) {
  if (text.empty()) return invalid("there is an empty slice between commas; ':' is the whole axis");
  if (text == "...") {
    axis.form = Form::kEllipsis;
    return {};
  }
  const std::vector<std::string_view> parts = split(text, ':');
  if (parts.size() > 1) return read_range(parts, text, axis);
  axis.form = Form::kIndex;
  return read_number(text, text, axis.slice.from);
}

// As many whole axes as "..." stands for.
Result<std::vector<AxisSlice>> without_ellipsis(const std::vector<AxisSlice>& slices, const Shape& whole) {
  const auto is_ellipsis = [](const AxisSlice& each) { return each.form == Form::kEllipsis; };
  const auto ellipses = static_cast<std::size_t>(std::count_if(slices.begin(), slices.end(), is_ellipsis));
  const std::size_t named = slices.size() - ellipses;
  if (ellipses > 1) return invalid("'...' may stand in a slice once");
  if (named > whole.size()) {
    return invalid(std::to_string(named) + " slices do not fit a tensor of shape " + shape_to_string(whole));
  }
  std::vector<AxisSlice> all;
  for (const AxisSlice& each : slices) {
    if (is_ellipsis(each)) {
      all.resize(all.size() + whole.size() - named);
    } else {
      all.push_back(each);
    }
  }
  all.resize(whole.size());
  return all;
}

std::int64_t clipped(std::int64_t index, std::int64_t extent) {
  return std::clamp<std::int64_t>(index < 0 ? index + extent : index, 0, extent);
}

std::int64_t extent_of(const Slice& slice, std::int64_t whole) {
  const std::int64_t from = clipped(slice.from, whole), to = clipped(slice.to.value_or(whole), whole);
  return from < to ? (to - from - 1) / slice.stride + 1 : 0;
}

}  // namespace

Result<std::vector<AxisSlice>> parse_slices(std::string_view untrusted) {
  std::vector<AxisSlice> slices;
  if (trimmed(untrusted).empty()) return slices;
  const std::vector<std::string_view> parts = split(untrusted, ',');
  if (parts.size() > kMaxSlices) return invalid("no tensor has more than " + std::to_string(kMaxSlices) + " axes");
  for (std::string_view part : parts) TENSORTAP_TRY(read_axis(part, slices.emplace_back()));
  return slices;
}

Result<SlicePlan> plan_slices(const std::vector<AxisSlice>& slices, const Shape& whole) {
  Result<std::vector<AxisSlice>> axes = without_ellipsis(slices, whole);
  if (!axes.ok()) return axes.status();
  SlicePlan plan;
  for (std::size_t axis = 0; axis < whole.size(); ++axis) {
    Slice slice = (*axes)[axis].slice;
    const std::int64_t extent = whole[axis];
    if ((*axes)[axis].form == Form::kRange) {
      plan.slices.push_back(slice);
      plan.shape.push_back(extent_of(slice, extent));
      continue;
    }
    if (slice.from < -extent || slice.from >= extent) {
      return invalid("index " + std::to_string(slice.from) + " is out of range: axis " + std::to_string(axis) + " of " +
                     shape_to_string(whole) + " has " + std::to_string(extent));
    }
    const std::int64_t index = slice.from < 0 ? slice.from + extent : slice.from;
    plan.slices.push_back({index, index + 1, 1});
  }
  return plan;
}

}  // namespace tensortap::query
