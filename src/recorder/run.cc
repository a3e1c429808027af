// Run: the public face of a Channel, which swallows what the Channel reports.
#include "tensortap/run.h"

#include "recorder/channel.h"

namespace tensortap {

Run::Run(std::shared_ptr<recorder::Channel> channel) : channel_(std::move(channel)) {}

Result<Run> Run::open(const std::string& path, RunOptions options) {
  auto channel = recorder::Channel::open(path, options);
  if (!channel.ok()) return channel.status();
  Run run(std::move(channel).value());
  run.is_root_ = true;
  return run;
}

Run::Run(Run&&) noexcept = default;

Run& Run::operator=(Run&& other) noexcept {
  if (this == &other) return *this;
  if (channel_ && is_root_) (void)close();
  channel_ = std::move(other.channel_);
  is_root_ = other.is_root_;
  return *this;
}

Run::~Run() {
  if (channel_ && is_root_) (void)close();
}

Result<Run> Run::sub(std::string_view name) {
  auto channel = channel_->sub(name);
  if (!channel.ok()) return channel.status();
  return Run(std::move(channel).value());
}

void Run::scalar(std::string_view tag, double value, std::int64_t step) {
  channel_->remember(channel_->scalar(tag, value, step));
}
void Run::histogram(std::string_view tag, const KeptTensor& values, std::int64_t step, Phase phase) {
  channel_->remember(channel_->histogram(tag, values, step, phase));
}
void Run::tensor(std::string_view tag, const KeptTensor& values, std::int64_t step, Phase phase) {
  channel_->remember(channel_->tensor(tag, values, step, phase));
}
void Run::image(std::string_view tag, const KeptTensor& pixels, std::int64_t step, ImageScale scale) {
  channel_->remember(channel_->image(tag, pixels, step, scale));
}
void Run::audio(std::string_view tag, const KeptTensor& samples, double rate_hz, std::int64_t step) {
  channel_->remember(channel_->audio(tag, samples, rate_hz, step));
}
void Run::text(std::string_view tag, std::string_view markdown, std::int64_t step) {
  channel_->remember(channel_->text(tag, {std::string(markdown)}, {}, step));
}
void Run::predictions(std::string_view tag, const Predictions& predictions, std::int64_t step, Phase phase) {
  channel_->remember(channel_->predictions(tag, predictions, step, phase));
}
void Run::hparams(const HParams& hparams, const std::vector<std::string>& metric_tags) {
  channel_->remember(channel_->hparams(hparams, metric_tags));
}
void Run::graph(std::string_view graph_def) { channel_->remember(channel_->graph(graph_def)); }
void Run::keras_model(std::string_view json) { channel_->remember(channel_->keras_model(json)); }
void Run::pr_curve(std::string_view tag, const KeptTensor& labels, const KeptTensor& scores, std::int64_t step,
                   int num_thresholds) {
  channel_->remember(channel_->pr_curve(tag, labels, scores, step, num_thresholds));
}
void Run::mesh(std::string_view tag, const Mesh& mesh, std::int64_t step) {
  channel_->remember(channel_->mesh(tag, mesh, step));
}

Status Run::flush() { return channel_->flush(); }
Status Run::sync() { return channel_->sync(); }
Status Run::close(bool success) { return is_root_ ? channel_->close(success) : channel_->flush(); }
Status Run::status() const { return channel_->status(); }
RunReport Run::report() const { return channel_->report(); }
const std::string& Run::path() const { return channel_->path(); }
const std::vector<std::string>& Run::notes() const { return channel_->notes(); }

}  // namespace tensortap
