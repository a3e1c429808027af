// The payloads that are shown rather than counted: images, sound, text, hparams, graphs, meshes.
#include <functional>

#include "base/try.h"
#include "format/feature_map.h"
#include "format/pixels.h"
#include "format/png.h"
#include "format/wav.h"
#include "recorder/payload.h"
#include "tensor/gather.h"

namespace tensortap::recorder {
namespace {

format::PixelScale pixel_scale(ImageScale scale) {
  switch (scale) {
    case ImageScale::kAuto: return format::PixelScale::kAuto;
    case ImageScale::kUnit: return format::PixelScale::kUnit;
    case ImageScale::kMinMax: return format::PixelScale::kMinMax;
    case ImageScale::kSymmetric: return format::PixelScale::kSymmetric;
  }
  return format::PixelScale::kAuto;
}

// Pictures that are drawn from a tensor, one way or another.
class ImagePayload : public Payload {
 public:
  using Draw = std::function<Result<std::vector<format::Pixels>>(const TensorView&)>;
  ImagePayload(KeptTensor tensor, Draw draw) : tensor_(std::move(tensor)), draw_(std::move(draw)) {}

  Status prepare() override {
    Result<std::vector<format::Pixels>> drawn = draw_(tensor_.view);
    if (!drawn.ok()) return drawn.status();
    tensor_ = {};
    for (const format::Pixels& picture : *drawn) {
      Result<std::string> png = format::encode_png(picture);
      if (!png.ok()) return png.status();
      images_.push_back({picture.width, picture.height, std::move(*png)});
    }
    return {};
  }
  Status deliver(const CaptureInfo& info, Sink& sink) override { return sink.images(info, images_); }

 private:
  KeptTensor tensor_;
  Draw draw_;
  std::vector<EncodedImage> images_;
};

class AudioPayload : public Payload {
 public:
  AudioPayload(KeptTensor samples, double rate_hz) : samples_(std::move(samples)), rate_hz_(rate_hz) {}

  Status prepare() override {
    Result<std::vector<std::string>> encoded = format::encode_wav(samples_.view, rate_hz_);
    if (!encoded.ok()) return encoded.status();
    clips_ = std::move(*encoded);
    samples_ = {};
    return {};
  }
  Status deliver(const CaptureInfo& info, Sink& sink) override { return sink.audio(info, clips_); }

 private:
  KeptTensor samples_;
  double rate_hz_;
  std::vector<std::string> clips_;
};

class TextPayload : public Payload {
 public:
  TextPayload(std::vector<std::string> texts, Shape shape) : texts_(std::move(texts)), shape_(std::move(shape)) {}

  Status deliver(const CaptureInfo& info, Sink& sink) override { return sink.text(info, texts_, shape_); }

 private:
  std::vector<std::string> texts_;
  Shape shape_;
};

// A graph or a model: one string that a sink takes as it is.
class StringPayload : public Payload {
 public:
  using Take = Status (Sink::*)(const CaptureInfo&, const std::string&);
  StringPayload(std::string text, Take take) : text_(std::move(text)), take_(take) {}

  Status deliver(const CaptureInfo& info, Sink& sink) override { return (sink.*take_)(info, text_); }

 private:
  std::string text_;
  Take take_;
};

class HParamsPayload : public Payload {
 public:
  HParamsPayload(HParams hparams, std::vector<std::string> metric_tags)
      : hparams_(std::move(hparams)), metric_tags_(std::move(metric_tags)) {}

  Status deliver(const CaptureInfo& info, Sink& sink) override { return sink.hparams(info, hparams_, metric_tags_); }

 private:
  HParams hparams_;
  std::vector<std::string> metric_tags_;
};

// Elements of a mesh as T, whatever numbers they were.
template <typename T>
std::vector<T> converted(const TensorView& view) {
  const std::uint64_t count = view.element_count();
  std::vector<std::byte> block(view.size_bytes());
  tensor::gather(view, 0, count, block.data());
  std::vector<T> out(count);
  auto convert = [&]<typename From>(From) {
    const From* from = reinterpret_cast<const From*>(block.data());
    for (std::uint64_t i = 0; i < count; ++i) out[i] = static_cast<T>(from[i]);  // NOLINT: int8 is a number here
  };
  switch (view.dtype) {
    case DType::kFloat32: convert(float{}); break;
    case DType::kFloat64: convert(double{}); break;
    case DType::kInt32: convert(std::int32_t{}); break;
    case DType::kInt64: convert(std::int64_t{}); break;
    case DType::kUint32: convert(std::uint32_t{}); break;
    case DType::kUint64: convert(std::uint64_t{}); break;
    case DType::kInt16: convert(std::int16_t{}); break;
    case DType::kUint16: convert(std::uint16_t{}); break;
    case DType::kInt8: convert(std::int8_t{}); break;
    case DType::kUint8: convert(std::uint8_t{}); break;
    default: break;  // refused when the mesh was offered
  }
  return out;
}

class MeshPayload : public Payload {
 public:
  explicit MeshPayload(Mesh mesh) : mesh_(std::move(mesh)) {}

  Status prepare() override {
    vertices_ = converted<float>(mesh_.vertices.view);
    if (mesh_.faces.view.dtype != DType::kInvalid) faces_ = converted<std::int32_t>(mesh_.faces.view);
    if (mesh_.colors.view.dtype != DType::kInvalid) colors_ = converted<std::uint8_t>(mesh_.colors.view);
    return {};
  }

  Status deliver(const CaptureInfo& info, Sink& sink) override {
    MeshParts parts;
    parts.vertices = view(vertices_.data(), mesh_.vertices.view.shape);
    if (mesh_.faces.view.dtype != DType::kInvalid) parts.faces = view(faces_.data(), mesh_.faces.view.shape);
    if (mesh_.colors.view.dtype != DType::kInvalid) parts.colors = view(colors_.data(), mesh_.colors.view.shape);
    parts.config_json = mesh_.config_json;
    return sink.mesh(info, parts);
  }

 private:
  Mesh mesh_;
  std::vector<float> vertices_;
  std::vector<std::int32_t> faces_;
  std::vector<std::uint8_t> colors_;
};

}  // namespace

PayloadPtr image_payload(KeptTensor pixels, ImageScale scale) {
  return std::make_unique<ImagePayload>(std::move(pixels), [scale](const TensorView& view) {
    return format::pixels_from_tensor(view, {.scale = pixel_scale(scale)});
  });
}
PayloadPtr feature_maps_payload(KeptTensor output, std::int64_t max_samples) {
  return std::make_unique<ImagePayload>(
      std::move(output), [max_samples](const TensorView& view) { return format::feature_maps(view, max_samples); });
}
PayloadPtr audio_payload(KeptTensor samples, double rate_hz) {
  return std::make_unique<AudioPayload>(std::move(samples), rate_hz);
}
PayloadPtr text_payload(std::vector<std::string> texts, Shape shape) {
  return std::make_unique<TextPayload>(std::move(texts), std::move(shape));
}
PayloadPtr hparams_payload(HParams hparams, std::vector<std::string> metric_tags) {
  return std::make_unique<HParamsPayload>(std::move(hparams), std::move(metric_tags));
}
PayloadPtr graph_payload(std::string graph_def) {
  return std::make_unique<StringPayload>(std::move(graph_def), &Sink::graph);
}
PayloadPtr keras_model_payload(std::string json) {
  return std::make_unique<StringPayload>(std::move(json), &Sink::keras_model);
}
PayloadPtr mesh_payload(Mesh mesh) { return std::make_unique<MeshPayload>(std::move(mesh)); }

}  // namespace tensortap::recorder
