// WAV: sound as 16-bit PCM in a RIFF file, and back.
#include "format/wav.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <string_view>

#include "base/try.h"
#include "format/values.h"
#include "tensor/gather.h"

namespace tensortap::format {
namespace {

constexpr std::uint16_t kPcm = 1;
constexpr std::uint16_t kExtensible = 0xfffe;  // the encoding is then in the extension of "fmt "
constexpr std::uint64_t kSampleBytes = sizeof(std::int16_t);
constexpr std::uint64_t kHeaderBytes = 44;
constexpr std::uint64_t kRiffPrefixBytes = 8;
constexpr std::uint64_t kMaxU32 = 0xffffffff;
// Bytes a frame must fit into 16 bits; TensorFlow writes up to 65535 channels and lets that number wrap.
constexpr std::uint64_t kMaxChannels = 32767;

struct ClipLayout {
  std::uint64_t clips = 1;
  std::uint64_t frames = 0;
  std::uint64_t channels = 1;

  std::uint64_t samples() const { return frames * channels; }
  std::uint64_t data_bytes() const { return samples() * kSampleBytes; }
};

Status invalid(std::string message) { return Status(StatusCode::kInvalidArgument, std::move(message)); }

Result<ClipLayout> layout_of(const TensorView& samples) {
  const std::string what = "cannot write " + std::string(dtype_name(samples.dtype)) + " of shape " +
                           shape_to_string(samples.shape) + " as WAV: ";
  const std::size_t rank = samples.shape.size();
  if (rank < 1 || rank > 3) return invalid(what + "pass [frames], [frames,channels] or [clips,frames,channels]");
  if (!is_float(samples.dtype) && samples.dtype != DType::kInt16) {
    return invalid(what + "pass floats in -1..1 or int16");
  }
  const auto extent = [&](std::size_t i) { return static_cast<std::uint64_t>(samples.shape[i]); };
  ClipLayout layout;
  if (rank == 3) layout.clips = extent(0);
  layout.frames = extent(rank == 3 ? 1 : 0);
  if (rank > 1) layout.channels = extent(rank - 1);
  if (layout.channels < 1 || layout.channels > kMaxChannels) return invalid(what + "channels must be 1 to 32767");
  // Divided, not multiplied: with no clips the other extents may have any product.
  if (layout.frames > (kMaxU32 + kRiffPrefixBytes - kHeaderBytes) / kSampleBytes / layout.channels) {
    return invalid(what + "a clip would be larger than 4 GiB; pass fewer frames");
  }
  // The clips stand in memory together, and a view made of strides alone may claim any number of them.
  if (layout.clips > (kMaxU32 + 1) / (kHeaderBytes + layout.data_bytes())) {
    return invalid(what + "the clips together would be larger than 4 GiB; pass fewer");
  }
  return layout;
}

Status check_rate(double rate_hz, std::uint64_t channels) {
  if (!(rate_hz >= 1 && rate_hz <= static_cast<double>(kMaxU32)) || rate_hz != std::floor(rate_hz)) {
    return invalid("sample rate " + std::to_string(rate_hz) + " Hz: pass a whole number from 1 to 4294967295");
  }
  if (static_cast<std::uint64_t>(rate_hz) > kMaxU32 / (channels * kSampleBytes)) {
    return invalid("sample rate " + std::to_string(rate_hz) + " Hz with " + std::to_string(channels) +
                   " channels: more than 4 GiB a second; pass a lower rate");
  }
  return {};
}

// `bytes` low bytes of `value`, the least first.
void put(std::string& file, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) file.push_back(static_cast<char>(value >> (8 * i) & 0xff));
}

void put_header(std::string& file, const ClipLayout& layout, std::uint32_t rate_hz) {
  const std::uint64_t frame_bytes = layout.channels * kSampleBytes;
  file += "RIFF";
  put(file, kHeaderBytes - kRiffPrefixBytes + layout.data_bytes(), 4);
  file += "WAVEfmt ";
  put(file, 16, 4);
  put(file, kPcm, 2);
  put(file, layout.channels, 2);
  put(file, rate_hz, 4);
  put(file, rate_hz * frame_bytes, 4);
  put(file, frame_bytes, 2);
  put(file, 8 * kSampleBytes, 2);
  file += "data";
  put(file, layout.data_bytes(), 4);
}

std::int16_t sample_from_value(double value) {
  if (std::isnan(value)) return 0;
  return static_cast<std::int16_t>(std::clamp(std::round(value * 32768), -32768.0, 32767.0));
}

// Appends `count` samples from `first`, at most kValueBlock.
void put_samples(std::string& file, const TensorView& samples, std::uint64_t first, std::uint64_t count) {
  std::array<std::int16_t, kValueBlock> block;
  if (samples.dtype == DType::kInt16) {
    tensor::gather(samples, first, count, block.data());
  } else {
    std::array<double, kValueBlock> values;
    read_values(samples, first, count, values.data());
    std::transform(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count), block.begin(),
                   sample_from_value);
  }
  static_assert(std::endian::native == std::endian::little, "samples are written as they lie in memory");
  file.append(reinterpret_cast<const char*>(block.data()), count * kSampleBytes);
}

