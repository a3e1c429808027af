// TagTable: the tags of one run, each with a number and the state recording keeps for it.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "tensortap/result.h"

namespace tensortap::recorder {

inline constexpr std::size_t kMaxTagBytes = 4096;

// Its address stays the same for the life of the run.
struct Tag {
  std::string name;
  std::uint32_t number = 0;
  // The plug-in that shows the tag, "" while only captures use it. TensorBoard believes the first metadata it sees, so
  // that a tag of two kinds would hide one of them.
  std::string_view kind;
  // The worker's own.
  std::uint64_t sequence = 0;
};

// Threads:  any.
// Failure:  kInvalidArgument for a tag that no file may hold, or that is of another kind already.
// Lifetime: tags live as long as the table.
class TagTable {
 public:
  // The tag of this name, new if need be. `kind` is a plug-in name or "".
  Result<Tag*> find_or_add(std::string_view name, std::string_view kind);

 private:
  std::mutex mutex_;
  std::deque<Tag> tags_;
  std::unordered_map<std::string_view, Tag*> by_name_;  // keys point into tags_
};

}  // namespace tensortap::recorder
