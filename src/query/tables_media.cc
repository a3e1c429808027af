// The tables of media: a row for each picture, clip and text.
#include "query/media.h"
#include "query/table_cursors.h"

namespace tensortap::query {
namespace {

void add_sample_cells(const PlannedPlace& planned, std::size_t sample, BatchWriter& rows) {
  add_value_cells(planned, rows);
  rows.add_int64(static_cast<std::int64_t>(sample));
}

Status append_images(const PlannedPlace& planned, BatchWriter& rows) {
  Result<Images> images = images_at(planned.place);
  if (!images.ok()) return images.status();
  for (std::size_t i = 0; i < images->encoded.size(); ++i) {
    add_sample_cells(planned, i, rows);
    rows.add_int64(images->width);
    rows.add_int64(images->height);
    rows.add_text(std::move(images->encoded[i]));
  }
  return {};
}

Status append_audio(const PlannedPlace& planned, BatchWriter& rows) {
  Result<AudioClips> clips = audio_at(planned.place);
  if (!clips.ok()) return clips.status();
  for (std::size_t i = 0; i < clips->encoded.size(); ++i) {
    add_sample_cells(planned, i, rows);
    rows.add_text(std::move(clips->encoded[i]));
  }
  return {};
}

Status append_text(const PlannedPlace& planned, BatchWriter& rows) {
  Result<Text> text = text_at(planned.place);
  if (!text.ok()) return text.status();
  for (std::size_t i = 0; i < text->strings.size(); ++i) {
    add_sample_cells(planned, i, rows);
    rows.add_text(std::move(text->strings[i]));
  }
  return {};
}

}  // namespace

PlaceTable images_table() {
  return {heads_of_values({{"sample", ColumnType::kInt64},
                           {"width", ColumnType::kInt64},
                           {"height", ColumnType::kInt64},
                           {"data", ColumnType::kBinary}}),
          {},
          append_images};
}

PlaceTable audio_table() {
  return {heads_of_values({{"sample", ColumnType::kInt64}, {"data", ColumnType::kBinary}}), {}, append_audio};
}

PlaceTable text_table() {
  return {heads_of_values({{"sample", ColumnType::kInt64}, {"text", ColumnType::kText}}), {}, append_text};
}

}  // namespace tensortap::query
