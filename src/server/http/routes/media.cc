// Media: pictures and sounds, as they were recorded.
#include "query/media.h"

#include <algorithm>
#include <span>

#include "format/wav.h"
#include "server/http/routes/answers.h"
#include "server/http/routes/one_value.h"
#include "server/http/routes/route_groups.h"

namespace tensortap::server {
namespace {

using format::JsonWriter;
using store::Kind;

// Sizes and numbers are read from the files, step by step.
constexpr std::uint64_t kUsualSteps = 1000;
constexpr std::uint64_t kMostSteps = 10'000;

// Files that browsers draw and play without running anything in them. By their first bytes, whatever the log says.
struct MediaType {
  std::string_view content_type, ending;
};

std::optional<MediaType> image_type(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return MediaType{"image/png", ".png"};
  if (bytes.starts_with("\xff\xd8\xff")) return MediaType{"image/jpeg", ".jpg"};
  if (bytes.starts_with("GIF87a") || bytes.starts_with("GIF89a")) return MediaType{"image/gif", ".gif"};
  if (bytes.starts_with("RIFF") && bytes.substr(0, 12).ends_with("WEBP")) return MediaType{"image/webp", ".webp"};
  return std::nullopt;
}

std::optional<MediaType> clip_type(std::string_view bytes) {
  if (bytes.starts_with("RIFF") && bytes.substr(0, 12).ends_with("WAVE")) return MediaType{"audio/wav", ".wav"};
  return std::nullopt;
}

// What there is at one step of a series.
struct MediaStep {
  std::int64_t step = 0;
  double wall_secs = 0;
  std::int64_t width = 0, height = 0;  // of images
  double sample_rate = 0;              // of audio
  std::uint64_t count = 0;
};

// Tensors of clips do not say; the clips do. 0 where it cannot be read.
double rate_of(const std::string& clip) {
  const auto wav = format::decode_wav(std::as_bytes(std::span(clip)));
  return wav.ok() ? wav.value().rate_hz : 0;
}

Result<MediaStep> describe(const query::Place& place) {
  MediaStep step{place.entry.step, place.entry.wall_secs};
  if (place.kind == Kind::kImages) {
    Result<query::Images> images = query::images_at(place);
    if (!images.ok()) return images.status();
    step.width = images->width;
    step.height = images->height;
    step.count = images->encoded.size();
  } else {
    Result<query::AudioClips> clips = query::audio_at(place);
    if (!clips.ok()) return clips.status();
    step.sample_rate = clips->sample_rate;
    if (step.sample_rate == 0 && !clips->encoded.empty()) step.sample_rate = rate_of(clips->encoded.front());
    step.count = clips->encoded.size();
  }
  return step;
}

Response as_json(const std::vector<MediaStep>& steps, std::size_t total, Kind kind) {
  JsonWriter json;
  json.begin_object();
  json.member("total", total);
  json.key("steps");
  json.begin_array();
  for (const MediaStep& step : steps) {
    json.begin_object();
    json.member("step", step.step);
    json.member("wall_time", step.wall_secs);
    if (kind == Kind::kImages) {
      json.member("width", step.width);
      json.member("height", step.height);
    } else {
      json.member("sample_rate", step.sample_rate);
    }
    json.member("count", step.count);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json_response(json);
}

Response as_csv(const std::vector<MediaStep>& steps, Kind kind) {
  std::vector<std::int64_t> numbers, widths, heights;
  std::vector<double> times, rates;
  std::vector<std::uint64_t> counts;
  for (const MediaStep& step : steps) {
    numbers.push_back(step.step);
    times.push_back(step.wall_secs);
    widths.push_back(step.width);
    heights.push_back(step.height);
    rates.push_back(step.sample_rate);
    counts.push_back(step.count);
  }
  SmallTable table;
  table.add("step", ColumnType::kInt64, std::move(numbers));
  table.add("wall_time", ColumnType::kTimestamp, std::move(times));
  if (kind == Kind::kImages) {
    table.add("width", ColumnType::kInt64, std::move(widths));
    table.add("height", ColumnType::kInt64, std::move(heights));
  } else {
    table.add("sample_rate", ColumnType::kFloat64, std::move(rates));
  }
  table.add("count", ColumnType::kUint64, std::move(counts));
  return csv_response(std::move(table).cursor(steps.size()), kind == Kind::kImages ? "images" : "audio");
}

Response steps_of(const Request& request, const ServedLogs& logs, Kind kind) {
  Question question(request, {"run", "tag", "first_step", "last_step", "max_steps", "format"});
  const SeriesAddress address = series_address(question);
  const query::Selection selection = question.selection();
  const std::uint64_t most = question.number("max_steps", kUsualSteps, 1, kMostSteps);
  const std::string format = question.word("format", {"json", "csv"});
  if (!question.status().ok()) return error_response(question.status());
  const auto found = find_places(logs, address, kind, selection);
  if (!found.ok()) return error_response(found.status());
  const std::vector<query::Place>& places = found.value();
  const std::size_t count = std::min<std::size_t>(places.size(), most);
  std::vector<MediaStep> steps;
  for (std::size_t i = 0; i < count; ++i) {
    // Evenly spread, first and last included; of one, the last.
    const std::size_t at = count == 1 ? places.size() - 1 : i * (places.size() - 1) / (count - 1);
    const Result<MediaStep> step = describe(places[at]);
    // A damaged record takes only its own step away.
    if (step.ok()) steps.push_back(step.value());
  }
  return format == "csv" ? as_csv(steps, kind) : as_json(steps, places.size(), kind);
}

Response images(const Request& request, const ServedLogs& logs) { return steps_of(request, logs, Kind::kImages); }
Response audio(const Request& request, const ServedLogs& logs) { return steps_of(request, logs, Kind::kAudio); }

struct OneOf {
  ValueAddress address;
  std::uint64_t index = 0;  // within the step
};

OneOf one_of(Question& question) {
  OneOf one;
  one.address.series = series_address(question);
  one.address.step = question.step("step");
  one.index = question.number("index", 0, 0, std::numeric_limits<std::int32_t>::max());
  return one;
}

Response send(std::vector<std::string>& encoded, const OneOf& one,
              std::optional<MediaType> (*type_of)(std::string_view), std::string_view what) {
  if (one.index >= encoded.size()) {
    return error_response(
        Status(StatusCode::kNotFound, "step " + std::to_string(one.address.step) + " of '" + one.address.series.tag +
                                          "' has " + std::to_string(encoded.size()) + " " + std::string(what) +
                                          ", counted from 0; there is no " + std::to_string(one.index)));
  }
  std::string& bytes = encoded[one.index];
  const auto type = type_of(bytes);
  if (!type.has_value()) {
    return error_response(
        415, "unsupported",
        "'" + one.address.series.tag + "' at step " + std::to_string(one.address.step) +
            " is in a form that is not sent: " + "images are PNG, JPEG, GIF or WebP, and clips are WAV");
  }
  Response response = bytes_response(std::move(bytes), std::string(type->content_type), "");
  return response;
}

Response image(const Request& request, const ServedLogs& logs) {
  Question question(request, {"run", "tag", "step", "index"});
  const OneOf one = one_of(question);
  if (!question.status().ok()) return error_response(question.status());
  const auto place = find_place(logs, one.address, Kind::kImages);
  if (!place.ok()) return error_response(place.status());
  Result<query::Images> found = query::images_at(place.value());
  return found.ok() ? send(found->encoded, one, image_type, "images") : error_response(found.status());
}

Response clip(const Request& request, const ServedLogs& logs) {
  Question question(request, {"run", "tag", "step", "index"});
  const OneOf one = one_of(question);
  if (!question.status().ok()) return error_response(question.status());
  const auto place = find_place(logs, one.address, Kind::kAudio);
  if (!place.ok()) return error_response(place.status());
  Result<query::AudioClips> found = query::audio_at(place.value());
  return found.ok() ? send(found->encoded, one, clip_type, "clips") : error_response(found.status());
}

}  // namespace

void add_media_routes(Router& router, ServedLogs& logs) {
  add_route(router, logs, "images", images);
  add_route(router, logs, "image", image);
  add_route(router, logs, "audio", audio);
  add_route(router, logs, "audio/clip", clip);
}

}  // namespace tensortap::server
