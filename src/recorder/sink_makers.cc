// SinkMakers that are not there yet.
#include "recorder/sink_makers.h"

namespace tensortap::recorder {

MadeSink make_csv_sink(const SinkSpec&) { return Status(StatusCode::kUnsupported, "not built"); }
MadeSink make_npy_sink(const SinkSpec&) { return Status(StatusCode::kUnsupported, "not built"); }
MadeSink make_png_sink(const SinkSpec&) { return Status(StatusCode::kUnsupported, "not built"); }
MadeSink make_print_sink(const SinkSpec&) { return Status(StatusCode::kUnsupported, "not built"); }

}  // namespace tensortap::recorder
