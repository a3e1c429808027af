// The routes by what they are about: one function and one file each.
//
// Private to routes. Handlers only translate: parameters to a question of src/query, its answer to JSON, columns or
// CSV.
#pragma once

#include <string>

#include "server/http/router.h"
#include "server/http/served_logs.h"

namespace tensortap::server {

void add_run_routes(Router& router, ServedLogs& logs);        // status, runs, tags, series, steps
void add_scalar_routes(Router& router, ServedLogs& logs);     // scalars, latest
void add_stats_routes(Router& router, ServedLogs& logs);      // stats
void add_layer_routes(Router& router, ServedLogs& logs);      // layers, network
void add_histogram_routes(Router& router, ServedLogs& logs);  // histograms
void add_tensor_routes(Router& router, ServedLogs& logs);     // tensor, tensor/info
void add_media_routes(Router& router, ServedLogs& logs);      // images, image, audio, audio/clip
void add_text_routes(Router& router, ServedLogs& logs);       // text, graph
void add_hparams_routes(Router& router, ServedLogs& logs);    // hparams
void add_health_routes(Router& router, ServedLogs& logs);     // health

using LogsHandler = Response (*)(const Request& request, const ServedLogs& logs);

// `name` is what stands behind /api/v1/.
inline void add_route(Router& router, ServedLogs& logs, const std::string& name, LogsHandler handler) {
  router.get("/api/v1/" + name, [&logs, handler](const Request& request) { return handler(request, logs); });
}

}  // namespace tensortap::server
