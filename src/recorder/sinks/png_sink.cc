// PngSink: images as they come, maps drawn one by one.
#include "recorder/sinks/png_sink.h"

#include <array>

#include "base/try.h"
#include "format/pixels.h"
#include "format/png.h"
#include "format/tile_grid.h"
#include "recorder/sink_makers.h"
#include "recorder/sinks/safe_name.h"
#include "recorder/sinks/tensor_of.h"

namespace tensortap::recorder {
namespace {

constexpr std::array<std::string_view, 8> kPlaceholders{"epoch", "step",     "name",  "tag",
                                                        "phase", "sequence", "index", "id"};

// The scale that shows a map: bytes and truth values as they are, all else from its least to its greatest value.
format::PixelScale map_scale(DType dtype) {
  const bool as_it_is = dtype == DType::kUint8 || dtype == DType::kBool;
  return as_it_is ? format::PixelScale::kAuto : format::PixelScale::kMinMax;
}

Result<format::Pixels> draw_map(const TensorView& map) {
  // Two channels would be taken for gray with transparency.
  if (map.shape.size() == 3 && map.shape[2] == 2) return format::tile_grid(map);
  Result<std::vector<format::Pixels>> drawn = format::pixels_from_tensor(map, {.scale = map_scale(map.dtype)});
  if (!drawn.ok()) return drawn.status();
  return std::move(drawn->front());
}

}  // namespace

Result<std::unique_ptr<PngSink>> PngSink::make(FileSystem& file_system, const SinkSpec& spec) {
  Result<NamedFiles> files = NamedFiles::make(file_system, spec, kPlaceholders, ".png");
  if (!files.ok()) return files.status();
  return std::unique_ptr<PngSink>(new PngSink(std::move(*files)));
}

Status PngSink::images(const CaptureInfo& info, std::span<const EncodedImage> images) {
  const std::string tag = full_tag(info);
  Status first;
  for (std::size_t i = 0; i < images.size(); ++i) {
    const std::array<Bytes, 1> pieces{bytes_of(images[i].png)};
    const std::string index = images.size() > 1 ? std::to_string(i) : std::string();
    if (Status written = files_.write(info, {tag, tag, index}, pieces); first.ok()) first = written;
  }
  return first;
}

Status PngSink::predictions(const CaptureInfo& info, const event::CapturedPredictions& predictions) {
  const format::PredictionTensors tensors = tensors_of(predictions);
  const std::size_t rank = tensors.y_pred.shape.size();
  if ((rank != 3 && rank != 4) || format::sample_size(tensors.y_pred) == 0) return passed_over();
  const std::string name = predictions_name(info);
  FileSubject subject{name == "val" ? "predictions" : name + "_predictions", full_tag(info)};
  Status first;
  for (std::uint64_t i = 0; i < tensors.samples(); ++i) {
    subject.id = tensors.id_of(i);
    Result<format::Pixels> picture = draw_map(format::sample_of(tensors.y_pred, i));
    if (!picture.ok()) return picture.status();  // what cannot be drawn is so for all samples
    Result<std::string> png = format::encode_png(*picture);
    if (!png.ok()) return png.status();
    const std::array<Bytes, 1> pieces{bytes_of(*png)};
    if (Status written = files_.write(info, subject, pieces); first.ok()) first = written;
  }
  return first;
}

MadeSink make_png_sink(const SinkSpec& spec) {
  Result<std::unique_ptr<PngSink>> sink = PngSink::make(posix_file_system(), spec);
  if (!sink.ok()) return sink.status();
  return std::unique_ptr<Sink>(std::move(*sink));
}

}  // namespace tensortap::recorder
