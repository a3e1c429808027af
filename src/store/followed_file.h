// FollowedFile: a file of a run, read as far as it is written, and read on when it grows.
//
//   begin()              somebody noticed a change: opens the file; starts over when it is another one
//   next_block()         several threads take blocks in turn ...
//   apply()              ... and put what they decoded in place in the order of the file
//
// The file is open only between begin() and the last next_block(), so that thousands of files need few descriptors.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>

#include "store/anchors.h"
#include "store/block_decoder.h"
#include "store/file_contents.h"
#include "store/frame_scan.h"
#include "store/index_cache.h"
#include "store/run_files.h"

namespace tensortap::store {

// How far a file is read, and what is wrong with it.
struct FileProgress {
  std::uint64_t size_bytes = 0;
  std::uint64_t read_bytes = 0;
  std::int64_t modified_nanos = 0;  // since 1970
  Tail tail;
  bool settled = false;  // not written to for a while: a tail will not become a record any more
  std::string error;     // it could not be read at all
};

// Threads:  begin() one at a time and not while blocks are out; everything else any.
// Failure:  errors are kept in progress().error, and the file is tried again at its next change.
// Lifetime: pointers out of read() live as long as the call.
class FollowedFile {
 public:
  FollowedFile(RunFile file, Links links, const IndexCache* cache);

  const RunFile& file() const { return file_; }
  Links links() const { return links_; }
  FileProgress progress() const;

  // Runs `use` on the contents while nobody changes them.
  template <typename Use>
  auto read(Use&& use) const {
    std::shared_lock lock(contents_lock_);
    return std::forward<Use>(use)(*contents_);
  }
  // Counts the changes of the contents.
  std::uint64_t revision() const;

  // True when there is something to read, which is then to be read by next_block() until that is false.
  bool begin();
  // How much next_block() has still to give; 0 when it has been false since begin().
  std::uint64_t bytes_left() const;
  // The next block and its place in the order; false when there is none.
  bool next_block(FrameBlock& block, std::uint64_t& ticket);
  // Ends reading early; the rest is read after the next begin().
  void pause();
  // Waits for the blocks before this one. Null: the block could not be decoded, and counts as lost.
  void apply(std::uint64_t ticket, BlockDecoder* decoder, const FrameBlock& block);

  // Writes what is known into the cache if that saves time next time. Not while blocks are out.
  void save_index();

 private:
  bool is_unchanged(const FileIdentity& now) const;
  bool is_continued(const ReadFile& opened) const;
  void start_over();
  bool restore_index(const ReadFile& opened);
  void finish_reading();

  const RunFile file_;
  const Links links_;
  const IndexCache* const cache_;

  mutable std::mutex cursor_lock_;  // the members down to next_ticket_
  std::optional<ReadFile> reading_;
  FrameScan scan_;
  FileIdentity seen_;
  std::optional<Anchors> anchors_;
  std::uint64_t saved_bytes_ = 0;  // how much the cache knows
  bool settled_ = false;
  bool fresh_ = false;  // written so recently that another write may leave the same time behind
  bool finished_ = true;
  bool paused_ = false;
  std::string error_;
  std::uint64_t next_ticket_ = 0;

  mutable std::shared_mutex contents_lock_;  // contents_, applied_
  std::condition_variable_any applied_changed_;
  std::unique_ptr<FileContents> contents_;
  std::uint64_t applied_ = 0;
  std::uint64_t revision_ = 0;
};

}  // namespace tensortap::store