// Bytes that are read from the front, with a name and a number at a time.
//
// Threads:  one at a time.
// Failure:  take() says nullopt and moves nothing when there is too little left.
// Lifetime: the bytes must outlive it.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  std::optional<std::span<const std::byte>> take(std::uint64_t untrusted_size) {
    if (untrusted_size > rest_.size()) return std::nullopt;
    const auto taken = rest_.first(untrusted_size);
    rest_ = rest_.subspan(untrusted_size);
    return taken;
  }

 private:
  std::span<const std::byte> rest_;
};

std::uint64_t number_at(std::span<const std::byte> bytes, std::size_t offset, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = size; i-- > 0;) number = number << 8 | std::to_integer<std::uint64_t>(bytes[offset + i]);
  return number;
}

bool name_is(std::span<const std::byte> bytes, std::size_t offset, std::string_view name) {
  return std::equal(name.begin(), name.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset),
                    [](char letter, std::byte byte) { return static_cast<std::byte>(letter) == byte; });
}

Status truncated(std::string_view where) {
  return Status(StatusCode::kTruncated, "WAV: the bytes end in " + std::string(where));
}
Status corrupt(std::string message) { return Status(StatusCode::kCorrupt, "WAV: " + std::move(message)); }

// Fills rate and channels of `clip`.
Status read_format(std::span<const std::byte> chunk, WavClip& clip) {
  if (chunk.size() < 16) return corrupt("the \"fmt \" chunk has " + std::to_string(chunk.size()) + " bytes, not 16");
  std::uint64_t encoding = number_at(chunk, 0, 2);
  if (encoding == kExtensible && chunk.size() >= 26) encoding = number_at(chunk, 24, 2);
  const std::uint64_t channels = number_at(chunk, 2, 2);
  const std::uint64_t frame_bytes = number_at(chunk, 12, 2);
  const std::uint64_t bits = number_at(chunk, 14, 2);
  if (encoding != kPcm || bits != 8 * kSampleBytes) {
    return Status(StatusCode::kUnsupported, "WAV: encoding " + std::to_string(encoding) + " with " +
                                                std::to_string(bits) + " bits; only 16-bit PCM can be read");
  }
  if (channels == 0 || frame_bytes != channels * kSampleBytes) {
    return corrupt(std::to_string(channels) + " channels in frames of " + std::to_string(frame_bytes) + " bytes");
  }
  clip.channels = static_cast<int>(channels);
  clip.rate_hz = static_cast<std::uint32_t>(number_at(chunk, 4, 4));
  return {};
}

Status read_samples(std::span<const std::byte> chunk, WavClip& clip) {
  if (clip.channels == 0) return corrupt("\"data\" stands before \"fmt \"");
  if (chunk.size() % (static_cast<std::uint64_t>(clip.channels) * kSampleBytes) != 0) {
    return corrupt(std::to_string(chunk.size()) + " bytes of samples are no whole number of frames");
  }
  clip.samples.resize(chunk.size() / kSampleBytes);
  for (std::size_t i = 0; i < clip.samples.size(); ++i) {
    clip.samples[i] = static_cast<std::int16_t>(number_at(chunk, i * kSampleBytes, kSampleBytes));
  }
  return {};
}

}  // namespace

Status check_audio(const TensorView& samples, double rate_hz) {
  TENSORTAP_TRY(check_values(samples));
  const Result<ClipLayout> found = layout_of(samples);
  return found.ok() ? check_rate(rate_hz, found.value().channels) : found.status();
}

Result<std::vector<std::string>> encode_wav(const TensorView& samples, double rate_hz) {
  TENSORTAP_TRY(check_audio(samples, rate_hz));
  const ClipLayout layout = layout_of(samples).value();
  std::vector<std::string> files(layout.clips);
  for (std::uint64_t clip = 0; clip < layout.clips; ++clip) {
    std::string& file = files[clip];
    file.reserve(kHeaderBytes + layout.data_bytes());
    put_header(file, layout, static_cast<std::uint32_t>(rate_hz));
    for (std::uint64_t done = 0; done < layout.samples(); done += kValueBlock) {
      put_samples(file, samples, clip * layout.samples() + done, std::min(kValueBlock, layout.samples() - done));
    }
  }
  return files;
}

Result<WavClip> decode_wav(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  const auto riff = reader.take(12);
  if (!riff) return truncated("the RIFF header");
  if (!name_is(*riff, 0, "RIFF") || !name_is(*riff, 8, "WAVE")) return corrupt("no RIFF file of kind WAVE");
  WavClip clip;
  while (true) {
    const auto header = reader.take(8);
    if (!header) return truncated("or before the header of a chunk");
    const std::uint64_t untrusted_size = number_at(*header, 4, 4);
    const auto chunk = reader.take(untrusted_size);
    if (!chunk) return truncated("a chunk of " + std::to_string(untrusted_size) + " bytes");
    if (name_is(*header, 0, "fmt ")) TENSORTAP_TRY(read_format(*chunk, clip));
    if (name_is(*header, 0, "data")) {
      TENSORTAP_TRY(read_samples(*chunk, clip));
      return clip;
    }
    // Chunks start at even offsets.
    if (untrusted_size % 2 == 1 && !reader.take(1)) return truncated("the padding of a chunk");
  }
}

}  // namespace tensortap::format
