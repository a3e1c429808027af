// NamedFiles: a name that is free, a file beside it, and then that name.
#include "recorder/sinks/named_files.h"

#include <algorithm>
#include <filesystem>

#include "base/try.h"
#include "recorder/sinks/safe_name.h"
#include "recorder/sinks/sink_directory.h"

namespace tensortap::recorder {
namespace {

constexpr std::string_view kEpochPattern = "epoch_{epoch}_{name}";
constexpr std::string_view kStepPattern = "step_{step}_{name}";
// Names that are remembered for sync(): beyond that the oldest, which the system has long written, is synced at once.
constexpr std::size_t kMaxUnsynced = 16 << 10;

// A tag as a path: each part safe, none that climbs.
std::string safe_path(std::string_view tag) {
  std::string path;
  while (true) {
    const std::size_t slash = tag.find('/');
    path += (path.empty() ? "" : "/") + safe_name(tag.substr(0, slash));
    if (slash == std::string_view::npos) return path;
    tag.remove_prefix(slash + 1);
  }
}

FilePattern::Values values_of(const CaptureInfo& info, const FileSubject& subject, const FilePattern& pattern) {
  std::string name = subject.name, tag = subject.tag;
  for (const auto& [part, placeholder] : {std::pair(subject.index, "index"), std::pair(subject.id, "id")}) {
    if (part.empty() || pattern.uses(placeholder)) continue;
    name += "_" + part;
    tag += "_" + part;
  }
  return {{"epoch", info.epoch < 0 ? "" : std::to_string(info.epoch)},
          {"step", std::to_string(info.head.time.step)},
          {"name", safe_name(name)},
          {"tag", safe_path(tag)},
          {"phase", std::string(phase_name(info.head.phase))},
          {"sequence", std::to_string(info.head.sequence)},
          {"index", subject.index},
          {"id", subject.id.empty() ? "" : safe_name(subject.id)}};
}

}  // namespace

Result<NamedFiles> NamedFiles::make(FileSystem& file_system, const SinkSpec& spec,
                                    std::span<const std::string_view> placeholders, std::string_view extension) {
  TENSORTAP_TRY(check_directory_sink(spec, {"pattern", "mode"}));
  Result<SinkMode> mode = sink_mode(spec);
  if (!mode.ok()) return mode.status();
  NamedFiles files(file_system, spec.target, *mode);
  const std::string asked = option_of(spec, "pattern");
  std::vector<std::string_view> texts{asked};
  if (asked.empty()) texts = {kEpochPattern, kStepPattern};
  for (std::string_view text : texts) {
    Result<FilePattern> pattern = FilePattern::parse(text, placeholders, extension);
    if (!pattern.ok()) return pattern.status();
    files.patterns_.push_back(std::move(*pattern));
  }
  return files;
}

Status NamedFiles::begin() {
  const SinkFiles ours{[this](const std::string& name) {
                         return std::any_of(patterns_.begin(), patterns_.end(),
                                            [&](const FilePattern& pattern) { return pattern.matches(name); });
                       },
                       patterns_.front().depth()};
  Result<ClaimedSinkDirectory> claimed = claim_sink_directory(files_, target_, mode_, ours);
  if (!claimed.ok()) return claimed.status();
  directory_ = claimed->path;
  notes_ = claimed->notes;
  return {};
}

const FilePattern& NamedFiles::pattern_for(const CaptureInfo& info) const {
  return info.epoch < 0 ? patterns_.back() : patterns_.front();
}

bool NamedFiles::is_free(const std::string& path) {
  return files_.size_bytes(path).status().code() == StatusCode::kNotFound;
}

std::string NamedFiles::free_path(const CaptureInfo& info, const FileSubject& subject) {
  const FilePattern& pattern = pattern_for(info);
  std::string path = directory_ + "/" + pattern.stem(values_of(info, subject, pattern));
  if (is_free(path + pattern.extension())) return path + pattern.extension();
  if (!pattern.uses("step")) path += "_step_" + std::to_string(info.head.time.step);
  if (is_free(path + pattern.extension())) return path + pattern.extension();
  if (!pattern.uses("sequence")) path += "_" + std::to_string(info.head.sequence);
  std::string candidate = path + pattern.extension();
  for (int number = 2; !is_free(candidate) && number < 1'000'000; ++number) {
    candidate = path + "_" + std::to_string(number) + pattern.extension();
  }
  return candidate;
}

Status NamedFiles::write(const CaptureInfo& info, const FileSubject& subject, std::span<const Bytes> pieces) {
  const std::string path = free_path(info, subject);
  if (!is_free(path)) return Status(StatusCode::kIo, "no free name like " + path + "; give the sink a pattern");
  return write_whole(path, pieces);
}

Status NamedFiles::write_whole(const std::string& path, std::span<const Bytes> pieces) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = path.substr(0, slash);
  const std::string part = folder + "/." + path.substr(slash + 1) + ".part";
  if (folder != directory_) TENSORTAP_TRY(files_.make_directories(folder));
  TENSORTAP_TRY(files_.remove(part));  // of a program that was killed
  Result<std::unique_ptr<File>> file = files_.create(part);
  if (!file.ok()) return file.status();
  Status written = (*file)->append(pieces);
  if (Status closed = (*file)->close(); written.ok()) written = closed;
  if (written.ok()) written = files_.rename(part, path);
  if (!written.ok()) {
    (void)files_.remove(part);
    return written;
  }
  unsynced_.push_back(path);
  return unsynced_.size() > kMaxUnsynced ? sync_oldest() : Status();
}

Status NamedFiles::sync_oldest() {
  const std::string path = std::move(unsynced_.front());
  unsynced_.pop_front();
  Result<std::unique_ptr<File>> file = files_.open(path);
  if (file.status().code() == StatusCode::kNotFound) return {};  // somebody has taken it away
  if (!file.ok()) return file.status();
  TENSORTAP_TRY((*file)->sync());
  return files_.sync_directory(path.substr(0, path.rfind('/')));
}

Status NamedFiles::sync() {
  while (!unsynced_.empty()) TENSORTAP_TRY(sync_oldest());
  return {};
}

}  // namespace tensortap::recorder
