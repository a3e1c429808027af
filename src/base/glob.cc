// Matching by two bookmarks: where to go on when what follows the last `*`, or the last `**`, did not fit.
//
// Earlier stars need none: what stands between two stars was matched as early as possible, and a later start could
// only leave the later star less to choose from.
#include "base/glob.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tensortap {
namespace {

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
};

// The code point at `at`; a byte that starts none is a character of its own, beyond all code points.
Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 && lead < 0xf8 ? 4 : lead >= 0xe0 ? 3 : 2;
  const Character broken{0x110000 + lead, 1};
  if (lead < 0xc0 || lead >= 0xf8 || text.size() - at < bytes) return broken;
  std::uint32_t code = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return broken;
    code = code << 6 | (byte(i) & 0x3f);
  }
  return {code, bytes};
}

// A bracket expression that starts at `at`; `end` is 0 when nothing closes it.
struct Bracket {
  std::size_t end = 0;
  bool matches = false;
};

Bracket read_bracket(std::string_view pattern, std::size_t at, std::uint32_t wanted) {
  std::size_t i = at + 1;
  const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  const auto next = [&]() -> std::optional<std::uint32_t> {
    if (i < pattern.size() && pattern[i] == '\\') ++i;
    if (i >= pattern.size()) return std::nullopt;
    const Character character = character_at(pattern, i);
    i += character.bytes;
    return character.code;
  };
  bool found = false;
  for (bool first = true; first || (i < pattern.size() && pattern[i] != ']'); first = false) {
    const auto low = next();
    auto high = low;
    if (i + 1 < pattern.size() && pattern[i] == '-' && pattern[i + 1] != ']') {
      ++i;
      high = next();
    }
    if (!low || !high) return {};
    found = found || (*low <= wanted && wanted <= *high);
  }
  if (i >= pattern.size()) return {};
  return {i + 1, found != negated && wanted != '/'};
}

class Matcher {
 public:
  Matcher(std::string_view pattern, std::string_view name) : pattern_(pattern), name_(name) {}

  bool matches() {
    while (true) {
      if (at_star()) {
        take_star();
      } else if (name_at_ == name_.size()) {
        // Going back could only leave less of the name to what follows the stars.
        return pattern_at_ == pattern_.size();
      } else if (!take_character() && !go_back()) {
        return false;
      }
    }
  }

 private:
  struct Bookmark {
    std::size_t pattern_at = kNowhere;
    std::size_t name_at = 0;
  };

  bool at_star() const { return pattern_at_ < pattern_.size() && pattern_[pattern_at_] == '*'; }

  void take_star() {
    const bool at_start = pattern_at_ == 0 || pattern_[pattern_at_ - 1] == '/';
    std::size_t stars = 0;
    while (at_star()) ++stars, ++pattern_at_;
    if (stars == 1) {
      star_ = {pattern_at_, name_at_};
      return;
    }
    // A star before this one has nothing more to say; see above.
    star_ = {};
    whole_parts_ = at_start && pattern_at_ < pattern_.size() && pattern_[pattern_at_] == '/';
    if (whole_parts_) ++pattern_at_;
    two_stars_ = {pattern_at_, name_at_};
  }

  // One character of the name against one of the pattern.
  bool take_character() {
    if (pattern_at_ == pattern_.size()) return false;
    const Character character = character_at(name_, name_at_);
    std::size_t next = pattern_at_ + 1;
    bool fits = false;
    if (pattern_[pattern_at_] == '?') {
      fits = character.code != '/';
    } else if (const Bracket bracket = bracket_for(character.code); bracket.end != 0) {
      fits = bracket.matches;
      next = bracket.end;
    } else {
      if (pattern_[pattern_at_] == '\\' && next < pattern_.size()) ++next;
      const Character literal = character_at(pattern_, next - 1);
      fits = literal.code == character.code;
      next += literal.bytes - 1;
    }
    if (!fits) return false;
    pattern_at_ = next;
    name_at_ += character.bytes;
    return true;
  }

  Bracket bracket_for(std::uint32_t code) const {
    return pattern_[pattern_at_] == '[' ? read_bracket(pattern_, pattern_at_, code) : Bracket{};
  }

  // Lets the last star take one character more, or the last two stars one character or part more.
  bool go_back() {
    if (star_.pattern_at != kNowhere) {
      if (star_.name_at < name_.size() && name_[star_.name_at] != '/') return resume(star_);
      star_ = {};
    }
    if (two_stars_.pattern_at == kNowhere) return false;
    if (whole_parts_) {
      const std::size_t slash = name_.find('/', two_stars_.name_at);
      if (slash == std::string_view::npos) return false;
      two_stars_.name_at = slash;
    }
    return two_stars_.name_at < name_.size() && resume(two_stars_);
  }

  bool resume(Bookmark& bookmark) {
    bookmark.name_at += character_at(name_, bookmark.name_at).bytes;
    pattern_at_ = bookmark.pattern_at;
    name_at_ = bookmark.name_at;
    return true;
  }

  std::string_view pattern_;
  std::string_view name_;
  std::size_t pattern_at_ = 0;
  std::size_t name_at_ = 0;
  Bookmark star_;
  Bookmark two_stars_;
  bool whole_parts_ = false;  // of two_stars_: goes on only where a part starts
};

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view name) { return Matcher(pattern, name).matches(); }

bool glob_has_wildcard(std::string_view pattern) { return pattern.find_first_of("*?[\\") != std::string_view::npos; }

}  // namespace tensortap
