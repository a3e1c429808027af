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

std::string quoted(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

bool is_number(std::string_view placeholder) {
  return placeholder == "epoch" || placeholder == "step" || placeholder == "sequence" || placeholder == "index";
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
  std::string names;
  for (const Piece& piece : pattern.pieces_) {
    const char* value = is_number(piece.text) ? "(-?[0-9]+|none)" : piece.text == "tag" ? ".*" : "[^/]*";
    names += piece.is_placeholder ? std::string(value) : quoted(piece.text);
  }
  pattern.names_ = std::regex(names + "(_step_-?[0-9]+)?(_[0-9]+)*" + quoted(extension));
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
