// Names ranked by how near they are: by whole parts first, then by their ends, then by typing errors.
#include "base/near_names.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace tensortap {
namespace {

// Longer names are compared by parts and ends only: the table below is quadratic, and nobody types them.
constexpr std::size_t kMaxTypedChars = 200;
// Shorter ones are at the end or start of far too many names.
constexpr std::size_t kMinEndChars = 3;

// The ranks before typing errors, which add their number to the last of these.
enum Rank : std::size_t { kSame, kLastParts, kFirstParts, kSomeParts, kPartOfWanted, kEnd, kTyping };

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string_view last_part(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

bool ends_with_parts(std::string_view name, std::string_view parts) {
  return name.size() > parts.size() && name.ends_with(parts) && name[name.size() - parts.size() - 1] == '/';
}

bool starts_with_parts(std::string_view name, std::string_view parts) {
  return name.size() > parts.size() && name.starts_with(parts) && name[parts.size()] == '/';
}

// Damerau-Levenshtein distance (of optimal string alignment); `limit` + 1 when it is beyond the limit.
std::size_t typing_errors(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > limit || std::max(a.size(), b.size()) > kMaxTypedChars) return limit + 1;
  std::array<std::array<std::size_t, kMaxTypedChars + 1>, 3> rows{};
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i - 1) % 3];
    const auto& two_above = rows[(i + 1) % 3];
    row[0] = i;
    std::size_t least = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > limit) return limit + 1;
  }
  return std::min(rows[a.size() % 3][b.size()], limit + 1);
}

// Smaller is nearer; nullopt when `name` is not near. Both in lower case.
std::optional<std::size_t> rank_of(std::string_view wanted, std::string_view name) {
  if (wanted == name) return kSame;
  if (ends_with_parts(name, wanted)) return kLastParts;
  if (starts_with_parts(name, wanted)) return kFirstParts;
  if (name.find("/" + std::string(wanted) + "/") != std::string_view::npos) return kSomeParts;
  if (ends_with_parts(wanted, name) || starts_with_parts(wanted, name)) return kPartOfWanted;
  const std::string_view last = last_part(name);
  if (wanted.size() >= kMinEndChars &&
      (name.starts_with(wanted) || name.ends_with(wanted) || last.starts_with(wanted))) {
    return kEnd;
  }
  const std::size_t limit = wanted.size() / 3;
  const std::size_t errors = std::min(typing_errors(wanted, name, limit), typing_errors(wanted, last, limit));
  return errors <= limit ? std::optional<std::size_t>(kTyping + errors) : std::nullopt;
}

}  // namespace

std::vector<std::string> near_names(std::string_view wanted, std::span<const std::string> candidates,
                                    std::size_t most) {
  const std::string wanted_lower = lower(wanted);
  std::vector<std::pair<std::size_t, std::size_t>> ranked;  // rank, index: equal ranks stay in order
  for (std::size_t i = 0; i < candidates.size() && !wanted.empty(); ++i) {
    const auto rank = candidates[i].empty() ? std::nullopt : rank_of(wanted_lower, lower(candidates[i]));
    if (rank) ranked.emplace_back(*rank, i);
  }
  const std::size_t kept = std::min(most, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(kept), ranked.end());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kept; ++i) names.push_back(candidates[ranked[i].second]);
  return names;
}

std::string did_you_mean(std::string_view wanted, std::span<const std::string> candidates) {
  const std::vector<std::string> names = near_names(wanted, candidates);
  if (names.empty()) return "";
  std::string question = " Did you mean ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) question += i + 1 == names.size() ? " or " : ", ";
    question += "'" + names[i] + "'";
  }
  return question + "?";
}

}  // namespace tensortap
