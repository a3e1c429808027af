// Images: in colours where the terminal can; otherwise what is known about them.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/file.h"
#include "base/try.h"
#include "cli/show/half_blocks.h"
#include "cli/show/show_request.h"
#include "cli/units.h"
#include "format/png.h"
#include "query/media.h"

namespace tensortap::cli {
namespace {

constexpr int kLinesAround = 3;

const char* format_of(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG")) return "png";
  if (bytes.starts_with("\xff\xd8\xff")) return "jpeg";
  if (bytes.starts_with("GIF8")) return "gif";
  return "unknown";
}

void print_json(const ShowRequest& request, const query::Place& place, const query::Images& images) {
  JsonOut json;
  begin_json(json, request, place);
  json.member("width", images.width);
  json.member("height", images.height);
  json.key("images");
  json.begin_array();
  for (const std::string& each : images.encoded) {
    json.begin_object();
    json.member("format", format_of(each));
    json.member("bytes", each.size());
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

Status draw(const ShowRequest& request, const std::string& encoded) {
  const std::string_view format = format_of(encoded);
  if (!request.terminal.is_terminal || request.terminal.colors == Colors::kNone) {
    fmt::print("--save FILE writes it to a file{}\n",
               request.terminal.is_terminal ? "; a terminal with COLORTERM=truecolor shows it" : "");
    return {};
  }
  if (format != "png") {
    fmt::print("only PNG is drawn here; --save FILE writes it to a file\n");
    return {};
  }
  auto pixels = format::decode_png(bytes_of(encoded));
  if (!pixels.ok()) return pixels.status();
  const int rows =
      request.height > 0 ? static_cast<int>(request.height) : std::max(request.terminal.rows - kLinesAround, 4);
  fmt::print("{}", half_blocks(*pixels, request.columns(), rows, request.terminal.colors));
  return {};
}

}  // namespace

Status show_images(const ShowRequest& request) {
  auto place = chosen_place(request);
  if (!place.ok()) return place.status();
  auto images = query::images_at(*place);
  if (!images.ok()) return images.status();
  TENSORTAP_TRY(check_index(request, images->encoded.size(), "picture"));
  const std::string& encoded = images->encoded[request.index];
  if (request.json) {
    if (!request.save_path.empty()) TENSORTAP_TRY(save_bytes(request, encoded));
    print_json(request, *place, *images);
    return {};
  }
  print_heading(request, *place,
                fmt::format("{} x {} pixels  picture {} of {}  {} {}", images->width, images->height, request.index + 1,
                            images->encoded.size(), format_of(encoded), size_text(encoded.size())));
  return request.save_path.empty() ? draw(request, encoded) : save_bytes(request, encoded);
}

}  // namespace tensortap::cli
