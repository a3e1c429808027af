// LoadPass: a few threads and a counter.
#include "store/load_pass.h"

#include <algorithm>
#include <new>
#include <thread>
#include <vector>

namespace tensortap::store {
namespace {

// A helper has to learn all tags of the file first; a small rest is read sooner without it.
constexpr std::uint64_t kWorthHelpingBytes = std::uint64_t{32} << 20;

class Pass {
 public:
  Pass(std::span<const std::shared_ptr<FollowedFile>> files, std::atomic<std::uint64_t>& read_bytes,
       const std::atomic<bool>& stop)
      : files_(files), read_bytes_(read_bytes), stop_(stop) {}

  void work() {
    FrameBlock block;
    BlockDecoder decoder;
    for (std::size_t i = next_++; i < files_.size(); i = next_++) {
      const bool has_news = !stop_ && files_[i]->begin();
      ++begun_;
      begun_.notify_all();
      if (has_news) help(*files_[i], block, decoder);
    }
    // Until all have begun nobody knows who needs help.
    for (std::size_t begun = begun_; begun < files_.size(); begun = begun_) begun_.wait(begun);
    for (const auto& file : files_) {
      if (file->bytes_left() >= kWorthHelpingBytes) help(*file, block, decoder);
    }
  }

 private:
  void help(FollowedFile& file, FrameBlock& block, BlockDecoder& decoder) {
    decoder.start(file.file().kind);
    std::uint64_t ticket = 0;
    while (!stop_ && file.next_block(block, ticket)) {
      file.apply(ticket, decodes(block, decoder) ? &decoder : nullptr, block);
      read_bytes_ += block.size_bytes;
    }
    if (stop_) file.pause();
  }

  // A few bytes in a file may ask for many in memory; that costs their block, not the program.
  static bool decodes(const FrameBlock& block, BlockDecoder& decoder) {
    try {
      decoder.decode(block);
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  const std::span<const std::shared_ptr<FollowedFile>> files_;
  std::atomic<std::uint64_t>& read_bytes_;
  const std::atomic<bool>& stop_;
  std::atomic<std::size_t> next_{0}, begun_{0};
};

}  // namespace

void load(std::span<const std::shared_ptr<FollowedFile>> files, unsigned threads,
          std::atomic<std::uint64_t>& read_bytes, const std::atomic<bool>& stop) {
  Pass pass(files, read_bytes, stop);
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < threads; ++i) {
    // Without another thread the work takes longer, and is done all the same.
    try {
      others.emplace_back([&pass] { pass.work(); });
    } catch (const std::system_error&) {
      break;
    }
  }
  pass.work();
}

}  // namespace tensortap::store
