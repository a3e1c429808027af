// SinkMakers: from what the user asked for to a sink.
//
// Those that write files are in recorder/sinks/. Databases are made in src/database, which knows of the recorder this
// header and Sink alone; the recorder knows nothing of databases.
#pragma once

#include <memory>

#include "recorder/sink.h"
#include "tensortap/result.h"
#include "tensortap/sinks.h"

namespace tensortap::recorder {

using MadeSink = Result<std::unique_ptr<Sink>>;

// kInvalidArgument for an option that the sink does not have, or a value that it does not take; nothing is opened or
// written before begin().
MadeSink make_csv_sink(const SinkSpec& spec);
MadeSink make_npy_sink(const SinkSpec& spec);
MadeSink make_png_sink(const SinkSpec& spec);
MadeSink make_print_sink(const SinkSpec& spec);
MadeSink make_sqlite_sink(const SinkSpec& spec);
MadeSink make_postgresql_sink(const SinkSpec& spec);

}  // namespace tensortap::recorder
