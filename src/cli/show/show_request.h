// ShowRequest: what `tensortap show` was asked for; each kind of series has a function that answers it.
//
// With --json each prints one object that begins with "run", "tag" and "kind".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/json_out.h"
#include "cli/terminal.h"
#include "query/places.h"
#include "query/runs.h"
#include "query/selection.h"
#include "store/kind.h"
#include "tensortap/result.h"

namespace tensortap::cli {

struct ShowRequest {
  query::Run run;
  std::string tag;
  store::Kind kind = store::Kind::kScalars;
  query::Selection selection;
  std::optional<std::int64_t> step;  // nullopt: the last one
  unsigned index = 0;                // which picture or clip of a batch
  unsigned width = 0;                // 0: as wide as the terminal
  unsigned height = 0;
  std::string save_path;
  bool json = false;
  Terminal terminal;

  int columns() const { return width > 0 ? static_cast<int>(width) : terminal.columns; }
};

// "step", "wall_time", "value": lists of all points.
Status show_scalars(const ShowRequest& request);
// "step", "wall_time", "left", "right", "count"; of captures also "stats".
Status show_distribution(const ShowRequest& request);
// "step", "wall_time", "dtype", "shape", "stats" of numbers, "values": flat, row by row.
Status show_tensor(const ShowRequest& request);
// "step", "wall_time", "ids", "y_true" if it was recorded, "y_pred": each "dtype", "shape", "values".
Status show_predictions(const ShowRequest& request);
// "step", "wall_time", "width", "height", "images": [{"format", "bytes"}].
Status show_images(const ShowRequest& request);
// "step", "wall_time", "content_type", "clips": [{"bytes", "rate_hz", "channels", "seconds"}].
Status show_audio(const ShowRequest& request);
// "step", "wall_time", "shape", "strings".
Status show_text(const ShowRequest& request);
// "group", "start_wall_time", "end_wall_time", "success" (true, false, null), "values": {name: value}.
Status show_hparams(const ShowRequest& request);
// "step", "wall_time", "form", "bytes", "nodes" or "layers" where they can be read.
Status show_graph(const ShowRequest& request);

// The value that the request means: at its step, or the last of its selection.
Result<query::Place> chosen_place(const ShowRequest& request);
// All of the selection. kNotFound when there are none.
Result<std::vector<query::Place>> chosen_places(const ShowRequest& request);

// "loss  scalars of run a  step 3", and more words behind it.
void print_heading(const ShowRequest& request, const query::Place& place, const std::string& more);
// Begins the object.
void begin_json(JsonOut& json, const ShowRequest& request);
void begin_json(JsonOut& json, const ShowRequest& request, const query::Place& place);

// Writes the bytes to a new file, and says so.
Status save_bytes(const ShowRequest& request, std::string_view bytes);
// kNotFound when a batch of `count` has no such `request.index`.
Status check_index(const ShowRequest& request, std::size_t count, const char* what);

}  // namespace tensortap::cli
