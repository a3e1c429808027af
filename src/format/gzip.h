// Gzip: bytes made smaller for the way to a browser, and back.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "tensortap/result.h"

namespace tensortap::format {

// Compresses piece by piece, at the fast level: it must not take longer than it saves.
//
// Threads:  one at a time.
// Failure:  throws std::bad_alloc, nothing else.
// Lifetime: a few hundred KiB while it lives.
class GzipWriter {
 public:
  GzipWriter();
  ~GzipWriter();
  GzipWriter(GzipWriter&&) noexcept;
  GzipWriter& operator=(GzipWriter&&) noexcept;

  // What is ready so far, which may be nothing.
  std::string add(std::string_view piece);
  // The rest. Nothing may be added after it.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string gzip(std::string_view bytes);

// kCorrupt: no gzip, or damaged. kTruncated: it ends too early. kUnsupported: more than `most_bytes` come out.
Result<std::string> gunzip(std::string_view untrusted, std::size_t most_bytes);

}  // namespace tensortap::format
