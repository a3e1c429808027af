// show: finds the series, and hands it to the function of its kind.
#include "cli/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "base/near_names.h"
#include "base/try.h"
#include "cli/exit_code.h"
#include "cli/kind_option.h"
#include "cli/open_logs.h"
#include "cli/show/show_request.h"
#include "cli/step_range.h"
#include "cli/visible_text.h"

namespace tensortap::cli {
namespace {

using store::Kind;

struct ShowOptions {
  LogsOptions logs;
  std::string run;
  std::string kind_name;
  std::string steps;
  ShowRequest request;
};

std::vector<Kind> kinds_of(const query::Run& run, const std::string& tag) {
  std::vector<Kind> kinds;
  for (const query::SeriesInfo& each : query::list_series(run)) {
    if (each.tag == tag) kinds.push_back(each.kind);
  }
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

std::string joined(const std::vector<Kind>& kinds) {
  std::string names;
  for (const Kind kind : kinds) names += (names.empty() ? "" : ", ") + std::string(store::kind_name(kind));
  return names;
}

// The kind that was asked for, or the first there is; then the others are named on stderr.
Result<Kind> choose_kind(const ShowRequest& request, std::optional<Kind> wanted) {
  const std::vector<Kind> kinds = kinds_of(request.run, request.tag);
  if (kinds.empty()) {
    return Status(StatusCode::kNotFound, "run '" + request.run.name + "' has no tag '" + request.tag + "'." +
                                             did_you_mean(request.tag, query::list_tags(request.run)));
  }
  if (wanted && std::find(kinds.begin(), kinds.end(), *wanted) == kinds.end()) {
    return Status(StatusCode::kNotFound, "'" + request.tag + "' has no " + std::string(store::kind_name(*wanted)) +
                                             "; it has " + joined(kinds));
  }
  if (!wanted && kinds.size() > 1) {
    std::fprintf(stderr, "tensortap show: '%s' has %s; --kind chooses\n", visible_text(request.tag).c_str(),
                 joined(kinds).c_str());
  }
  return wanted.value_or(kinds.front());
}

Status check_save(const ShowRequest& request) {
  const bool can_save = request.kind == Kind::kImages || request.kind == Kind::kAudio || request.kind == Kind::kGraphs;
  if (request.save_path.empty() || can_save) return {};
  return Status(StatusCode::kInvalidArgument, "--save is for images, audio and graphs, and '" + request.tag + "' has " +
                                                  std::string(store::kind_name(request.kind)));
}

Status answer(const ShowRequest& request) {
  switch (request.kind) {
    case Kind::kScalars: return show_scalars(request);
    case Kind::kStats:
    case Kind::kHistograms: return show_distribution(request);
    case Kind::kPredictions: return show_predictions(request);
    case Kind::kImages: return show_images(request);
    case Kind::kAudio: return show_audio(request);
    case Kind::kText: return show_text(request);
    case Kind::kHParams: return show_hparams(request);
    case Kind::kGraphs: return show_graph(request);
    case Kind::kTensors:
    case Kind::kPrCurves:
    case Kind::kMeshes:
    case Kind::kOther: break;
  }
  return show_tensor(request);
}

Status show(ShowOptions& options, const query::Runs& runs) {
  ShowRequest& request = options.request;
  auto wanted = parse_kind(options.kind_name);
  if (!wanted.ok()) return wanted.status();
  auto selection = parse_steps(options.steps);
  if (!selection.ok()) return selection.status();
  auto run = runs.find(options.run);
  if (!run.ok()) return run.status();
  request.run = std::move(*run);
  request.selection = *selection;
  request.terminal = stdout_terminal();
  auto kind = choose_kind(request, *wanted);
  if (!kind.ok()) return kind.status();
  request.kind = *kind;
  TENSORTAP_TRY(check_save(request));
  return answer(request);
}

int run_show(ShowOptions& options) {
  auto logs = open_logs(options.logs);
  if (!logs.ok()) return fail("show", logs.status());
  const Status status = show(options, *logs->runs);
  const int code = status.ok() ? kClean : fail("show", status);
  finish(std::move(*logs));
  return code;
}

}  // namespace

void add_show(Program& program) {
  auto options = std::make_shared<ShowOptions>();
  ShowRequest& request = options->request;
  Command command = program.add("show", "show a curve, a distribution, a tensor, an image in the terminal",
                                "In a pipe scalars are lines of step, tab and value.\n"
                                "Example: tensortap show runs a train/loss\n"
                                "         tensortap show runs a inputs --step 0 --save input.png",
                                [options] { return run_show(*options); });
  describe_logs(command, &options->logs);
  command.argument("RUN", &options->run, "a run of it, as `tensortap ls LOGDIR` names it");
  command.argument("TAG", &request.tag, "a tag of the run, as `tensortap ls LOGDIR RUN` names it");
  command.option("--kind", &options->kind_name, "KIND", "which, when the tag has several kinds");
  command.option("--step", &request.step, "N", "the value at this step (default: the last)");
  command.option("--steps", &options->steps, "A:B", "only steps from A to B, both included");
  command.option("--index", &request.index, 0, 1U << 30, "N",
                 "which picture or clip of a batch (default: 0, the first)");
  command.option("--width", &request.width, 20, 1000, "COLUMNS", "how wide to draw");
  command.option("--height", &request.height, 1, 1000, "LINES", "how high to draw");
  command.option("--save", &request.save_path, "FILE", "write the bytes of the picture, sound or graph to a new file");
  command.flag("--json", &request.json, "print JSON");
}

}  // namespace tensortap::cli
