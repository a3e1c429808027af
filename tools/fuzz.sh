#!/usr/bin/env bash
# Runs each built fuzz target for FUZZ_SECONDS on its kept corpus; a finding is left in build/fuzz/findings/.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${FUZZ_SECONDS:-60}
findings=build/fuzz/findings
mkdir -p $findings
shopt -s nullglob
sources=(fuzz/*_fuzz.cc)
if [[ ${#sources[@]} -eq 0 ]]; then echo "no fuzz targets: fuzz/*_fuzz.cc is empty" >&2; exit 1; fi
for source in "${sources[@]}"; do
  target=$(basename "$source" .cc)
  corpus=fuzz/corpus/${target%_fuzz}
  grown=build/fuzz/corpus/${target%_fuzz}
  mkdir -p "$corpus" "$grown"
  echo "--- $target: $seconds s, $(find "$corpus" -type f | wc -l) kept inputs"
  # New inputs go to the first directory; the kept corpus is only read.
  build/fuzz/fuzz/"$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -verbosity=0 \
    -print_final_stats=1 -artifact_prefix=$findings/"$target"- "$grown" "$corpus"
done
