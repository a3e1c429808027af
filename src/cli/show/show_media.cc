// Sounds and texts.
#include <fmt/format.h>

#include "base/file.h"
#include "base/try.h"
#include "cli/show/show_request.h"
#include "cli/units.h"
#include "cli/visible_text.h"
#include "format/wav.h"
#include "query/media.h"

namespace tensortap::cli {
namespace {

// What a clip says about itself; zeroes where it is no WAV that we know.
struct ClipFacts {
  double rate_hz = 0;
  int channels = 0;
  double seconds = 0;
};

ClipFacts facts_of(const std::string& encoded, double rate_hz) {
  ClipFacts facts{rate_hz, 0, 0};
  auto clip = format::decode_wav(bytes_of(encoded));
  if (!clip.ok() || clip->channels == 0 || clip->rate_hz == 0) return facts;
  facts.rate_hz = clip->rate_hz;
  facts.channels = clip->channels;
  facts.seconds = static_cast<double>(clip->samples.size()) / clip->channels / clip->rate_hz;
  return facts;
}

void print_audio_json(const ShowRequest& request, const query::Place& place, const query::AudioClips& audio) {
  JsonOut json;
  begin_json(json, request, place);
  json.member("content_type", audio.content_type);
  json.key("clips");
  json.begin_array();
  for (const std::string& each : audio.encoded) {
    const ClipFacts facts = facts_of(each, audio.sample_rate);
    json.begin_object();
    json.member("bytes", each.size());
    json.member("rate_hz", facts.rate_hz);
    json.member("channels", facts.channels);
    json.member("seconds", facts.seconds);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void print_audio(const ShowRequest& request, const query::Place& place, const query::AudioClips& audio) {
  print_heading(request, place, counted(audio.encoded.size(), "clip", "clips"));
  for (std::size_t i = 0; i < audio.encoded.size(); ++i) {
    const ClipFacts facts = facts_of(audio.encoded[i], audio.sample_rate);
    const std::string size = size_text(audio.encoded[i].size());
    if (facts.channels > 0) {
      fmt::print("{}: {:.3g} s  {:.0f} Hz  {}  {}\n", i, facts.seconds, facts.rate_hz,
                 counted(static_cast<std::uint64_t>(facts.channels), "channel", "channels"), size);
    } else {
      fmt::print("{}: {}  {}\n", i, visible_text(audio.content_type), size);
    }
  }
  if (request.save_path.empty()) fmt::print("--save FILE writes one to a file; --index N chooses it\n");
}

// One below the other; the rows of a table on a line each.
void print_strings(const query::Text& text) {
  const bool is_table = text.shape.size() == 2 && text.shape[1] > 1;
  for (std::size_t i = 0; i < text.strings.size(); ++i) {
    const bool ends_row = !is_table || (i + 1) % static_cast<std::size_t>(text.shape[1]) == 0;
    fmt::print("{}{}", visible_lines(text.strings[i]), ends_row ? "\n" : " | ");
  }
}

}  // namespace

Status show_audio(const ShowRequest& request) {
  auto place = chosen_place(request);
  if (!place.ok()) return place.status();
  auto audio = query::audio_at(*place);
  if (!audio.ok()) return audio.status();
  TENSORTAP_TRY(check_index(request, audio->encoded.size(), "clip"));
  if (!request.json) print_audio(request, *place, *audio);
  if (!request.save_path.empty()) TENSORTAP_TRY(save_bytes(request, audio->encoded[request.index]));
  if (request.json) print_audio_json(request, *place, *audio);
  return {};
}

Status show_text(const ShowRequest& request) {
  auto place = chosen_place(request);
  if (!place.ok()) return place.status();
  auto text = query::text_at(*place);
  if (!text.ok()) return text.status();
  if (request.json) {
    JsonOut json;
    begin_json(json, request, *place);
    json.list("shape", text->shape);
    json.list("strings", text->strings);
    json.end_object();
    return {};
  }
  // In a pipe only the text: for a reader of Markdown, say.
  if (request.terminal.is_terminal) {
    print_heading(request, *place, text->shape.empty() ? "" : "shape " + shape_to_string(text->shape));
  }
  print_strings(*text);
  return {};
}

}  // namespace tensortap::cli
