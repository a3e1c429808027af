// Gzip on zlib.
#include "format/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

namespace tensortap::format {
namespace {

constexpr int kGzipWindow = 15 + 16;                      // zlib's way of saying: with gzip's header
constexpr std::size_t kStepBytes = std::size_t{1} << 30;  // zlib counts in 32 bits

}  // namespace

struct GzipWriter::State {
  z_stream stream{};
  ~State() { deflateEnd(&stream); }

  std::string run(std::string_view piece, int flush) {
    std::string out;
    std::array<char, 32 << 10> buffer;
    do {
      const std::string_view step = piece.substr(0, kStepBytes);
      piece.remove_prefix(step.size());
      const int mode = piece.empty() ? flush : Z_NO_FLUSH;
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(step.data()));  // zlib only reads it
      stream.avail_in = static_cast<uInt>(step.size());
      do {
        stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
        stream.avail_out = static_cast<uInt>(buffer.size());
        deflate(&stream, mode);
        out.append(buffer.data(), buffer.size() - stream.avail_out);
      } while (stream.avail_out == 0);
    } while (!piece.empty());
    return out;
  }
};

GzipWriter::GzipWriter() : state_(std::make_unique<State>()) {
  if (deflateInit2(&state_->stream, Z_BEST_SPEED, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
}
GzipWriter::~GzipWriter() = default;
GzipWriter::GzipWriter(GzipWriter&&) noexcept = default;
GzipWriter& GzipWriter::operator=(GzipWriter&&) noexcept = default;

std::string GzipWriter::add(std::string_view piece) { return state_->run(piece, Z_NO_FLUSH); }
std::string GzipWriter::finish() { return state_->run({}, Z_FINISH); }

std::string gzip(std::string_view bytes) {
  GzipWriter writer;
  std::string out = writer.add(bytes);
  return out += writer.finish();
}

Result<std::string> gunzip(std::string_view untrusted, std::size_t most_bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> ends(&stream, [](z_stream* ended) { return inflateEnd(ended); });
  std::string out;
  std::array<char, 32 << 10> buffer;
  std::string_view rest = untrusted;
  for (int code = Z_OK; code != Z_STREAM_END;) {
    const std::string_view step = rest.substr(0, kStepBytes);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(step.data()));
    stream.avail_in = static_cast<uInt>(step.size());
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    code = inflate(&stream, Z_NO_FLUSH);
    rest.remove_prefix(step.size() - stream.avail_in);
    const std::size_t got = buffer.size() - stream.avail_out;
    if (code == Z_BUF_ERROR || (code == Z_OK && got == 0 && rest.empty())) {
      return Status(StatusCode::kTruncated, "the gzip data ends too early");
    }
    if (code != Z_OK && code != Z_STREAM_END) return Status(StatusCode::kCorrupt, "no gzip data, or damaged");
    if (got > most_bytes - out.size()) return Status(StatusCode::kUnsupported, "more gzip data than expected");
    out.append(buffer.data(), got);
  }
  return out;
}

}  // namespace tensortap::format
