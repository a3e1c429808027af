// Histograms, pictures and clips out of summary values; whatever the bytes are.
#include "event/summary_values.h"

#include <charconv>
#include <cstring>
#include <string>

#include "event/tensor_proto.h"
#include "wire/protobuf.h"

namespace tensortap::event {
namespace {

using wire::MessageReader;
using wire::text_of;

Status corrupt(const std::string& why) { return {StatusCode::kCorrupt, why}; }

// protozero reports damage by exceptions; they end here.
template <typename T, typename Read>
Result<T> without_exceptions(const char* what, std::string_view untrusted, const Read& read) {
  try {
    return read(MessageReader(untrusted.data(), untrusted.size()));
  } catch (const std::exception& error) {
    return corrupt(std::string("the value is not ") + what + ": " + error.what());
  }
}

template <typename T>
void append_rows(const std::vector<std::byte>& data, HistogramRows& rows) {
  T row[3];
  for (std::size_t at = 0; at < data.size(); at += sizeof row) {
    std::memcpy(row, &data[at], sizeof row);
    rows.left.push_back(row[0]);
    rows.right.push_back(row[1]);
    rows.count.push_back(row[2]);
  }
}

struct HistogramProto {
  double min = 0;
  double max = 0;
  std::vector<double> limits;  // limits[i] is the right edge of bucket i
  std::vector<double> counts;
};

void append_doubles(MessageReader& message, std::vector<double>& numbers) {
  if (message.wire_type() == protozero::pbf_wire_type::length_delimited) {
    for (double number : message.get_packed_double()) numbers.push_back(number);
  } else {
    numbers.push_back(message.get_double());
  }
}

HistogramProto read_histogram(MessageReader message) {
  HistogramProto histogram;
  while (message.next()) {
    switch (message.tag()) {
      case 1: histogram.min = message.get_double(); break;
      case 2: histogram.max = message.get_double(); break;
      case 6: append_doubles(message, histogram.limits); break;
      case 7: append_doubles(message, histogram.counts); break;
      default: message.skip();
    }
  }
  return histogram;
}

Result<HistogramRows> rows_of(const HistogramProto& histogram) {
  std::size_t first = 0;
  std::size_t end = histogram.counts.size();
  // Not `== 0`: a count that is NaN or below zero counts as empty, as it does for TensorBoard.
  while (first < end && !(histogram.counts[first] > 0)) ++first;
  while (end > first && !(histogram.counts[end - 1] > 0)) --end;
  HistogramRows rows;
  if (first == end) return rows;
  if (histogram.limits.size() < end - 1) {
    return corrupt("the histogram has " + std::to_string(histogram.counts.size()) + " buckets but only " +
                   std::to_string(histogram.limits.size()) + " limits");
  }
  for (std::size_t i = first; i < end; ++i) {
    rows.left.push_back(i == first ? histogram.min : histogram.limits[i - 1]);
    rows.right.push_back(i + 1 == end ? histogram.max : histogram.limits[i]);
    rows.count.push_back(histogram.counts[i]);
  }
  return rows;
}

// kCorrupt unless the tensor holds strings, one for each element of its shape.
Result<std::vector<std::string_view>> strings_of(std::string_view tensor_proto, Shape& shape) {
  Result<TensorHead> head = tensor_head(tensor_proto);
  if (!head.ok()) return head.status();
  auto strings = strings_of_tensor(tensor_proto);
  if (!strings) return corrupt("the tensor does not hold strings, which pictures and clips are");
  shape = std::move(head->shape);
  // Divides rather than multiplies: extents come from outside.
  std::size_t left = strings->size();
  for (std::int64_t extent : shape) {
    if (extent == 0 || left % static_cast<std::size_t>(extent) != 0) left = 0;
    if (left == 0) break;
    left /= static_cast<std::size_t>(extent);
  }
  const bool both_empty = strings->empty() && !shape.empty() && shape[0] == 0;
  if (left != 1 && !both_empty) {
    return corrupt("the tensor of shape " + shape_to_string(shape) + " holds " + std::to_string(strings->size()) +
                   " strings");
  }
  return std::move(*strings);
}

bool read_extent(std::string_view text, std::int64_t& extent) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
  return error == std::errc() && end == text.data() + text.size() && extent >= 0;
}

Result<ImagesView> read_image(MessageReader message) {
  ImagesView images;
  std::string_view encoded;
  while (message.next()) {
    switch (message.tag()) {
      case 1: images.height = message.get_int32(); break;
      case 2: images.width = message.get_int32(); break;
      case 4: encoded = text_of(message.get_view()); break;
      default: message.skip();
    }
  }
  if (images.width < 0 || images.height < 0) return corrupt("the image has a negative size");
  images.encoded.push_back(encoded);
  return images;
}

Result<AudioView> read_audio(MessageReader message) {
  AudioView audio;
  std::string_view encoded;
  while (message.next()) {
    switch (message.tag()) {
      case 1: audio.sample_rate = message.get_float(); break;
      case 4: encoded = text_of(message.get_view()); break;
      case 5: audio.content_type = text_of(message.get_view()); break;
      default: message.skip();
    }
  }
  audio.encoded.push_back(encoded);
  return audio;
}

}  // namespace

