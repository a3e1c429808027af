#!/usr/bin/env bash
# Installs what `make test-cpp` built into an empty prefix, then builds and runs the consumer beside this file against it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --preset dev -Wno-dev >/dev/null
cmake --build --preset dev
cmake --install build/dev --prefix "$work/prefix" >/dev/null

cmake -S "$here/consumer" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/build"
run_path=$("$work/build/consumer" "$work/runs/cpp")
echo "recorded: ${run_path#"$work/"}"

fail() { echo "install test: $1" >&2; exit 1; }
[[ -d $run_path ]] || fail "$run_path is not a directory"
[[ -n "$(find "$run_path" -name 'events.out.tfevents.*' -size +0)" ]] || fail "no event file in $run_path"
[[ -n "$(find "$run_path" -name '*.tap' -size +0)" ]] || fail "no capture file in $run_path"
library=$(find "$work/prefix" -name libtensortap.so)
[[ ! -e build/dev/src/tensortap_postgresql.so || -e ${library%/*}/tensortap_postgresql.so ]] ||
  fail "tensortap_postgresql.so is not beside $library"
"$work/prefix/bin/tensortap" --help >/dev/null || fail "the installed program does not start"
echo "install test: ok"
