// SinkMakers that are not there yet.
#include "recorder/sink_makers.h"

namespace tensortap::recorder {

MadeSink make_sqlite_sink(const SinkSpec&) { return Status(StatusCode::kUnsupported, "not built"); }
MadeSink make_postgresql_sink(const SinkSpec&) { return Status(StatusCode::kUnsupported, "not built"); }

}  // namespace tensortap::recorder
