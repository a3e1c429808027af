// CsvFile: appends, cuts back, and copies into a wider file.
#include "recorder/sinks/csv_file.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/try.h"
#include "format/csv_lines.h"

namespace tensortap::recorder {
namespace {

constexpr std::size_t kPieceBytes = 1 << 20;

// Where the last whole line ends.
Result<std::uint64_t> whole_lines_bytes(FileSystem& files, const std::string& path, std::uint64_t size_bytes) {
  while (size_bytes > 0) {
    const std::uint64_t from = size_bytes - std::min<std::uint64_t>(size_bytes, kPieceBytes);
    Result<std::string> piece = files.read(path, from, static_cast<std::size_t>(size_bytes - from));
    if (!piece.ok()) return piece.status();
    const std::size_t end = piece->rfind('\n');
    if (end != std::string::npos) return from + end + 1;
    size_bytes = from;
  }
  return std::uint64_t{0};
}

Status append_all(File& file, std::string_view lines, std::string_view tail) {
  const std::array<Bytes, 2> pieces{bytes_of(lines), bytes_of(tail)};
  return file.append(pieces);
}

}  // namespace

Status CsvFile::create(std::string_view heads) {
  Result<std::unique_ptr<File>> made = files_.create(path_);
  if (!made.ok()) return made.status();
  file_ = std::move(*made);
  if (Status written = append_all(*file_, heads, {}); !written.ok()) {
    file_.reset();
    (void)files_.remove(path_);  // half a line of heads would be taken for a whole one later
    return written;
  }
  heads_ = heads;
  kept_bytes_ = end_bytes_ = heads.size();
  is_open_ = true;
  return {};
}

Status CsvFile::resume() {
  Result<std::uint64_t> size = files_.size_bytes(path_);
  if (!size.ok()) return size.status();
  Result<std::uint64_t> whole = whole_lines_bytes(files_, path_, *size);
  if (!whole.ok()) return whole.status();
  Result<std::string> start = files_.read(path_, 0, kPieceBytes);
  if (!start.ok()) return start.status();
  const std::optional<std::size_t> first = format::csv_first_line(*start);
  if (*size == 0) {
    TENSORTAP_TRY(files_.remove(path_));
    return Status(StatusCode::kNotFound, path_ + " was empty");
  }
  if (!first) return Status(StatusCode::kInvalidArgument, path_ + " is no CSV file: its first line does not end");
  heads_ = start->substr(0, *first);
  kept_bytes_ = end_bytes_ = *whole;
  is_torn_ = *whole != *size;
  is_open_ = true;
  return mend();
}

Status CsvFile::mend() {
  if (!file_) {
    Result<std::unique_ptr<File>> opened = files_.open(path_);
    if (!opened.ok()) return opened.status();
    file_ = std::move(*opened);
  }
  if (!is_torn_) return {};
  TENSORTAP_TRY(file_->truncate(end_bytes_));
  is_torn_ = false;
  return {};
}

Status CsvFile::append(std::string_view lines) {
  TENSORTAP_TRY(mend());
  if (Status written = append_all(*file_, lines, {}); !written.ok()) {
    is_torn_ = true;
    (void)mend();  // tried again before the next append
    return written;
  }
  end_bytes_ += lines.size();
  return {};
}

Status CsvFile::cut() {
  if (end_bytes_ == kept_bytes_) return {};
  end_bytes_ = kept_bytes_;
  is_torn_ = true;
  return mend();
}

Status CsvFile::write(std::string_view lines, std::string_view tail) {
  TENSORTAP_TRY(cut());
  TENSORTAP_TRY(mend());
  if (Status written = append_all(*file_, lines, tail); !written.ok()) {
    is_torn_ = true;
    (void)mend();
    return written;
  }
  kept_bytes_ += lines.size();
  end_bytes_ = kept_bytes_ + tail.size();
  return {};
}

Status CsvFile::copy_widened(File& to, std::size_t more_cells, std::uint64_t& size_bytes) {
  format::CsvPadding padding(more_cells);
  for (std::uint64_t at = heads_.size(); at < kept_bytes_;) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(kPieceBytes, kept_bytes_ - at));
    Result<std::string> piece = files_.read(path_, at, wanted);
    if (!piece.ok()) return piece.status();
    if (piece->empty()) return Status(StatusCode::kIo, path_ + " is shorter than it was; did somebody cut it?");
    std::string lines;
    padding.append(lines, *piece);
    at += piece->size();
    if (at == kept_bytes_) padding.finish(lines);
    TENSORTAP_TRY(append_all(to, lines, {}));
    size_bytes += lines.size();
  }
  return {};
}

Status CsvFile::widen(std::string_view heads, std::size_t more_cells, std::string_view lines, std::string_view tail) {
  const std::string wider = path_ + ".part";
  TENSORTAP_TRY(files_.remove(wider));
  Result<std::unique_ptr<File>> made = files_.create(wider);
  if (!made.ok()) return made.status();
  File& to = **made;
  std::uint64_t size_bytes = heads.size() + lines.size();
  Status done = append_all(to, heads, {});
  if (done.ok()) done = copy_widened(to, more_cells, size_bytes);
  if (done.ok()) done = append_all(to, lines, tail);
  if (done.ok()) done = to.sync();  // or a power cut might leave the new name without the old lines
  if (Status closed = to.close(); done.ok()) done = closed;
  if (done.ok()) done = files_.rename(wider, path_);
  if (!done.ok()) {
    (void)files_.remove(wider);
    return done;
  }
  file_.reset();
  heads_ = heads;
  kept_bytes_ = size_bytes;
  end_bytes_ = size_bytes + tail.size();
  is_torn_ = false;
  (void)mend();  // the lines are in the file; whether it opens again is for the next call
  return {};
}

Status CsvFile::sync() {
  if (!file_) return {};
  TENSORTAP_TRY(file_->sync());
  return files_.sync_directory(path_.substr(0, path_.rfind('/')));
}

Status CsvFile::close() {
  if (!file_) return {};
  const std::unique_ptr<File> file = std::move(file_);
  return file->close();
}

}  // namespace tensortap::recorder
