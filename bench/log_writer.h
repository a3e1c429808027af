// LogWriter: one event file, byte for byte as TensorFlow or tensorboardX writes it, for make_logs.cc.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "event/event_fields.h"
#include "event/file_names.h"
#include "event/plugins.h"
#include "tensortap/dtype.h"
#include "tensortap/result.h"
#include "wire/protobuf.h"
#include "wire/record_writer.h"

namespace tensortap::bench {

namespace field = event::field;
using wire::add_text;
using wire::MessageWriter;

inline constexpr std::int64_t kStartSecs = 1'700'000'000;

// Whose files: tensorboardX writes V1 scalars, TensorFlow V2.
enum class Writer { kTensorboardX, kTensorFlow };

// What bench/log_sets.py wants to know of a log directory.
struct Made {
  std::int64_t runs = 0, series = 0, events = 0, scalars = 0, last_step = 0, bytes = 0;
};

[[noreturn]] inline void fail(std::string_view message) {
  std::fprintf(stderr, "make_logs: %.*s\n", static_cast<int>(message.size()), message.data());
  std::exit(1);
}

inline void check(const Status& status) {
  if (!status.ok()) fail(status.message());
}

// Threads:  one.
// Failure:  ends the program with a message.
// Lifetime: close() at the end; what it wrote is then added to `made`, which outlives it.
class LogWriter {
 public:
  // `number` tells the files of several runs apart.
  LogWriter(const std::string& directory, Writer writer, std::int64_t number, Made& made)
      : records_(create(directory, writer, number), {kBufferBytes, 4 * kBufferBytes}), made_(made) {
    MessageWriter event(bytes_);
    event.add_double(field::kWallTime, static_cast<double>(kStartSecs + number));
    add_text(event, field::kFileVersion, "brain.Event:2");
    if (writer == Writer::kTensorFlow) {
      MessageWriter source(event, kSourceMetadata);
      add_text(source, kSourceWriter, "tensorflow.core.util.events_writer");
    }
    append();
  }

  // An event with one value: its tag, and what `fill` adds.
  template <typename Fill>
  void add(double wall_secs, std::int64_t step, std::string_view tag, Fill fill) {
    bytes_.clear();
    {
      MessageWriter event(bytes_);
      event.add_double(field::kWallTime, wall_secs);
      if (step != 0) event.add_int64(field::kStep, step);
      MessageWriter summary(event, field::kSummary);
      MessageWriter value(summary, field::kSummaryValue);
      add_text(value, field::kTag, tag);
      fill(value);
    }
    append();
    ++made_.events;
    made_.last_step = std::max(made_.last_step, step);
  }

  void close() {
    check(records_.close());
    made_.bytes += static_cast<std::int64_t>(records_.written_bytes());
    ++made_.runs;
  }

 private:
  static constexpr std::size_t kBufferBytes = 1 << 20;
  static constexpr field::Number kSourceMetadata = 10, kSourceWriter = 1;

  static std::unique_ptr<File> create(const std::string& directory, Writer writer, std::int64_t number) {
    check(posix_file_system().make_directories(directory));
    std::string path = directory + "/";
    path += event::kEventsPrefix;
    path += std::to_string(kStartSecs + number) + ".host";
    if (writer == Writer::kTensorFlow) path += "." + std::to_string(100 + number) + ".0.v2";
    auto file = posix_file_system().create(path);
    check(file.status());
    return std::move(file).value();
  }

  void append() {
    const Bytes piece = bytes_of(bytes_);
    check(records_.append({&piece, 1}));
  }

  wire::RecordWriter records_;
  Made& made_;
  std::string bytes_;  // of one record
};

// The tensor of a value as TensorFlow writes it: type, shape, and then what `fill` adds; behind it the metadata, which
// is nothing but the plug-in's name.
template <typename Fill>
void add_tensor(MessageWriter& value, DType dtype, std::span<const std::int64_t> shape, std::string_view plugin,
                Fill fill) {
  {
    MessageWriter tensor(value, field::kTensor);
    tensor.add_enum(field::kDtype, static_cast<std::int32_t>(dtype));
    {
      MessageWriter shape_message(tensor, field::kTensorShape);
      for (const std::int64_t extent : shape) {
        MessageWriter dim(shape_message, field::kDim);
        dim.add_int64(field::kDimSize, extent);
      }
    }
    fill(tensor);
  }
  MessageWriter metadata(value, field::kMetadata);
  MessageWriter plugin_data(metadata, field::kPluginData);
  add_text(plugin_data, field::kPluginName, plugin);
}

inline void add_v1_scalar(LogWriter& log, double wall_secs, std::int64_t step, std::string_view tag, float number) {
  log.add(wall_secs, step, tag, [&](MessageWriter& value) { value.add_float(field::kSimpleValue, number); });
}

inline void add_v2_scalar(LogWriter& log, double wall_secs, std::int64_t step, std::string_view tag, float number) {
  log.add(wall_secs, step, tag, [&](MessageWriter& value) {
    add_tensor(value, DType::kFloat32, {}, event::plugin::kScalars, [&](MessageWriter& tensor) {
      tensor.add_bytes(field::kTensorContent, reinterpret_cast<const char*>(&number), sizeof number);
    });
  });
}

}  // namespace tensortap::bench
