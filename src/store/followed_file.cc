// FollowedFile: noticing changes, handing out blocks, keeping order.
#include "store/followed_file.h"

#include <ctime>
#include <new>

namespace tensortap::store {
namespace {

// A tail that nobody has touched for this long is not being written any more.
constexpr std::int64_t kSettledNanos = 60'000'000'000;

// File systems stamp files with the time of the last tick; two writes within one look the same.
constexpr std::int64_t kTickNanos = 50'000'000;

std::int64_t age_nanos(std::int64_t modified_nanos) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec - modified_nanos;
}

bool is_settled(std::int64_t modified_nanos) { return age_nanos(modified_nanos) > kSettledNanos; }

}  // namespace

FollowedFile::FollowedFile(RunFile file, Links links, const IndexCache* cache)
    : file_(std::move(file)), links_(links), cache_(cache), contents_(std::make_unique<FileContents>()) {}

FileProgress FollowedFile::progress() const {
  std::lock_guard lock(cursor_lock_);
  return {seen_.size_bytes, scan_.offset(), seen_.modified_nanos, scan_.tail(), settled_, error_};
}

std::uint64_t FollowedFile::revision() const {
  std::shared_lock lock(contents_lock_);
  return revision_;
}

std::uint64_t FollowedFile::bytes_left() const {
  std::lock_guard lock(cursor_lock_);
  return finished_ ? 0 : seen_.size_bytes - scan_.offset();
}

// Whether there is no reason to open the file.
bool FollowedFile::is_unchanged(const FileIdentity& now) const {
  if (!error_.empty() || fresh_ || paused_ || !(now == seen_)) return false;
  // A tail that was left alone because it might still be growing is looked at once more when it has settled.
  return scan_.tail().kind == TailKind::kNone || settled_ || !is_settled(now.modified_nanos);
}

// Whether the file is the one that was read, grown or not.
bool FollowedFile::is_continued(const ReadFile& opened) const {
  const FileIdentity& now = opened.identity();
  if (!now.same_file(seen_) || now.size_bytes < scan_.offset()) return false;
  // Written to without growing: somebody changed what was read, unless it is the tail that was filled in.
  if (now.size_bytes == seen_.size_bytes && now.modified_nanos != seen_.modified_nanos &&
      scan_.tail().kind == TailKind::kNone) {
    return false;
  }
  if (!anchors_.has_value()) return true;
  auto anchors = anchors_of(opened, anchors_->offset);
  return anchors.ok() && *anchors == *anchors_;
}

void FollowedFile::start_over() {
  scan_ = FrameScan();
  anchors_.reset();
  saved_bytes_ = 0;
  std::unique_lock lock(contents_lock_);
  if (contents_->notes.records > 0 || contents_->damage.places > 0) ++revision_;
  contents_ = std::make_unique<FileContents>();
}

bool FollowedFile::restore_index(const ReadFile& opened) {
  if (cache_ == nullptr) return false;
  auto saved = cache_->load(file_, opened);
  if (!saved.has_value()) return false;
  scan_ = FrameScan(saved->anchors.offset);
  anchors_ = saved->anchors;
  saved_bytes_ = saved->anchors.offset;
  std::unique_lock lock(contents_lock_);
  contents_ = std::move(saved->contents);
  ++revision_;
  return true;
}

bool FollowedFile::begin() {
  std::lock_guard lock(cursor_lock_);
  auto identity = identity_of(file_.path());
  if (identity.ok() && is_unchanged(*identity)) return false;
  auto opened = ReadFile::open(file_.root, file_.relative, links_);
  if (!opened.ok()) {
    error_ = opened.status().message();
    return false;
  }
  error_.clear();
  if (scan_.offset() > 0 && !is_continued(*opened)) start_over();
  if (scan_.offset() == 0) restore_index(*opened);
  seen_ = opened->identity();
  settled_ = is_settled(seen_.modified_nanos);
  fresh_ = age_nanos(seen_.modified_nanos) < kTickNanos;
  reading_ = std::move(*opened);
  finished_ = false;
  paused_ = false;
  next_ticket_ = 0;
  std::unique_lock contents(contents_lock_);
  applied_ = 0;
  return true;
}

bool FollowedFile::next_block(FrameBlock& block, std::uint64_t& ticket) {
  std::lock_guard lock(cursor_lock_);
  if (finished_) return false;
  try {
    auto more = scan_.next(*reading_, seen_.size_bytes, settled_, block);
    if (more.ok() && *more) {
      ticket = next_ticket_++;
      return true;
    }
    if (!more.ok()) error_ = more.status().message();
  } catch (const std::bad_alloc&) {
    error_ = "not enough memory for a record at offset " + std::to_string(scan_.offset()) + " of " + file_.path();
  }
  finish_reading();
  return false;
}

void FollowedFile::pause() {
  std::lock_guard lock(cursor_lock_);
  if (finished_) return;
  finish_reading();
  paused_ = true;
}

void FollowedFile::finish_reading() {
  auto anchors = anchors_of(*reading_, scan_.offset());
  if (anchors.ok()) {
    anchors_ = *anchors;
  } else {
    error_ = anchors.status().message();
  }
  reading_.reset();
  finished_ = true;
}

void FollowedFile::apply(std::uint64_t ticket, BlockDecoder* decoder, const FrameBlock& block) {
  {
    std::unique_lock lock(contents_lock_);
    applied_changed_.wait(lock, [&] { return applied_ == ticket; });
    // Of a file in a format newer than ours nothing but that is shown.
    if (decoder == nullptr) {
      contents_->damage.add({block.offset, block.size_bytes, "not enough memory to decode these records"});
    } else if (contents_->notes.unsupported.empty()) {
      decoder->apply(*contents_);
    }
    if (!contents_->notes.unsupported.empty() && !contents_->tags().empty()) {
      auto without_values = std::make_unique<FileContents>();
      without_values->notes = std::move(contents_->notes);
      contents_ = std::move(without_values);
    }
    ++applied_;
    ++revision_;
  }
  applied_changed_.notify_all();
}

void FollowedFile::save_index() {
  std::lock_guard lock(cursor_lock_);
  if (cache_ == nullptr || !anchors_.has_value() || !error_.empty()) return;
  if (!cache_->is_worth_saving(saved_bytes_, anchors_->offset)) return;
  std::shared_lock contents(contents_lock_);
  // A cache that cannot be written costs time next time, and nothing else.
  if (cache_->save(file_, seen_, *anchors_, *contents_).ok()) saved_bytes_ = anchors_->offset;
}

}  // namespace tensortap::store
