// PNG: one picture to its file bytes, and back.
//
// libpng reports errors by longjmp, which must not skip a destructor and must not meet an exception.
// So: the functions that call setjmp hold plain values only, everything with a destructor lives in a session
// outside of them, and the callbacks let no exception through.
#include "format/png.h"

#include <png.h>
#include <zlib.h>

#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstring>

#include "base/try.h"

// What libpng has for stderr (see CMakeLists.txt). It prints nothing: both its error callbacks are ours.
extern "C" __attribute__((visibility("hidden"))) std::FILE* tensortap_png_stderr;
std::FILE* tensortap_png_stderr = stderr;

namespace tensortap::format {
namespace {

// One fixed filter and runs only, instead of five filters tried on each row and a search for repeats.
// Measured on ten pictures (a photograph in three sizes, activations, tiles, noise, a screenshot, gradients):
// together 31 % of the time of libpng's defaults and 8 % more bytes. Nearly all of those bytes come from the
// smooth gradients, 4.8 times as large because their repeats lie far apart; without them it is 1.3 %.
constexpr int kFilter = PNG_FILTER_PAETH;
constexpr int kStrategy = Z_RLE;
constexpr int kCompressionLevel = 1;
constexpr std::size_t kWriteBufferBytes = std::size_t{64} << 10;
// Most a single ancillary chunk may take, read or unpacked.
constexpr png_alloc_size_t kMaxChunkBytes = png_alloc_size_t{8} << 20;
// Deflate spends at least two bits on 258 bytes.
constexpr std::uint64_t kMaxInflation = 1032;

struct Failure {
  std::array<char, 128> message{};
};

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  auto* failure = static_cast<Failure*>(png_get_error_ptr(png));
  std::snprintf(failure->message.data(), failure->message.size(), "%s", message);
  png_longjmp(png, 1);
}

// Warnings are about ancillary chunks, which we do not use.
void on_warning(png_structp, png_const_charp) {}

struct WriteSession {
  png_structp png = nullptr;
  png_infop info = nullptr;
  Failure failure;
  std::string file;

