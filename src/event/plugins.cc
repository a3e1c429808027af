// The contents of plug-in metadata, field by field as TensorBoard's plugin_data.proto files have them.
#include "event/plugins.h"

#include "wire/protobuf.h"

namespace tensortap::event {
namespace {

using wire::add_text;
using wire::MessageWriter;

// google.protobuf.Value
void add_value(MessageWriter& parent, std::uint32_t number, const HParam& value) {
  MessageWriter message(parent, number);
  if (const double* as_number = std::get_if<double>(&value)) message.add_double(2, *as_number);
  if (const std::string* as_text = std::get_if<std::string>(&value)) add_text(message, 3, *as_text);
  if (const bool* as_bool = std::get_if<bool>(&value)) message.add_bool(4, *as_bool);
}

// DATA_TYPE_STRING 1, DATA_TYPE_BOOL 2, DATA_TYPE_FLOAT64 3
std::int32_t data_type_of(const HParam& value) {
  if (std::holds_alternative<std::string>(value)) return 1;
  return std::holds_alternative<bool>(value) ? 2 : 3;
}

std::string_view mesh_part_name(MeshPart part) {
  switch (part) {
    case MeshPart::kVertices: return "VERTEX";
    case MeshPart::kFaces: return "FACE";
    case MeshPart::kColors: return "COLOR";
  }
  return "";
}

}  // namespace

std::string hparams_start_content(const HParams& hparams, std::string_view group_name, double start_secs) {
  std::string bytes;
  MessageWriter data(bytes);
  {
    MessageWriter start(data, 3);
    for (const auto& [name, value] : hparams) {
      MessageWriter entry(start, 1);
      add_text(entry, 1, name);
      add_value(entry, 2, value);
    }
    if (!group_name.empty()) add_text(start, 4, group_name);
    start.add_double(5, start_secs);
  }
  return bytes;
}

std::string hparams_end_content(bool success, double end_secs) {
  std::string bytes;
  MessageWriter data(bytes);
  {
    MessageWriter end(data, 4);
    end.add_enum(1, success ? 1 : 2);
    end.add_double(2, end_secs);
  }
  return bytes;
}

std::string hparams_experiment_content(const HParams& hparams, const std::vector<std::string>& metric_tags,
                                       double created_secs) {
  std::string bytes;
  MessageWriter data(bytes);
  {
    MessageWriter experiment(data, 2);
    experiment.add_double(3, created_secs);
    for (const auto& [name, value] : hparams) {
      MessageWriter info(experiment, 4);
      add_text(info, 1, name);
      info.add_enum(4, data_type_of(value));
    }
    for (const std::string& tag : metric_tags) {
      // TensorBoard names a metric by the sub-run it stands in and its tag there: "val/loss" is loss of val.
      const std::size_t slash = tag.find('/');
      const bool in_sub_run = slash != std::string::npos;
      MessageWriter info(experiment, 5);
      MessageWriter name(info, 1);
      if (in_sub_run) add_text(name, 1, std::string_view(tag).substr(0, slash));
      add_text(name, 2, in_sub_run ? std::string_view(tag).substr(slash + 1) : std::string_view(tag));
    }
  }
  return bytes;
}

std::string pr_curve_content(int num_thresholds) {
  std::string bytes;
  MessageWriter data(bytes);
  data.add_uint32(2, static_cast<std::uint32_t>(num_thresholds));
  return bytes;
}

std::string mesh_part_tag(std::string_view tag, MeshPart part) {
  return std::string(tag) + "_" + std::string(mesh_part_name(part));
}

std::string mesh_content(std::string_view tag, MeshPart part, unsigned components, const Shape& shape,
                         std::string_view json_config) {
  std::string bytes;
  MessageWriter data(bytes);
  add_text(data, 2, tag);
  data.add_enum(3, static_cast<std::int32_t>(part));
  add_text(data, 5, json_config);
  data.add_packed_int64(6, shape.begin(), shape.end());
  data.add_uint32(7, components);
  return bytes;
}

std::string audio_content() {
  std::string bytes;
  MessageWriter data(bytes);
  data.add_enum(2, 11);
  return bytes;
}

}  // namespace tensortap::event
