#!/usr/bin/env bash
# Makes .venv out of the requirements files; does nothing while neither they nor the Python have changed.
set -euo pipefail
cd "$(dirname "$0")/.."

find_python() {  # the first of $PYTHON, python3, python3.13 .. python3.10 that is 3.10 to 3.13
  local candidate
  for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11 python3.10; do
    if "$candidate" -c 'import sys, venv; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then
      echo "$candidate"; return
    fi
  done
  echo "Tensortap needs Python 3.10 to 3.13 with venv; none found. Set PYTHON=/path/to/python3." >&2
  return 1
}

stamp=.venv/.requirements-stamp
requirements=$(cat requirements.txt requirements-without-dependencies.txt | sha256sum | cut -d' ' -f1)
if [[ -x .venv/bin/python && -e $stamp && "$(cat $stamp)" == "$requirements" ]] && .venv/bin/python -c ''; then
  exit 0
fi

if ! .venv/bin/python -c 'import pip' 2>/dev/null; then
  python=$(find_python)
  echo "making .venv with $("$python" --version)"
  rm -rf .venv
  "$python" -m venv .venv
fi
rm -f "$stamp"
echo "installing requirements.txt into .venv (TensorFlow is large: about 2 GB on disk)"
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input -r requirements.txt
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input --no-deps \
  -r requirements-without-dependencies.txt
echo "$requirements" >"$stamp"
