// NamedFiles: one file for each capture, named by a pattern, in a directory of a sink.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "recorder/sink.h"
#include "recorder/sinks/file_pattern.h"
#include "recorder/sinks/sink_options.h"

namespace tensortap::recorder {

// What a file is about, besides the capture it is made of.
struct FileSubject {
  std::string name;        // {name}: "activations_conv1", "labels"
  std::string tag;         // {tag}: "activations/conv1"; its parts are made safe
  std::string index = {};  // {index}, or added to the name where the pattern has no place for it; "" for none
  std::string id = {};     // {id}, alike
};

// A reader sees whole files only: they are written under another name. Nothing that is there is overwritten.
//
// Threads:  one at a time.
// Failure:  kIo with the path; the file is then not there.
// Lifetime: the file system outlives it.
class NamedFiles {
 public:
  // kInvalidArgument as FilePattern::parse(), or for a mode that is none.
  static Result<NamedFiles> make(FileSystem& file_system, const SinkSpec& spec,
                                 std::span<const std::string_view> placeholders, std::string_view extension);

  Status begin();
  const std::vector<std::string>& notes() const { return notes_; }

  Status write(const CaptureInfo& info, const FileSubject& subject, std::span<const Bytes> pieces);
  // Makes durable what was written since the sync before.
  Status sync();

 private:
  NamedFiles(FileSystem& file_system, std::string target, SinkMode mode)
      : files_(file_system), target_(std::move(target)), mode_(mode) {}

  const FilePattern& pattern_for(const CaptureInfo& info) const;
  std::string free_path(const CaptureInfo& info, const FileSubject& subject);
  bool is_free(const std::string& path);
  Status write_whole(const std::string& path, std::span<const Bytes> pieces);
  Status sync_oldest();

  FileSystem& files_;
  std::string target_;
  SinkMode mode_;
  std::string directory_;
  std::vector<FilePattern> patterns_;  // one that was asked for; or with epochs and without
  std::vector<std::string> notes_;
  std::deque<std::string> unsynced_;
};

}  // namespace tensortap::recorder
