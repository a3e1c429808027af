// IndexCache: what was read of a file, kept so that the next start reads only what is new.
//
//   $TENSORTAP_CACHE_DIR, or $XDG_CACHE_HOME/tensortap, or ~/.cache/tensortap
//     index/<16 hex digits of the file's path>.idx
//
// An entry is believed only when its own checksum, its version and the file's path fit, and the file still has the
// bytes that were read (Anchors). It may be deleted at any time. Nothing is ever written into a log directory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "store/anchors.h"
#include "store/file_contents.h"
#include "store/run_files.h"

namespace tensortap::store {

// Threads:  any.
// Failure:  load() has no value, save() says kIo; neither matters to anyone but the clock.
// Lifetime: a value.
class IndexCache {
 public:
  // All entries together stay below `limit_bytes`: the oldest go first.
  explicit IndexCache(std::string directory, std::uint64_t limit_bytes = std::uint64_t{8} << 30);

  // Where the cache is, by the environment; empty when there is no home for it.
  static std::string usual_directory();

  struct Saved {
    Anchors anchors;
    std::unique_ptr<FileContents> contents;
  };
  // What is known about a file that is open now; nullopt when nothing is, or it is out of date.
  std::optional<Saved> load(const RunFile& file, const ReadFile& opened) const;
  Status save(const RunFile& file, const FileIdentity& identity, const Anchors& anchors,
              const FileContents& contents) const;
  // Small files are read faster than their entry; large ones are saved anew only when they have grown.
  bool is_worth_saving(std::uint64_t saved_bytes, std::uint64_t read_bytes) const;

  // Deletes the oldest entries until the rest is below the limit.
  void trim() const;

 private:
  std::string entry_path(const RunFile& file) const;

  std::string directory_;
  std::uint64_t limit_bytes_;
};

}  // namespace tensortap::store