Result<HistogramRows> histogram_of_tensor(std::string_view tensor_proto) {
  Result<DecodedTensor> tensor = decode_tensor_proto(tensor_proto);
  if (!tensor.ok()) return tensor.status();
  const bool is_double = tensor->dtype == DType::kFloat64;
  if (!is_double && tensor->dtype != DType::kFloat32) {
    return corrupt("a histogram's tensor is float64 or float32, not " + std::string(dtype_name(tensor->dtype)));
  }
  if (tensor->shape.size() != 2 || tensor->shape[1] != 3) {
    return corrupt("a histogram's tensor has the shape [k,3], not " + shape_to_string(tensor->shape));
  }
  HistogramRows rows;
  is_double ? append_rows<double>(tensor->data, rows) : append_rows<float>(tensor->data, rows);
  return rows;
}

Result<HistogramRows> histogram_of_v1(std::string_view histogram_proto) {
  return without_exceptions<HistogramRows>("a HistogramProto", histogram_proto,
                                           [](MessageReader message) { return rows_of(read_histogram(message)); });
}

Result<ImagesView> images_of_tensor(std::string_view tensor_proto) {
  Shape shape;
  auto strings = strings_of(tensor_proto, shape);
  if (!strings.ok()) return strings.status();
  ImagesView images;
  const std::vector<std::string_view>& texts = *strings;
  if (shape.size() != 1 || texts.size() < 2 || !read_extent(texts[0], images.width) ||
      !read_extent(texts[1], images.height)) {
    return corrupt("the tensor does not hold [width, height, picture...]");
  }
  images.encoded.assign(texts.begin() + 2, texts.end());
  return images;
}

Result<ImagesView> images_of_v1(std::string_view image_proto) {
  return without_exceptions<ImagesView>("a Summary.Image", image_proto, read_image);
}

Result<AudioView> audio_of_tensor(std::string_view tensor_proto) {
  Shape shape;
  auto strings = strings_of(tensor_proto, shape);
  if (!strings.ok()) return strings.status();
  const bool has_labels = shape.size() == 2 && shape[1] == 2;
  if (shape.size() != 1 && !has_labels) {
    return corrupt("a tensor of clips has the shape [k] or [k,2], not " + shape_to_string(shape));
  }
  AudioView audio;
  const std::size_t stride = has_labels ? 2 : 1;
  for (std::size_t i = 0; i < strings->size(); i += stride) audio.encoded.push_back((*strings)[i]);
  return audio;
}

Result<AudioView> audio_of_v1(std::string_view audio_proto) {
  return without_exceptions<AudioView>("a Summary.Audio", audio_proto, read_audio);
}

}  // namespace tensortap::event
