// All groups of routes.
#include "server/http/routes/api.h"

#include "server/http/routes/route_groups.h"

namespace tensortap::server {

void add_api_routes(Router& router, ServedLogs& logs) {
  add_run_routes(router, logs);
  add_scalar_routes(router, logs);
  add_stats_routes(router, logs);
  add_layer_routes(router, logs);
  add_histogram_routes(router, logs);
  add_tensor_routes(router, logs);
  add_media_routes(router, logs);
  add_text_routes(router, logs);
  add_hparams_routes(router, logs);
  add_health_routes(router, logs);
}

}  // namespace tensortap::server
