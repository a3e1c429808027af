#!/usr/bin/env bash
# Runs make targets one after the other, with the seconds of each; stops at the first that fails.
set -uo pipefail
cd "$(dirname "$0")/.."

summary=()
for stage in "$@"; do
  printf '\n=== %s ===\n' "$stage"
  started=$SECONDS
  if "${MAKE:-make}" --no-print-directory "$stage"; then result=ok; else result=FAILED; fi
  seconds=$((SECONDS - started))
  printf -- '--- %s: %s, %d s\n' "$stage" "$result" "$seconds"
  summary+=("$(printf '%-18s %-6s %5d s' "$stage" "$result" "$seconds")")
  [[ $result == ok ]] || break
done

printf '\n=== summary ===\n'
printf '%s\n' "${summary[@]}"
printf '%-18s %-6s %5d s\n' all "$result" "$SECONDS"
if [[ $result != ok ]]; then
  printf 'run `make %s` to repeat the stage that failed\n' "$stage"
  exit 1
fi
