// RecordCopy: every whole record of a file, as it stands, into another.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "store/frame_scan.h"
#include "store/read_file.h"
#include "store/run_files.h"

namespace tensortap::cli {

struct CopiedRecords {
  store::RunFileKind kind = store::RunFileKind::kEvents;
  std::uint64_t input_bytes = 0;
  std::uint64_t kept_records = 0;
  std::uint64_t kept_bytes = 0;
  std::uint64_t lost_places = 0;
  std::uint64_t lost_bytes = 0;
  std::vector<store::Damage> lost;  // the first thousand places

  bool is_whole() const { return lost_bytes == 0; }
};

// A record is whole when both its CRCs fit and it decodes. Needs the memory of the largest record, and a mebibyte.
// `kind` is found out from the records when it is not given.
//
// Threads:  one; `read_bytes` may be read by others.
// Failure:  kIo; damage is no failure but told in the result.
// Lifetime: files must outlive it.
class RecordCopy {
 public:
  RecordCopy(const store::ReadFile& from, File& to, std::optional<store::RunFileKind> kind)
      : from_(from), to_(to), kind_(kind) {}

  Result<CopiedRecords> run(std::atomic<std::uint64_t>& read_bytes);

 private:
  Status copy_block(const store::FrameBlock& block);
  bool is_record(std::string_view data);
  Status keep(const store::FrameBlock& block, std::size_t from, std::size_t to);
  void lose(std::string reason);
  void close_gap(std::uint64_t offset);

  const store::ReadFile& from_;
  File& to_;
  std::optional<store::RunFileKind> kind_;
  CopiedRecords copied_;
  std::uint64_t kept_until_ = 0;  // in the input
  std::string lost_reason_;       // why what follows kept_until_ is not kept
};

}  // namespace tensortap::cli
