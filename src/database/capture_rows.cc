// CaptureRows: the cells of each kind, in the order of schema.cc.
#include "database/capture_rows.h"

#include <unistd.h>

#include <array>
#include <cmath>
#include <cstring>

#include "base/utf8.h"
#include "database/prediction_cells.h"
#include "format/npy.h"
#include "format/number_text.h"

namespace tensortap::database {
namespace {

std::string clean(std::string_view untrusted) {
  if (is_valid_utf8(untrusted)) return std::string(untrusted);
  std::string text;
  for (std::size_t at = 0; at < untrusted.size();) {
    const std::size_t from = at;
    char32_t point = 0;
    if (next_code_point(untrusted, at, point)) {
      text.append(untrusted.substr(from, at - from));
    } else {
      text += "\xEF\xBF\xBD";
    }
  }
  return text;
}

Cell phase_cell(Phase phase) {
  switch (phase) {
    case Phase::kTrain: return "train";
    case Phase::kVal: return "val";
    case Phase::kPredict: return "predict";
    case Phase::kNone: break;
  }
  return {};
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "";
  return clean(name.data());
}

std::string last_part(const std::string& path) {
  const std::size_t end = path.find_last_not_of('/');
  if (end == std::string::npos) return path;
  const std::size_t slash = path.rfind('/', end);
  return path.substr(slash == std::string::npos ? 0 : slash + 1, slash == std::string::npos ? end + 1 : end - slash);
}

void add(Row& row, std::initializer_list<Cell> cells) { row.cells.insert(row.cells.end(), cells); }

std::vector<std::string> ids_of(const event::CapturedPredictions& predictions, std::int64_t samples) {
  std::vector<std::string> ids;
  ids.reserve(static_cast<std::size_t>(samples));
  for (std::int64_t sample = 0; sample < samples; ++sample) {
    const auto index = static_cast<std::size_t>(sample);
    std::int64_t number = sample;
    if (index < predictions.text_ids.size()) {
      ids.push_back(clean(predictions.text_ids[index]));
      continue;
    }
    if ((index + 1) * sizeof(number) <= predictions.number_ids.data.size()) {
      std::memcpy(&number, predictions.number_ids.data.data() + index * sizeof(number), sizeof(number));
    }
    ids.push_back(std::to_string(number));
  }
  return ids;
}

// A label that is NaN has a list too: in SQLite the number alone would look like no label.
Cell labels_cell(Cell numbers) {
  const auto* list = std::get_if<std::vector<double>>(&numbers);
  const bool is_plain_number = list != nullptr && list->size() == 1 && !std::isnan(list->front());
  return is_plain_number ? Cell() : std::move(numbers);
}

void add_hparam(Row& row, const HParam& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return add(row, {Cell(), clean(*text)});
  if (const auto* flag = std::get_if<bool>(&value)) {
    return add(row, {*flag ? 1.0 : 0.0, std::string(*flag ? "true" : "false")});
  }
  std::string text;
  format::append_number(text, std::get<double>(value));
  add(row, {std::get<double>(value), std::move(text)});
}

}  // namespace

Row CaptureRows::run(const recorder::RunInfo& info) const {
  return {TableId::kRuns,
          {run_id_, clean(last_part(info.path)), clean(info.path), host_name(), static_cast<std::int64_t>(::getpid()),
           info.opened_secs, Cell(), Cell(), Cell(), Cell()}};
}

std::int64_t CaptureRows::tag_id(const CaptureInfo& info, Rows& rows) {
  std::string name(info.sub_run);
  if (!name.empty()) name += '/';
  name += info.head.tag;
  const auto [found, is_new] = tag_ids_.try_emplace(std::move(name), next_tag_id_);
  if (is_new) {
    ++next_tag_id_;
    rows.push_back({TableId::kTags, {run_id_, found->second, clean(found->first)}});
  }
  return found->second;
}

void CaptureRows::forget_tag(const Rows& rows) {
  if (rows.empty() || rows.front().table != TableId::kTags) return;
  const std::int64_t id = std::get<std::int64_t>(rows.front().cells[1]);
  std::erase_if(tag_ids_, [id](const auto& entry) { return entry.second == id; });
}

Row CaptureRows::start(TableId table, const CaptureInfo& info, std::int64_t tag_id, std::int64_t item) const {
  Row row{table, {}};
  row.cells.reserve(item < 0 ? 8 : 16);
  add(row, {run_id_, tag_id, static_cast<std::int64_t>(info.head.sequence)});
  if (item >= 0) row.cells.emplace_back(item);
  row.cells.emplace_back(info.head.time.step);
  row.cells.push_back(info.epoch == recorder::kNoEpoch ? Cell() : Cell(info.epoch));
  row.cells.push_back(phase_cell(info.head.phase));
  row.cells.emplace_back(info.head.time.wall_secs);
  return row;
}

CaptureRows::Rows CaptureRows::scalar(const CaptureInfo& info, double value) {
  Rows rows;
  rows.push_back(start(TableId::kScalars, info, tag_id(info, rows)));
  rows.back().cells.emplace_back(value);
  return rows;
}

CaptureRows::Rows CaptureRows::stats(const CaptureInfo& info, const event::CapturedStats& captured) {
  const TensorStats& stats = captured.stats;
  Rows rows;
  Row row = start(TableId::kStats, info, tag_id(info, rows));
  add(row, {std::string(dtype_name(captured.dtype)), shape_to_string(captured.shape)});
  for (std::uint64_t count : {stats.count, stats.zeros, stats.nan, stats.positive_inf, stats.negative_inf,
                              stats.negatives, stats.subnormals}) {
    row.cells.emplace_back(static_cast<std::int64_t>(count));
  }
  add(row, {stats.min, stats.max, stats.mean(), stats.std(), stats.l1, stats.l2()});
  for (double fraction : {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99}) row.cells.emplace_back(stats.percentile(fraction));
  rows.push_back(std::move(row));
  return rows;
}

Result<CaptureRows::Rows> CaptureRows::tensor(const CaptureInfo& info, const event::CapturedTensor& tensor) {
  Result<std::string> npy = format::encode_npy({tensor.data.data(), tensor.dtype, tensor.shape, {}});
  if (!npy.ok()) return npy.status();
  Rows rows;
  Row row = start(TableId::kTensors, info, tag_id(info, rows));
  add(row, {std::string(dtype_name(tensor.dtype)), shape_to_string(tensor.shape)});
  row.cells.emplace_back(Blob{std::move(*npy)});
  rows.push_back(std::move(row));
  return rows;
}

Result<CaptureRows::Rows> CaptureRows::predictions(const CaptureInfo& info,
                                                   const event::CapturedPredictions& predictions) {
  if (predictions.y_pred.shape.empty()) return Status(StatusCode::kInvalidArgument, "predictions without samples");
  const std::int64_t samples = predictions.y_pred.shape.front();
  const SampleReader outputs(predictions.y_pred, samples);
  const SampleReader labels(predictions.y_true, samples);
  std::vector<std::string> ids = ids_of(predictions, samples);
  const std::string dtype(dtype_name(predictions.y_pred.dtype));
  const std::string shape = shape_to_string(outputs.sample_shape());
  Rows rows;
  const std::int64_t tag = tag_id(info, rows);
  for (std::int64_t sample = 0; sample < samples; ++sample) {
    Row row = start(TableId::kPredictions, info, tag, sample);
    Cell output = outputs.numbers(sample);
    Cell label = labels.numbers(sample);
    add(row, {std::move(ids[static_cast<std::size_t>(sample)]), label_class(label, labels.sample_shape()),
              predicted_class(output, outputs.sample_shape()), dtype, shape});
    row.cells.push_back(std::move(output));
    row.cells.push_back(labels_cell(std::move(label)));
    row.cells.push_back(outputs.npy(sample));
    row.cells.push_back(labels.npy(sample));
    rows.push_back(std::move(row));
  }
  return rows;
}

CaptureRows::Rows CaptureRows::images(const CaptureInfo& info, std::span<const recorder::EncodedImage> images) {
  Rows rows;
  const std::int64_t tag = tag_id(info, rows);
  for (std::size_t i = 0; i < images.size(); ++i) {
    rows.push_back(start(TableId::kImages, info, tag, static_cast<std::int64_t>(i)));
    add(rows.back(), {std::int64_t{images[i].width}, std::int64_t{images[i].height}});
    rows.back().cells.emplace_back(Blob{images[i].png});
  }
  return rows;
}

CaptureRows::Rows CaptureRows::audio(const CaptureInfo& info, std::span<const std::string> clips) {
  Rows rows;
  const std::int64_t tag = tag_id(info, rows);
  for (std::size_t i = 0; i < clips.size(); ++i) {
    rows.push_back(start(TableId::kAudio, info, tag, static_cast<std::int64_t>(i)));
    rows.back().cells.emplace_back(Blob{clips[i]});
  }
  return rows;
}

CaptureRows::Rows CaptureRows::texts(const CaptureInfo& info, std::span<const std::string> texts) {
  Rows rows;
  const std::int64_t tag = tag_id(info, rows);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    rows.push_back(start(TableId::kTexts, info, tag, static_cast<std::int64_t>(i)));
    rows.back().cells.emplace_back(clean(texts[i]));
  }
  return rows;
}

CaptureRows::Rows CaptureRows::hparams(const CaptureInfo& info, const HParams& hparams) {
  Rows rows;
  const std::int64_t tag = tag_id(info, rows);
  std::int64_t item = 0;
  for (const auto& [name, value] : hparams) {
    rows.push_back(start(TableId::kHparams, info, tag, item++));
    rows.back().cells.emplace_back(clean(name));
    add_hparam(rows.back(), value);
  }
  return rows;
}

}  // namespace tensortap::database
