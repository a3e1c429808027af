// ApiRoutes: everything below /api/v1/ that answers questions about runs.
#pragma once

#include "server/http/router.h"
#include "server/http/served_logs.h"

namespace tensortap::server {

// `logs` must outlive the router. The stream of changes and the preferences are not among them: they belong to the
// server (live_stream.h, preferences.h).
void add_api_routes(Router& router, ServedLogs& logs);

}  // namespace tensortap::server
