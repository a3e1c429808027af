// recover: a damaged file in, a new file with every whole record out. The input is only ever read.
//
//   {"input", "output", "kind", "input_bytes", "kept_records", "kept_bytes", "lost_places", "lost_bytes",
//    "lost": [{"offset", "bytes", "reason"}]}
// "output" is null when nothing could be saved: then no file is made.
#include "cli/recover.h"

#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/try.h"
#include "cli/exit_code.h"
#include "cli/json_out.h"
#include "cli/new_file.h"
#include "cli/open_logs.h"
#include "cli/progress_bar.h"
#include "cli/record_copy.h"
#include "cli/units.h"
#include "cli/visible_text.h"
#include "event/file_names.h"

namespace tensortap::cli {
namespace {

struct RecoverOptions {
  std::string input;
  std::string output;
  bool json = false;
};

std::optional<store::RunFileKind> kind_by_name(const std::string& name) {
  if (event::is_captures_file_name(name)) return store::RunFileKind::kCaptures;
  if (event::is_events_file_name(name)) return store::RunFileKind::kEvents;
  return std::nullopt;
}

Result<store::ReadFile> open_input(const std::string& path) {
  const std::filesystem::path whole(path);
  const std::string parent = whole.parent_path().string();
  return store::ReadFile::open(parent.empty() ? "." : parent, whole.filename().string(), store::Links::kFollow);
}

// Whether something was saved.
bool has_output(const CopiedRecords& copied) { return copied.kept_records > 0 || copied.is_whole(); }

Result<CopiedRecords> copy(const RecoverOptions& options) {
  auto input = open_input(options.input);
  if (!input.ok()) return input.status();
  auto output = NewFile::create(options.output);
  if (!output.ok()) return output.status();
  const auto kind = kind_by_name(std::filesystem::path(options.input).filename().string());
  std::atomic<std::uint64_t> read_bytes{0};
  const std::uint64_t total_bytes = input->identity().size_bytes;
  ProgressBar bar(options.input, [&] { return store::LoadProgress{read_bytes, total_bytes}; });
  auto copied = RecordCopy(*input, output->file(), kind).run(read_bytes);
  if (copied.ok() && has_output(*copied)) TENSORTAP_TRY(output->commit());
  return copied;
}

void print_text(const RecoverOptions& options, const CopiedRecords& copied) {
  if (has_output(copied)) {
    fmt::print("kept {}, {}, in {}\n", counted(copied.kept_records, "record", "records"), size_text(copied.kept_bytes),
               visible_text(options.output));
  } else {
    fmt::print("{} holds no whole record; nothing was written\n", visible_text(options.input));
  }
  for (const store::Damage& lost : copied.lost) {
    fmt::print("lost {} at offset {}: {}\n", counted(lost.size_bytes, "byte", "bytes"), lost.offset, lost.reason);
  }
  if (copied.lost_places > copied.lost.size()) {
    fmt::print("lost {} in all, at {} places\n", size_text(copied.lost_bytes), count_text(copied.lost_places));
  }
  if (copied.is_whole()) fmt::print("nothing was lost: the file is whole\n");
}

void print_json(const RecoverOptions& options, const CopiedRecords& copied) {
  JsonOut json;
  json.begin_object(JsonLayout::kLines);
  json.member("input", options.input);
  json.key("output");
  has_output(copied) ? json.value(options.output) : json.null();
  json.member("kind", copied.kind == store::RunFileKind::kEvents ? "events" : "captures");
  json.member("input_bytes", copied.input_bytes);
  json.member("kept_records", copied.kept_records);
  json.member("kept_bytes", copied.kept_bytes);
  json.member("lost_places", copied.lost_places);
  json.member("lost_bytes", copied.lost_bytes);
  json.key("lost");
  json.begin_array(JsonLayout::kLines);
  for (const store::Damage& lost : copied.lost) {
    json.begin_object();
    json.member("offset", lost.offset);
    json.member("bytes", lost.size_bytes);
    json.member("reason", lost.reason);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

int run_recover(const RecoverOptions& options) {
  auto copied = copy(options);
  if (!copied.ok()) return fail("recover", copied.status());
  options.json ? print_json(options, *copied) : print_text(options, *copied);
  const std::string name = std::filesystem::path(options.output).filename().string();
  if (has_output(*copied) && kind_by_name(name) != copied->kind) {
    std::fflush(stdout);
    fmt::print(stderr, "tensortap recover: readers look for names {}; rename the file before they can find it\n",
               copied->kind == store::RunFileKind::kEvents ? "with 'tfevents' in them" : "like captures.*.tap");
  }
  return copied->is_whole() ? kClean : kDamaged;
}

}  // namespace

void add_recover(Program& program) {
  auto options = std::make_shared<RecoverOptions>();
  Command command =
      program.add("recover", "save what is whole in a damaged file",
                  "FILE is never changed, and nothing is ever overwritten.\n"
                  "Exit code: 0 whole, 2 wrong usage, 3 something was lost.\n"
                  "Example: tensortap recover runs/a/events.out.tfevents.1 --to saved/a/events.out.tfevents.1",
                  [options] { return run_recover(*options); });
  command.argument("FILE", &options->input, "an event file or a capture file");
  command.option("--to", &options->output, "FILE", "the new file", true);
  command.flag("--json", &options->json, "print JSON");
}

}  // namespace tensortap::cli
