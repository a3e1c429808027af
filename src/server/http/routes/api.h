// The routes below /api/v1/ that answer questions about a log directory; docs/api.md describes them.
#pragma once

#include "server/http/router.h"
#include "server/http/served_logs.h"

namespace tensortap::server {

// `logs` must outlive the router.
void add_api_routes(Router& router, ServedLogs& logs);

}  // namespace tensortap::server
