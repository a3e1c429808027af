// FilePattern: pieces of text and placeholders, in turn.
#include "recorder/sinks/file_pattern.h"

#include <algorithm>

#include "base/try.h"

namespace tensortap::recorder {
namespace {

Status invalid(std::string_view pattern, const std::string& why) {
  return Status(StatusCode::kInvalidArgument, "pattern '" + std::string(pattern) + "' " + why);
}

std::string list_of(std::span<const std::string_view> placeholders) {
  std::string text;
  for (std::string_view one : placeholders) text += (text.empty() ? "{" : ", {") + std::string(one) + "}";
  return text;
}

bool leaves_its_directory(std::string_view path) {
  if (path.starts_with('/')) return true;
  while (true) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return true;
    if (slash == std::string_view::npos) return false;
    path.remove_prefix(slash + 1);
  }
}

bool is_number(std::string_view placeholder) {
  return placeholder == "epoch" || placeholder == "step" || placeholder == "sequence" || placeholder == "index";
}

// The length of the number at the beginning, its sign included; 0: there is none.
std::size_t number_length(std::string_view text) {
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", sign), text.size());
  return end > sign ? end : 0;
}

// What tells captures of the same name apart: "_step_7", then "_2" and so on; each may be left out.
bool is_addition(std::string_view text) {
  constexpr std::string_view kStep = "_step_";
  if (text.starts_with(kStep)) {
    const std::size_t length = number_length(text.substr(kStep.size()));
    if (length == 0) return false;
    text.remove_prefix(kStep.size() + length);
  }
  while (text.starts_with('_') && !text.starts_with("_-")) {
    const std::size_t length = number_length(text.substr(1));
    if (length == 0) return false;
    text.remove_prefix(1 + length);
  }
  return text.empty();
}

}  // namespace

Result<FilePattern> FilePattern::parse(std::string_view text, std::span<const std::string_view> placeholders,
                                       std::string_view extension) {
  FilePattern pattern;
  pattern.extension_ = extension;
  std::string_view stem = text;
  if (stem.ends_with(extension)) stem.remove_suffix(extension.size());
  if (stem.empty()) return invalid(text, "names no file; it may hold " + list_of(placeholders));
  if (stem.find('\0') != std::string_view::npos) return invalid(text, "holds a NUL byte");
  if (leaves_its_directory(stem)) {
    return invalid(text, "leaves its directory; begin with a name, and use no '..' or empty parts");
  }
  TENSORTAP_TRY(pattern.split(stem, placeholders));
  return pattern;
}

Status FilePattern::split(std::string_view text, std::span<const std::string_view> placeholders) {
  const std::string_view whole = text;
  while (!text.empty()) {
    const std::size_t open = text.find_first_of("{}");
    if (open > 0) pieces_.push_back({false, std::string(text.substr(0, open))});
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    if (text[open] == '}' || close == std::string_view::npos) {
      return invalid(whole, "has a brace without its other; there are " + list_of(placeholders));
    }
    const std::string_view name = text.substr(open + 1, close - open - 1);
    if (std::find(placeholders.begin(), placeholders.end(), name) == placeholders.end()) {
      return invalid(whole, "has no meaning for {" + std::string(name) + "}; there are " + list_of(placeholders));
    }
    pieces_.push_back({true, std::string(name)});
    text.remove_prefix(close + 1);
  }
  return {};
}

bool FilePattern::matches(std::string_view name) const {
  if (!name.ends_with(extension_)) return false;
  name.remove_suffix(extension_.size());
  return fits(0, name);
}

bool FilePattern::fits(std::size_t piece, std::string_view rest) const {
  if (piece == pieces_.size()) return is_addition(rest);
  const auto& [is_placeholder, text] = pieces_[piece];
  if (!is_placeholder) return rest.starts_with(text) && fits(piece + 1, rest.substr(text.size()));
  if (is_number(text)) {
    constexpr std::string_view kNone = "none";
    if (rest.starts_with(kNone) && fits(piece + 1, rest.substr(kNone.size()))) return true;
    const std::size_t least = rest.starts_with('-') ? 2 : 1;
    for (std::size_t length = number_length(rest); length >= least; --length) {
      if (fits(piece + 1, rest.substr(length))) return true;
    }
    return false;
  }
  const std::size_t most = text == "tag" ? rest.size() : std::min(rest.find('/'), rest.size());
  for (std::size_t length = 0; length <= most; ++length) {
    if (fits(piece + 1, rest.substr(length))) return true;
  }
  return false;
}

std::string FilePattern::stem(const Values& values) const {
  std::string name;
  for (const Piece& piece : pieces_) {
    const auto value = piece.is_placeholder ? values.find(piece.text) : values.end();
    name += !piece.is_placeholder                            ? piece.text
            : value == values.end() || value->second.empty() ? "none"
                                                             : value->second;
  }
  return name;
}

bool FilePattern::uses(std::string_view placeholder) const {
  return std::any_of(pieces_.begin(), pieces_.end(),
                     [&](const Piece& piece) { return piece.is_placeholder && piece.text == placeholder; });
}

int FilePattern::depth() const {
  constexpr int kTagDepth = 16;  // a tag is a path of its own
  int depth = uses("tag") ? kTagDepth : 0;
  for (const Piece& piece : pieces_) depth += static_cast<int>(std::count(piece.text.begin(), piece.text.end(), '/'));
  return depth;
}

}  // namespace tensortap::recorder
