// Question: numbers and words out of untrusted text.
#include "server/http/routes/question.h"

#include <algorithm>
#include <charconv>

#include "base/near_names.h"

namespace tensortap::server {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

struct Allowed {
  std::string name;
  bool repeats = false;
};

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// What is wrong with the names of the parameters; empty when nothing is.
std::string wrong_names(const Request& request, const std::vector<Allowed>& allowed) {
  std::vector<std::string> seen, names;
  for (const Allowed& each : allowed) names.push_back(each.name);
  for (const auto& [name, value] : request.parameters.items()) {
    const auto known =
        std::find_if(allowed.begin(), allowed.end(), [&](const Allowed& each) { return each.name == name; });
    if (known == allowed.end()) {
      const std::string takes = names.empty() ? "no parameters" : listed(names);
      return request.path + " has no parameter '" + name + "'; it takes " + takes + "." + did_you_mean(name, names);
    }
    if (known->repeats) continue;
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
      return "the parameter '" + name + "' of " + request.path + " may be given once";
    }
    seen.push_back(name);
  }
  return "";
}

}  // namespace

Question::Question(const Request& request, std::initializer_list<std::string_view> names) : request_(request) {
  std::vector<Allowed> allowed;
  for (std::string_view name : names) {
    const bool repeats = name.ends_with('*');
    allowed.push_back({std::string(name.substr(0, name.size() - (repeats ? 1 : 0))), repeats});
  }
  if (std::string wrong = wrong_names(request, allowed); !wrong.empty()) refuse(std::move(wrong));
}

void Question::refuse(std::string message) {
  if (status_.ok()) status_ = Status(StatusCode::kInvalidArgument, std::move(message));
}

std::string Question::text(std::string_view name) {
  const std::string* found = request_.parameters.find(name);
  if (found == nullptr || found->empty()) {
    refuse(request_.path + " needs the parameter '" + std::string(name) + "'");
    return "";
  }
  return *found;
}

std::vector<std::string> Question::texts(std::string_view name) {
  text(name);
  return any_texts(name);
}

std::vector<std::string> Question::any_texts(std::string_view name) {
  std::vector<std::string> found = request_.parameters.all(name);
  if (std::find(found.begin(), found.end(), "") != found.end()) {
    refuse("the parameter '" + std::string(name) + "' is empty; leave it out, or give a name");
  }
  return found;
}

std::optional<std::int64_t> Question::integer(std::string_view name, std::int64_t least, std::int64_t most) {
  const std::string* found = request_.parameters.find(name);
  if (found == nullptr) return std::nullopt;
  std::int64_t number = 0;
  const char* end = found->data() + found->size();
  const auto read = std::from_chars(found->data(), end, number);
  if (read.ec == std::errc() && read.ptr == end && number >= least && number <= most) return number;
  std::string must = "a whole number";
  if (least != kLeast || most != kMost) must += " from " + std::to_string(least) + " to " + std::to_string(most);
  refuse("the parameter '" + std::string(name) + "' is '" + *found + "'; it must be " + must);
  return std::nullopt;
}

std::int64_t Question::step(std::string_view name) {
  text(name);
  return integer(name, kLeast, kMost).value_or(0);
}

std::uint64_t Question::number(std::string_view name, std::uint64_t usual, std::uint64_t least, std::uint64_t most) {
  const auto given = integer(name, static_cast<std::int64_t>(least), static_cast<std::int64_t>(most));
  return given.has_value() ? static_cast<std::uint64_t>(*given) : usual;
}

bool Question::flag(std::string_view name) { return number(name, 0, 0, 1) == 1; }

std::optional<store::Kind> Question::kind() {
  const std::string* found = request_.parameters.find("kind");
  if (found == nullptr) return std::nullopt;
  const auto kind = store::kind_from_name(*found);
  if (!kind.has_value()) {
    std::vector<std::string> names;
    for (store::Kind each : store::all_kinds()) names.emplace_back(store::kind_name(each));
    refuse("there is no kind '" + *found + "'; there are " + listed(names));
  }
  return kind;
}

std::string Question::word(std::string_view name, std::initializer_list<std::string_view> words) {
  const std::string* found = request_.parameters.find(name);
  if (found == nullptr) return std::string(*words.begin());
  if (std::find(words.begin(), words.end(), *found) == words.end()) {
    refuse("the parameter '" + std::string(name) + "' of " + request_.path + " is '" + *found + "'; it may be " +
           listed({words.begin(), words.end()}));
  }
  return *found;
}

query::Selection Question::selection() {
  query::Selection chosen;
  chosen.first_step = integer("first_step", kLeast, kMost).value_or(chosen.first_step);
  chosen.last_step = integer("last_step", kLeast, kMost).value_or(chosen.last_step);
  chosen.raw = flag("raw");
  if (chosen.first_step > chosen.last_step) {
    refuse("first_step is " + std::to_string(chosen.first_step) + ", which is beyond last_step, " +
           std::to_string(chosen.last_step));
  }
  return chosen;
}

}  // namespace tensortap::server
