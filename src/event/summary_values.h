// The values of summaries, read alike from the messages of TensorFlow 1 (V1) and the tensors of TensorFlow 2 (V2).
//
// All views point into the bytes given. Everything is untrusted: kCorrupt where the bytes are not what the name says.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tensortap/result.h"

namespace tensortap::event {

// One entry a bucket in each. Counts are doubles in files, and stay doubles.
struct HistogramRows {
  std::vector<double> left, right, count;
};

// A tensor [k,3] of float64 or float32, with rows left, right, count; k may be 0.
Result<HistogramRows> histogram_of_tensor(std::string_view tensor_proto);

// A HistogramProto. As TensorBoard migrates it: empty buckets at both ends are dropped, then the outermost edges, which
// may be -DBL_MAX and DBL_MAX in the file, become the histogram's min and max. Unlike there, edges keep their double.
Result<HistogramRows> histogram_of_v1(std::string_view histogram_proto);

// Encoded pictures (PNG, JPEG, GIF) of one size, as the file states it.
struct ImagesView {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::vector<std::string_view> encoded;
};

// A string tensor [width, height, picture...].
Result<ImagesView> images_of_tensor(std::string_view tensor_proto);

// A Summary.Image, which holds one picture.
Result<ImagesView> images_of_v1(std::string_view image_proto);

// Encoded clips (WAV), and what the file says about them beside their own headers.
struct AudioView {
  double sample_rate = 0;  // Hz; 0 where only the clips know
  std::vector<std::string_view> encoded;
  std::string_view content_type;  // "audio/wav"; empty where the tag's metadata says it
};

// A string tensor [k], or [k,2] whose second column are labels, which are left out.
Result<AudioView> audio_of_tensor(std::string_view tensor_proto);

// A Summary.Audio, which holds one clip.
Result<AudioView> audio_of_v1(std::string_view audio_proto);

}  // namespace tensortap::event
