// FailingFileSystem and its files.
#include "base/failing_file.h"

#include <chrono>
#include <thread>

#include "base/try.h"

namespace tensortap {
namespace {

class FailingFile : public File {
 public:
  FailingFile(std::unique_ptr<File> inner, std::shared_ptr<FailingFileSystem::Faults> faults,
              std::uint64_t size_bytes = 0)
      : inner_(std::move(inner)), faults_(std::move(faults)), size_bytes_(size_bytes) {}

  Status append(std::span<const Bytes> pieces) override {
    while (faults_->blocked.load()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    TENSORTAP_TRY(count_call("write"));
    for (Bytes piece : pieces) {
      auto room = static_cast<std::size_t>(std::max<std::int64_t>(0, faults_->room_bytes.load()));
      Bytes fits = piece.first(std::min(piece.size(), room));
      TENSORTAP_TRY(inner_->append(std::span(&fits, 1)));
      faults_->room_bytes -= static_cast<std::int64_t>(fits.size());
      size_bytes_ += fits.size();
      if (fits.size() < piece.size()) return failure("write", "No space left on device");
    }
    return {};
  }

  Status truncate(std::uint64_t size_bytes) override {
    TENSORTAP_TRY(count_call("truncate"));
    TENSORTAP_TRY(inner_->truncate(size_bytes));
    // Of a disk without limit there is no more than all.
    const auto freed = static_cast<std::int64_t>(size_bytes_ - size_bytes);
    if (faults_->room_bytes.load() <= INT64_MAX - freed) faults_->room_bytes += freed;
    size_bytes_ = size_bytes;
    return {};
  }

  Status sync() override {
    TENSORTAP_TRY(count_call("sync"));
    return inner_->sync();
  }
  Status close() override {
    TENSORTAP_TRY(count_call("close"));
    return inner_->close();
  }
  const std::string& path() const override { return inner_->path(); }

 private:
  Status count_call(std::string_view what) {
    if (++faults_->calls == faults_->fail_call.load()) return failure(what, "Input/output error");
    return {};
  }
  Status failure(std::string_view what, std::string_view reason) const {
    return Status(StatusCode::kIo, "cannot " + std::string(what) + " " + path() + ": " + std::string(reason));
  }

  std::unique_ptr<File> inner_;
  std::shared_ptr<FailingFileSystem::Faults> faults_;
  std::uint64_t size_bytes_;
};

}  // namespace

Result<std::unique_ptr<File>> FailingFileSystem::create(const std::string& path) {
  if (fails_now()) return Status(StatusCode::kIo, "cannot create " + path + ": Input/output error");
  Result<std::unique_ptr<File>> inner = inner_.create(path);
  if (!inner.ok()) return inner.status();
  return std::unique_ptr<File>(std::make_unique<FailingFile>(std::move(inner).value(), faults_));
}

Result<std::unique_ptr<File>> FailingFileSystem::open(const std::string& path) {
  if (fails_now()) return Status(StatusCode::kIo, "cannot open " + path + ": Input/output error");
  Result<std::uint64_t> size = inner_.size_bytes(path);
  if (!size.ok()) return size.status();
  Result<std::unique_ptr<File>> inner = inner_.open(path);
  if (!inner.ok()) return inner.status();
  return std::unique_ptr<File>(std::make_unique<FailingFile>(std::move(inner).value(), faults_, *size));
}

Status FailingFileSystem::rename(const std::string& from, const std::string& to) {
  if (fails_now()) return Status(StatusCode::kIo, "cannot rename " + from + " to " + to + ": Input/output error");
  return inner_.rename(from, to);
}

}  // namespace tensortap
