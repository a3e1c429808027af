// RecordWriter over the File seam.
#include "wire/record_writer.h"

#include <vector>

#include "base/clock.h"
#include "base/try.h"
#include "wire/frame.h"

namespace tensortap::wire {

RecordWriter::RecordWriter(std::unique_ptr<File> file, RecordWriterOptions options)
    : file_(std::move(file)), options_(options) {}

Status RecordWriter::append(std::span<const Bytes> pieces, bool counted) {
  std::uint64_t length = 0;
  for (Bytes piece : pieces) length += piece.size();
  if (length >= options_.buffer_bytes) return append_directly(length, pieces, counted);

  bool full = gathered_.size() + length + kHeaderBytes + kFooterBytes > options_.buffer_bytes;
  if (full && monotonic_nanos() >= retry_at_nanos_) (void)flush();  // kept in last_error_
  if (gathered_.size() + length > options_.max_unwritten_bytes) return last_error_;
  gather(length, pieces);
  waiting_records_ += counted ? 1 : 0;
  return {};
}

Status RecordWriter::append_directly(std::uint64_t length, std::span<const Bytes> pieces, bool counted) {
  TENSORTAP_TRY(flush());  // records keep their order
  auto header = encode_header(length);
  auto footer = encode_footer(pieces);
  std::vector<Bytes> frame;
  frame.reserve(pieces.size() + 2);
  frame.emplace_back(header);
  frame.insert(frame.end(), pieces.begin(), pieces.end());
  frame.emplace_back(footer);
  TENSORTAP_TRY(write_whole(frame, length + kHeaderBytes + kFooterBytes));
  written_records_ += counted ? 1 : 0;
  return {};
}

void RecordWriter::gather(std::uint64_t length, std::span<const Bytes> pieces) {
  auto header = encode_header(length);
  auto footer = encode_footer(pieces);
  gathered_.append(reinterpret_cast<const char*>(header.data()), header.size());
  for (Bytes piece : pieces) gathered_.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  gathered_.append(reinterpret_cast<const char*>(footer.data()), footer.size());
}

Status RecordWriter::flush() {
  if (gathered_.empty()) return {};
  Bytes piece = bytes_of(gathered_);
  TENSORTAP_TRY(write_whole({&piece, 1}, gathered_.size()));
  gathered_.clear();
  written_records_ += std::exchange(waiting_records_, 0);
  return {};
}

Status RecordWriter::write_whole(std::span<const Bytes> pieces, std::uint64_t total_bytes) {
  Status status = torn_ ? cut_back() : Status();
  if (status.ok()) {
    status = file_->append(pieces);
    if (status.ok()) {
      written_bytes_ += total_bytes;
      retry_at_nanos_ = 0;
      return {};
    }
    // Readers take a torn tail for a record still being written; it must not stay in the way of the next one.
    torn_ = true;
    (void)cut_back();
  }
  retry_at_nanos_ = monotonic_nanos() + options_.retry_ms * 1'000'000;
  last_error_ = status;
  return status;
}

Status RecordWriter::cut_back() {
  TENSORTAP_TRY(file_->truncate(written_bytes_));
  torn_ = false;
  return {};
}

Status RecordWriter::sync() {
  TENSORTAP_TRY(flush());
  return file_->sync();
}

Status RecordWriter::close() {
  Status flushed = flush();
  Status closed = file_->close();
  return flushed.ok() ? closed : flushed;
}

}  // namespace tensortap::wire