  WriteSession() = default;
  WriteSession(const WriteSession&) = delete;
  ~WriteSession() { png_destroy_write_struct(&png, &info); }
};

void on_write(png_structp png, png_bytep data, std::size_t size) {
  bool written = true;
  try {
    static_cast<WriteSession*>(png_get_io_ptr(png))->file.append(reinterpret_cast<const char*>(data), size);
  } catch (...) {
    written = false;  // jumping from here would leak the exception
  }
  if (!written) png_error(png, "out of memory");
}

void on_flush(png_structp) {}

int color_type_of(int channels) {
  constexpr std::array<int, 4> kTypes{PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                      PNG_COLOR_TYPE_RGB_ALPHA};
  return kTypes[static_cast<std::size_t>(channels - 1)];
}

// False: session.failure says why.
bool write_file(WriteSession& session, const Pixels& pixels) {
  if (setjmp(png_jmpbuf(session.png))) return false;
  png_set_user_limits(session.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_write_fn(session.png, &session, on_write, on_flush);
  png_set_compression_buffer_size(session.png, kWriteBufferBytes);
  png_set_compression_level(session.png, kCompressionLevel);
  png_set_compression_strategy(session.png, kStrategy);
  png_set_filter(session.png, PNG_FILTER_TYPE_BASE, kFilter);
  png_set_IHDR(session.png, session.info, static_cast<png_uint_32>(pixels.width),
               static_cast<png_uint_32>(pixels.height), 8, color_type_of(pixels.channels), PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(session.png, session.info);
  const std::size_t row_bytes = static_cast<std::size_t>(pixels.width) * pixels.channels;
  for (int y = 0; y < pixels.height; ++y) png_write_row(session.png, &pixels.bytes[y * row_bytes]);
  png_write_end(session.png, nullptr);
  return true;
}

Status check_pixels(const Pixels& pixels) {
  const std::string what =
      std::to_string(pixels.width) + "x" + std::to_string(pixels.height) + "x" + std::to_string(pixels.channels);
  if (pixels.width < 1 || pixels.height < 1 || pixels.channels < 1 || pixels.channels > 4) {
    return Status(StatusCode::kInvalidArgument,
                  "cannot write " + what + " pixels as PNG: sizes must be positive and channels 1 to 4");
  }
  const std::uint64_t count = static_cast<std::uint64_t>(pixels.width) * static_cast<std::uint64_t>(pixels.height);
  if (count > kMaxImagePixels) {
    return Status(StatusCode::kInvalidArgument, "cannot write " + what + " pixels as PNG: more than 64 Mi");
  }
  if (pixels.bytes.size() != count * static_cast<std::uint64_t>(pixels.channels)) {
    return Status(StatusCode::kInvalidArgument, "cannot write " + what + " pixels as PNG: they have " +
                                                    std::to_string(pixels.bytes.size()) + " bytes");
  }
  return {};
}

struct ReadSession {
  png_structp png = nullptr;
  png_infop info = nullptr;
  Failure failure;
  std::span<const std::byte> rest;
  std::size_t size = 0;
  bool ran_out = false;

  explicit ReadSession(std::span<const std::byte> bytes) : rest(bytes), size(bytes.size()) {}
  ReadSession(const ReadSession&) = delete;
  ~ReadSession() { png_destroy_read_struct(&png, &info, nullptr); }

  Status status() const {
    const std::size_t offset = size - rest.size();
    return Status(ran_out ? StatusCode::kTruncated : StatusCode::kCorrupt,
                  std::string("PNG of ") + std::to_string(size) + " bytes, at offset " + std::to_string(offset) + ": " +
                      failure.message.data());
  }
};

void on_read(png_structp png, png_bytep data, std::size_t untrusted_size) {
  auto* session = static_cast<ReadSession*>(png_get_io_ptr(png));
  if (untrusted_size > session->rest.size()) {
    session->ran_out = true;
    png_error(png, "the bytes end before the picture does");
  }
  if (untrusted_size > 0) std::memcpy(data, session->rest.data(), untrusted_size);
  session->rest = session->rest.subspan(untrusted_size);
}

bool read_header(ReadSession& session) {
  if (setjmp(png_jmpbuf(session.png))) return false;
  png_set_read_fn(session.png, &session, on_read);
  // The limit on pixels is checked before the rows are allocated: libpng needs none of its own on the sides.
  png_set_user_limits(session.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_chunk_malloc_max(session.png, kMaxChunkBytes);
  png_set_keep_unknown_chunks(session.png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
  png_read_info(session.png, session.info);
  return true;
}

// Asks for 8 bits a channel without palette; the info then tells the layout of the rows to come.
bool start_rows(ReadSession& session) {
  if (setjmp(png_jmpbuf(session.png))) return false;
  png_set_expand(session.png);
  png_set_scale_16(session.png);
  png_set_interlace_handling(session.png);
  png_read_update_info(session.png, session.info);
  return true;
}

bool read_rows(ReadSession& session, std::uint8_t* rows, std::size_t row_bytes, int height, int passes) {
  if (setjmp(png_jmpbuf(session.png))) return false;
  for (int pass = 0; pass < passes; ++pass) {
    for (int y = 0; y < height; ++y) png_read_row(session.png, rows + y * row_bytes, nullptr);
  }
  png_read_end(session.png, nullptr);
  return true;
}

// Before anything of the size that the header asks for is allocated.
Status check_header(const ReadSession& session) {
  const std::uint64_t untrusted_width = png_get_image_width(session.png, session.info);
  const std::uint64_t untrusted_height = png_get_image_height(session.png, session.info);
  if (untrusted_width * untrusted_height > kMaxImagePixels) {
    return Status(StatusCode::kUnsupported, "PNG of " + std::to_string(untrusted_width) + "x" +
                                                std::to_string(untrusted_height) + " pixels: more than 64 Mi");
  }
  const std::uint64_t untrusted_bytes = untrusted_height * png_get_rowbytes(session.png, session.info);
  if (untrusted_bytes / kMaxInflation > session.size) {
    return Status(StatusCode::kTruncated, "PNG of " + std::to_string(session.size) + " bytes is too short for " +
                                              std::to_string(untrusted_width) + "x" + std::to_string(untrusted_height) +
                                              " pixels");
  }
  return {};
}

Status no_session() { return Status(StatusCode::kIo, "cannot start libpng: out of memory"); }

}  // namespace

Result<std::string> encode_png(const Pixels& pixels) {
  TENSORTAP_TRY(check_pixels(pixels));
  WriteSession session;
  session.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &session.failure, on_error, on_warning);
  if (session.png == nullptr) return no_session();
  session.info = png_create_info_struct(session.png);
  if (session.info == nullptr) return no_session();
  if (!write_file(session, pixels)) {
    return Status(StatusCode::kIo, std::string("cannot write PNG: ") + session.failure.message.data());
  }
  return std::move(session.file);
}

Result<Pixels> decode_png(std::span<const std::byte> bytes) {
  ReadSession session(bytes);
  session.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &session.failure, on_error, on_warning);
  if (session.png == nullptr) return no_session();
  session.info = png_create_info_struct(session.png);
  if (session.info == nullptr) return no_session();
  if (!read_header(session)) return session.status();
  TENSORTAP_TRY(check_header(session));
  if (!start_rows(session)) return session.status();
  const std::size_t row_bytes = png_get_rowbytes(session.png, session.info);
  const bool interlaced = png_get_interlace_type(session.png, session.info) != PNG_INTERLACE_NONE;
  Pixels pixels{static_cast<int>(png_get_image_width(session.png, session.info)),
                static_cast<int>(png_get_image_height(session.png, session.info)),
                static_cast<int>(png_get_channels(session.png, session.info)),
                {}};
  pixels.bytes.resize(row_bytes * static_cast<std::size_t>(pixels.height));
  const int passes = interlaced ? PNG_INTERLACE_ADAM7_PASSES : 1;
  if (!read_rows(session, pixels.bytes.data(), row_bytes, pixels.height, passes)) return session.status();
  return pixels;
}

}  // namespace tensortap::format
