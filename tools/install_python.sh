#!/usr/bin/env bash
# Builds the extension and the program and installs them into .venv, editable; does nothing when up to date.
#
# Up to date means: .venv has not been remade, no C++ or build file is newer than the last install, nor the page,
# the list of files is the same, and ninja has nothing to do. Changed .py files need no install: .venv points at them.
set -euo pipefail
cd "$(dirname "$0")/.."

build=build/python
stamp=$build/.installed
sources=(src include cmake python/bindings CMakeLists.txt pyproject.toml)
[[ ! -e web/dist ]] || sources+=(web/dist)  # the page, which is built into the program

file_list() {
  find "${sources[@]}" python/tensortap -type f ! -name '*.pyc' ! -name '*_test.cc' | sort
}

is_current() {
  [[ -e $stamp && -x .venv/bin/tensortap && .venv/.requirements-stamp -ot $stamp ]] || return 1
  [[ -z "$(find "${sources[@]}" -type f ! -name '*_test.cc' -newer $stamp -print -quit)" ]] || return 1
  [[ "$(file_list | sha256sum)" == "$(cat $stamp)" ]] || return 1
  [[ "$(ninja -C $build -n)" == *"no work to do"* ]]
}

is_current && exit 0
mkdir -p $build
exec 9>$build/.lock && flock 9  # two builds at once would remove each other's files
is_current && exit 0
echo "building the extension and the program (the first time takes minutes)"
started=$(mktemp)
trap 'rm -f "$started"' EXIT
# The compiler by the name that CMake takes for the other build directories: ccache tells g++ and c++ apart.
CC=${CC:-cc} CXX=${CXX:-c++} .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
  --no-build-isolation --no-deps --editable .
file_list | sha256sum >$stamp
# A file saved while the compiler ran must count as newer.
touch -r "$started" $stamp
