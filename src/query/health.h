// Health: whether the files of a log directory are whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/runs.h"

namespace tensortap::query {

struct FileReport {
  std::string path;
  std::string run;
  store::RunFileKind kind = store::RunFileKind::kEvents;
  std::uint64_t size_bytes = 0;
  std::uint64_t records = 0;
  std::vector<store::Damage> damage;  // the first thousand places
  std::uint64_t damaged_places = 0;
  std::uint64_t damaged_bytes = 0;
  store::Tail tail;
  bool settled = false;                        // nobody has written for a minute
  std::string error;                           // could not be read at all, or a format that is too new
  std::uint64_t dropped = 0;                   // by its writer
  std::optional<store::CaptureWriter> writer;  // of a capture file

  // A torn tail alone is no damage: its writer died or is writing, and all before it is whole.
  bool damaged() const;
};

struct HealthReport {
  std::vector<FileReport> files;  // by run, then by name
  std::vector<store::UnreadablePath> skipped;
  std::uint64_t records = 0;
  std::uint64_t damaged_files = 0;
};

HealthReport health(const store::Snapshot& snapshot);

}  // namespace tensortap::query
