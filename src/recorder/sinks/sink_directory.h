// SinkDirectory: where a sink writes, once it is clear what is there already.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/file.h"
#include "recorder/sinks/sink_options.h"
#include "tensortap/result.h"

namespace tensortap::recorder {

// Which files of a directory are of the kind that a sink writes; others, such as those of another sink, do not count.
struct SinkFiles {
  std::function<bool(const std::string& path_within)> is_ours;
  int depth = 0;  // of directories below
};

struct ClaimedSinkDirectory {
  std::string path;  // absolute: the program may change its working directory
  std::vector<std::string> notes;
};

// Makes the directory, and shows at once that files can be made in it.
// kIo with path and reason when they cannot.
Result<ClaimedSinkDirectory> claim_sink_directory(FileSystem& file_system, const std::string& target, SinkMode mode,
                                                  const SinkFiles& files);

}  // namespace tensortap::recorder
