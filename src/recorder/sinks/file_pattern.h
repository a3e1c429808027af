// FilePattern: names of files out of what is known of a capture: "epoch_{epoch}_{name}.npy".
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tensortap/result.h"

namespace tensortap::recorder {

// Threads:  reading it, any.
// Failure:  parse() says what is wrong with a pattern; a parsed one cannot fail.
// Lifetime: owns its text.
class FilePattern {
 public:
  using Values = std::map<std::string, std::string, std::less<>>;

  // `extension` (".npy") is added where it is not there. '/' makes directories.
  // kInvalidArgument: a placeholder that is none of `placeholders`, or a path that leaves its directory.
  static Result<FilePattern> parse(std::string_view text, std::span<const std::string_view> placeholders,
                                   std::string_view extension);

  // Without the extension. A value that is not there is "none".
  std::string stem(const Values& values) const;
  const std::string& extension() const { return extension_; }
  bool uses(std::string_view placeholder) const;
  // Whether a name is one that this pattern makes, with what is added to tell captures apart.
  bool matches(std::string_view name) const;
  // Of the directories that it makes.
  int depth() const;

 private:
  struct Piece {
    bool is_placeholder;
    std::string text;
  };

  // Whether what is left of a name fits the pieces from `piece` on.
  bool fits(std::size_t piece, std::string_view rest) const;
  Status split(std::string_view text, std::span<const std::string_view> placeholders);

  std::vector<Piece> pieces_;
  std::string extension_;
};

}  // namespace tensortap::recorder
