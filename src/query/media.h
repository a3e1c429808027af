// Media: pictures, sounds, texts, graphs and hyperparameters, as they were recorded.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/places.h"
#include "tensortap/media.h"

namespace tensortap::query {

struct Images {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::vector<std::string> encoded;  // PNG, JPEG or GIF, as it stands in the file
};
Result<Images> images_at(const Place& place);

struct AudioClips {
  double sample_rate = 0;  // 0: only the clips know
  std::vector<std::string> encoded;
  std::string content_type;  // "audio/wav"
};
Result<AudioClips> audio_at(const Place& place);

// A text of any shape, row by row.
struct Text {
  std::vector<std::int64_t> shape;
  std::vector<std::string> strings;
};
Result<Text> text_at(const Place& place);

enum class GraphForm : std::uint8_t { kGraphDef, kMetaGraphDef, kKerasModel, kRunMetadata, kOther };
struct Graph {
  GraphForm form = GraphForm::kOther;
  std::string bytes;  // a GraphDef, a MetaGraphDef, JSON, a RunMetadata
};
Result<Graph> graph_at(const Place& place, const Run& run, std::string_view tag);

// What a run was made with.
struct RunHParams {
  HParams values;
  std::string group;
  double start_secs = 0;
  std::optional<bool> success;  // nullopt: not ended
  double end_secs = 0;
};
// The newest of the run; nullopt when it has none.
Result<std::optional<RunHParams>> hparams(const Run& run);

}  // namespace tensortap::query
