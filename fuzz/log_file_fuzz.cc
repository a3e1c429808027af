// Fuzzes the loader with a file that grows, is cut and is rewritten: the end is what a fresh look finds.
//
// The first byte chooses the kind of file. Then come operations: a byte that says what to do, a byte that says how
// much, and the bytes to write.
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "store/index_codec.h"
#include "store/log_directory.h"

namespace {

using namespace tensortap;
using namespace tensortap::store;

const std::string& directory() {
  static const std::string made = [] {
    std::string name = (std::filesystem::temp_directory_path() / "tensortap-fuzz-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    return name;
  }();
  return made;
}

// Everything that was read, as bytes.
std::string state_of(LogDirectory& logs) {
  std::string state;
  const auto snapshot = logs.snapshot();
  for (const auto& file : snapshot->files) {
    file->read([&](const FileContents& contents) {
      for (const auto& tag : contents.tags()) {
        state += tag->name + ";";
        for (const auto& series : tag->series) {
          state += std::to_string(static_cast<int>(series->kind)) + ":" + std::to_string(series->size()) + ",";
        }
      }
      state += std::to_string(contents.notes.records);
      // What the cache would keep comes back.
      const std::string encoded = encode_contents(contents);
      ByteBlock bytes = make_block(encoded.size());
      encoded.copy(reinterpret_cast<char*>(bytes.get()), encoded.size());
      if (decode_contents(std::move(bytes), encoded.size(), 0) == nullptr) std::abort();
    });
  }
  return state;
}

std::unique_ptr<LogDirectory> open() {
  LoadOptions options;
  options.threads = 1;
  return LogDirectory::open(directory(), options).value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string path = directory() + (data[0] % 2 == 0 ? "/x.tfevents" : "/captures.x.tap");
  const std::string other = directory() + (data[0] % 2 == 0 ? "/captures.x.tap" : "/x.tfevents");
  ::unlink(other.c_str());
  std::ofstream(path, std::ios::binary | std::ios::trunc).close();
  auto logs = open();
  for (std::size_t at = 1; at + 2 <= size;) {
    const std::uint8_t what = data[at];
    const std::size_t count = std::min<std::size_t>(data[at + 1] * std::size_t{8}, size - at - 2);
    at += 2;
    if (what % 8 == 0) {
      std::error_code error;
      std::filesystem::resize_file(path, std::min<std::uintmax_t>(count, std::filesystem::file_size(path)), error);
    } else {
      std::ofstream(path, std::ios::binary | (what % 8 == 1 ? std::ios::trunc : std::ios::app))
          .write(reinterpret_cast<const char*>(data + at), static_cast<std::streamsize>(count));
      at += count;
    }
    if (!logs->refresh().ok()) std::abort();
  }
  if (!logs->refresh().ok()) std::abort();
  auto fresh = open();
  if (!fresh->refresh().ok() || state_of(*logs) != state_of(*fresh)) std::abort();
  return 0;
}
