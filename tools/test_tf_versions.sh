#!/usr/bin/env bash
# Runs the zoo on other versions of TensorFlow, with the very files that `make build` compiled.
#
# tools/test_tf_versions.sh [VERSION...]. Each version gets an environment under build/tf-VERSION, made once.
# Nothing is compiled for it: the extension and the ops are copied out of .venv, so they must work with all versions.
set -euo pipefail
cd "$(dirname "$0")/.."

versions=("$@")
[[ $# -gt 0 ]] || versions=(2.16.2 2.18.1 2.20.0)
compiled=$(.venv/bin/python -c 'import tensortap._record as m, pathlib; print(pathlib.Path(m.__file__).parent)')

make_environment() {  # VERSION DIRECTORY
  [[ -e $2/.made && "$(cat "$2/.made")" == "$(recipe)" ]] && return
  echo "making $2 (TensorFlow is large: about 2 GB on disk)"
  rm -rf "$2"
  .venv/bin/python -m venv "$2"
  # TensorFlow brings the NumPy and Keras that fit it. tf_keras asks for the other name of the same TensorFlow.
  "$2/bin/python" -m pip install --quiet --disable-pip-version-check --no-input "tensorflow_cpu==$1" 'pytest>=8,<10'
  "$2/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --no-deps "tf_keras==${1%.*}.*"
  recipe >"$2/.made"
}

recipe() { declare -f make_environment | sha256sum; }

install_tensortap() {  # DIRECTORY
  local package
  package=$("$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')/tensortap
  rm -rf "$package"
  cp -r "$compiled" "$package"
  cp -r python/tensortap/. "$package"
}

failed=()
for version in "${versions[@]}"; do
  directory=build/tf-$version
  printf '\n=== TensorFlow %s ===\n' "$version"
  make_environment "$version" "$directory"
  install_tensortap "$directory"
  "$directory/bin/python" -m pytest -q tests/zoo || failed+=("$version")
done

if [[ ${#failed[@]} -gt 0 ]]; then
  printf 'the zoo failed on TensorFlow %s; to repeat: tools/test_tf_versions.sh %s\n' "${failed[*]}" "${failed[0]}"
  exit 1
fi
printf 'the zoo is right on TensorFlow %s\n' "${versions[*]}"
