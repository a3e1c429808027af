// NpySink: headers before values, where they are.
#include "recorder/sinks/npy_sink.h"

#include <array>

#include "base/try.h"
#include "format/npy.h"
#include "recorder/sink_makers.h"
#include "recorder/sinks/safe_name.h"
#include "recorder/sinks/tensor_of.h"

namespace tensortap::recorder {
namespace {

constexpr std::array<std::string_view, 6> kPlaceholders{"epoch", "step", "name", "tag", "phase", "sequence"};
constexpr std::uint64_t kMaxIdBytes = std::uint64_t{1} << 30;

// "labels" of the usual predictions, "<name>_labels" of others.
FileSubject part_of(const CaptureInfo& info, const std::string& part) {
  const std::string name = predictions_name(info);
  return {name == "val" ? part : name + "_" + part, full_tag(info) + "/" + part};
}

}  // namespace

Result<std::unique_ptr<NpySink>> NpySink::make(FileSystem& file_system, const SinkSpec& spec) {
  Result<NamedFiles> files = NamedFiles::make(file_system, spec, kPlaceholders, ".npy");
  if (!files.ok()) return files.status();
  return std::unique_ptr<NpySink>(new NpySink(std::move(*files)));
}

Status NpySink::write(const CaptureInfo& info, const FileSubject& subject, const event::CapturedTensor& tensor) {
  if (format::npy_dtype(tensor.dtype) == tensor.dtype) {
    Result<std::string> header = format::npy_header(tensor.dtype, tensor.shape);
    if (!header.ok()) return header.status();
    const std::array<Bytes, 2> pieces{bytes_of(*header), tensor.data};
    return files_.write(info, subject, pieces);
  }
  Result<std::string> file = format::encode_npy(tensor_of(tensor));
  if (!file.ok()) return file.status();
  const std::array<Bytes, 1> pieces{bytes_of(*file)};
  return files_.write(info, subject, pieces);
}

Status NpySink::tensor(const CaptureInfo& info, const event::CapturedTensor& tensor) {
  const std::string tag = full_tag(info);
  return write(info, {tag, tag}, tensor);
}

Status NpySink::write_ids(const CaptureInfo& info, const FileSubject& subject,
                          const event::CapturedPredictions& predictions) {
  if (predictions.text_ids.empty()) return write(info, subject, predictions.number_ids);
  const std::vector<std::string> ids(predictions.text_ids.begin(), predictions.text_ids.end());
  Result<std::string> file = format::encode_npy_strings(ids, {static_cast<std::int64_t>(ids.size())}, kMaxIdBytes);
  if (!file.ok()) return file.status();
  const std::array<Bytes, 1> pieces{bytes_of(*file)};
  return files_.write(info, subject, pieces);
}

Status NpySink::predictions(const CaptureInfo& info, const event::CapturedPredictions& predictions) {
  Status first = write(info, part_of(info, "predictions"), predictions.y_pred);
  if (predictions.y_true.dtype != DType::kInvalid) {
    if (Status labels = write(info, part_of(info, "labels"), predictions.y_true); first.ok()) first = labels;
  }
  if (predictions.number_ids.dtype != DType::kInvalid || !predictions.text_ids.empty()) {
    if (Status ids = write_ids(info, part_of(info, "ids"), predictions); first.ok()) first = ids;
  }
  return first;
}

MadeSink make_npy_sink(const SinkSpec& spec) {
  Result<std::unique_ptr<NpySink>> sink = NpySink::make(posix_file_system(), spec);
  if (!sink.ok()) return sink.status();
  return std::unique_ptr<Sink>(std::move(*sink));
}

}  // namespace tensortap::recorder
