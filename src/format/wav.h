// WAV: sound as 16-bit PCM in a RIFF file, and back.
//
//   offset  bytes
//    0      "RIFF"  file size - 8: u32  "WAVE"
//   12      "fmt "  16: u32  encoding 1: u16  channels: u16  rate: u32
//   28      bytes a second: u32  bytes a frame: u16  bits a sample 16: u16
//   36      "data"  size: u32  then frames, each one i16 for every channel
//
// All numbers are little-endian. The bytes are those that tf.audio.encode_wav and tf.summary.audio give.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tensortap/result.h"
#include "tensortap/tensor_view.h"

namespace tensortap::format {

// What one file holds.
struct WavClip {
  std::uint32_t rate_hz = 0;
  int channels = 0;
  std::vector<std::int16_t> samples;  // frame by frame, the channels of a frame together
};

// The errors of encode_wav(), without encoding anything: for a call that must answer at once.
Status check_audio(const TensorView& samples, double rate_hz);

// One file for [frames] or [frames,channels], one for each clip of [clips,frames,channels].
//
// int16 is written as it is. Floats are multiplied by 32768, rounded to nearest with halves away from zero,
// and clipped, so 1.0 becomes 32767; NaN becomes silence.
//
// kInvalidArgument: another rank or dtype, no channels or more than 32767, a rate that is no whole number in
// 1..2^32-1, or more than 4 GiB in one clip, in all of them or for one second of sound.
// kUnsupported:     complex elements.
Result<std::vector<std::string>> encode_wav(const TensorView& samples, double rate_hz);

// Reads 16-bit PCM. Chunks other than "fmt " and "data" are skipped, bytes after "data" are ignored.
//
// kTruncated:   the bytes end before the samples do.
// kCorrupt:     no WAV file, or one whose numbers contradict each other.
// kUnsupported: another encoding than 16-bit PCM.
Result<WavClip> decode_wav(std::span<const std::byte> bytes);

}  // namespace tensortap::format
