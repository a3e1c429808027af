// Media: values of both versions of summaries, copied out of their records.
#include "query/media.h"

#include "event/event_fields.h"
#include "event/plugins.h"
#include "event/summary_values.h"
#include "event/tensor_proto.h"
#include "query/place_values.h"

namespace tensortap::query {
namespace {

using event::EventForm;
using event::ScannedValue;
using event::ValueForm;

std::vector<std::string> copies(const std::vector<std::string_view>& views) { return {views.begin(), views.end()}; }

// The RunMetadata within a TaggedRunMetadata.
Result<Graph> run_metadata_of(std::string_view tagged) {
  constexpr std::uint32_t kRunMetadata = 2;
  Graph graph{GraphForm::kRunMetadata, ""};
  wire::FieldCursor fields(tagged);
  for (wire::Field at; fields.next(at);) {
    if (at.is(kRunMetadata, wire::WireType::kBytes)) graph.bytes = at.bytes;
  }
  if (fields.damaged()) return Status(StatusCode::kCorrupt, "the value is not a TaggedRunMetadata");
  return graph;
}

GraphForm form_of_plugin(std::string_view plugin) {
  if (plugin == event::plugin::kKerasModel) return GraphForm::kKerasModel;
  // tf.summary.trace_export writes both: the second is the one without a profile.
  if (plugin == "graph_run_metadata" || plugin == "graph_run_metadata_graph") return GraphForm::kRunMetadata;
  return GraphForm::kOther;
}

// What the value says itself counts; mostly only the first of a tag says anything.
std::string plugin_of(const ScannedValue& value, const Run& run, std::string_view tag) {
  event::Metadata metadata;
  if (event::scan_metadata(value.metadata, metadata) && !metadata.plugin.empty()) return std::string(metadata.plugin);
  const auto info = tag_info(run, tag, store::Kind::kGraphs);
  return info == nullptr ? "" : info->plugin;
}

Result<Graph> graph_of_value(const Place& place, const Run& run, std::string_view tag) {
  return use_value(place, "graph", [&](const ScannedValue& value) -> Result<Graph> {
    if (value.form != ValueForm::kTensor) return not_there(place, "graph");
    const auto strings = event::strings_of_tensor(value.body);
    if (!strings || strings->size() != 1) {
      return Status(StatusCode::kCorrupt, "the tensor does not hold one string, which a graph is");
    }
    return Graph{form_of_plugin(plugin_of(value, run, tag)), std::string(strings->front())};
  });
}

}  // namespace

Result<Images> images_at(const Place& place) {
  return use_value(place, "images", [&](const ScannedValue& value) -> Result<Images> {
    if (value.form != ValueForm::kTensor && value.form != ValueForm::kImage) return not_there(place, "images");
    Result<event::ImagesView> images =
        value.form == ValueForm::kTensor ? event::images_of_tensor(value.body) : event::images_of_v1(value.body);
    if (!images.ok()) return images.status();
    return Images{images->width, images->height, copies(images->encoded)};
  });
}

Result<AudioClips> audio_at(const Place& place) {
  return use_value(place, "audio", [&](const ScannedValue& value) -> Result<AudioClips> {
    if (value.form != ValueForm::kTensor && value.form != ValueForm::kAudio) return not_there(place, "audio");
    Result<event::AudioView> audio =
        value.form == ValueForm::kTensor ? event::audio_of_tensor(value.body) : event::audio_of_v1(value.body);
    if (!audio.ok()) return audio.status();
    // Tensors do not say: TensorBoard knows no other encoding.
    const std::string_view type = audio->content_type.empty() ? "audio/wav" : audio->content_type;
    return AudioClips{audio->sample_rate, copies(audio->encoded), std::string(type)};
  });
}

Result<Text> text_at(const Place& place) {
  return use_value(place, "text", [&](const ScannedValue& value) -> Result<Text> {
    if (value.form != ValueForm::kTensor) return not_there(place, "text");
    Result<event::DecodedTensor> tensor = event::decode_tensor_proto(value.body);
    if (!tensor.ok()) return tensor.status();
    if (tensor->dtype != DType::kString) {
      return Status(StatusCode::kCorrupt,
                    "a text's tensor holds strings, not " + std::string(dtype_name(tensor->dtype)));
    }
    return Text{std::move(tensor->shape), std::move(tensor->strings)};
  });
}

Result<Graph> graph_at(const Place& place, const Run& run, std::string_view tag) {
  if (is_in_captures(place)) return not_there(place, "graph");
  Result<std::string> record = read_record(place);
  if (!record.ok()) return record.status();
  event::ScannedEvent event;
  if (!event::scan_event(*record, event)) {
    return located(Status(StatusCode::kCorrupt, "the record is not an Event"), place);
  }
  switch (event.form) {
    case EventForm::kGraphDef: return Graph{GraphForm::kGraphDef, std::string(event.body)};
    case EventForm::kMetaGraphDef: return Graph{GraphForm::kMetaGraphDef, std::string(event.body)};
    case EventForm::kTaggedRunMetadata: return located(run_metadata_of(event.body), place);
    case EventForm::kSummary: return graph_of_value(place, run, tag);
    default: return not_there(place, "graph");
  }
}

}  // namespace tensortap::query
