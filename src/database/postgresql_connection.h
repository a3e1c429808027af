// PostgresqlConnection: a server reached through the plug-in.
#pragma once

#include <string>

#include "database/server_connection.h"

namespace tensortap::database {

// Opens the plug-in on first use. kInvalidArgument for a URL that cannot be used; kIo without the plug-in, or when the
// server cannot be reached or does not let us in: at most 5 s, or the URL's connect_timeout. No message has the URL.
Result<std::unique_ptr<ServerConnection>> connect_postgresql(const std::string& url,
                                                             const std::string& application_name,
                                                             const Cancellation& cancellation);

}  // namespace tensortap::database
