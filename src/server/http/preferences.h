// Preferences: notes, colours, pins and mutes of a user for one log directory, kept in the user's config directory.
//
//   <config>/log-directories/<hash of the real path>.json   {"log_directory": "/x/runs", "preferences": {...}}
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "server/http/router.h"
#include "tensortap/result.h"

namespace tensortap::server {

// Threads:  any.
// Failure:  kIo where nothing can be kept, kCorrupt for a document that somebody damaged: it is left as it is;
//           kInvalidArgument for a patch that is none, or too much.
// Lifetime: reads and writes the file at each call; keeps nothing open.
class Preferences {
 public:
  // An empty config directory: there is nowhere to keep anything.
  Preferences(std::string config_directory, const std::string& log_directory);

  // $TENSORTAP_CONFIG_DIR, $XDG_CONFIG_HOME/tensortap or ~/.config/tensortap; empty when there is none of them.
  static std::string usual_directory();

  // JSON: {"notes": {}, "colors": {}, "pins": [], "muted": [], ...}
  Result<std::string> get() const;
  // A merge patch (RFC 7396); returns what is there afterwards.
  Result<std::string> patch(std::string_view untrusted_patch);

  const std::string& path() const { return path_; }

 private:
  Status save(const std::string& text) const;

  std::string config_directory_;
  std::string log_directory_;  // its real path
  std::string path_;           // of the document; empty when nothing can be kept
  mutable std::mutex lock_;
};

// GET and PATCH of /api/v1/preferences.
void add_preferences_route(Router& router, Preferences& preferences);

}  // namespace tensortap::server
