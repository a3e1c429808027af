// TagTable and the rules for tags.
#include "recorder/tag_table.h"

#include "base/try.h"
#include "base/utf8.h"

namespace tensortap::recorder {
namespace {

Status check_name(std::string_view name) {
  if (name.empty()) return Status(StatusCode::kInvalidArgument, "a tag must not be empty");
  if (name.size() > kMaxTagBytes) {
    return Status(StatusCode::kInvalidArgument, "a tag has at most 4096 bytes; this one has " +
                                                    std::to_string(name.size()) + " and starts with '" +
                                                    std::string(name.substr(0, 40)) + "'");
  }
  if (!is_valid_utf8(name)) return Status(StatusCode::kInvalidArgument, "a tag must be valid UTF-8");
  if (name.find('\0') != std::string_view::npos) {
    return Status(StatusCode::kInvalidArgument, "a tag must not hold a zero byte");
  }
  return {};
}

}  // namespace

Result<Tag*> TagTable::find_or_add(std::string_view name, std::string_view kind) {
  std::lock_guard lock(mutex_);
  auto found = by_name_.find(name);
  if (found == by_name_.end()) {
    TENSORTAP_TRY(check_name(name));
    Tag& tag = tags_.emplace_back();
    tag.name = std::string(name);
    tag.number = static_cast<std::uint32_t>(tags_.size() - 1);
    found = by_name_.emplace(tag.name, &tag).first;
  }
  Tag* tag = found->second;
  if (kind.empty() || tag->kind == kind) return tag;
  if (!tag->kind.empty()) {
    return Status(StatusCode::kInvalidArgument, "tag '" + tag->name + "' already holds " + std::string(tag->kind) +
                                                    " in this run; give the " + std::string(kind) + " another tag");
  }
  tag->kind = kind;
  return tag;
}

}  // namespace tensortap::recorder
