// Health: what the loader noticed, file by file.
#include "query/health.h"

namespace tensortap::query {

bool FileReport::damaged() const {
  if (!error.empty() || damaged_places > 0) return true;
  if (tail.kind == store::TailKind::kUnreadable) return true;
  // Zeroes may still be filled in while the file is young.
  return tail.kind == store::TailKind::kZeroes && settled;
}

HealthReport health(const store::Snapshot& snapshot) {
  HealthReport report;
  report.skipped = snapshot.unreadable;
  for (const auto& file : snapshot.files) {
    const store::FileProgress progress = file->progress();
    FileReport each;
    each.path = file->file().path();
    each.run = file->file().run;
    each.kind = file->file().kind;
    each.size_bytes = progress.size_bytes;
    each.tail = progress.tail;
    each.settled = progress.settled;
    each.error = progress.error;
    file->read([&](const store::FileContents& contents) {
      each.records = contents.notes.records;
      each.damage = contents.damage.first;
      each.damaged_places = contents.damage.places;
      each.damaged_bytes = contents.damage.size_bytes;
      each.dropped = contents.notes.dropped;
      each.writer = contents.notes.writer;
      if (each.error.empty()) each.error = contents.notes.unsupported;
    });
    report.records += each.records;
    report.damaged_files += each.damaged() ? 1 : 0;
    report.files.push_back(std::move(each));
  }
  return report;
}

}  // namespace tensortap::query
