#!/usr/bin/env bash
# Makes sure that the Debian packages of a group are installed: system_packages.sh build|browser|bench|fuzz|postgresql|optional
#
# Installs what is missing when it may (root, or sudo without a password); otherwise prints the line to type
# and exits 1. The optional group only saves time: it is tried once and never fails.
set -euo pipefail
cd "$(dirname "$0")/.."

packages_of() {
  case "$1" in
    build) echo build-essential cmake ninja-build pkg-config git python3-venv python3-dev libhwy-dev \
      libprotozero-dev libpng-dev zlib1g-dev libgtest-dev libgmock-dev libbenchmark-dev libcli11-dev libfmt-dev nlohmann-json3-dev \
      libboost1.81-dev libsqlite3-dev libpq-dev ;;
    postgresql) echo postgresql ;;
    browser) echo chromium ;;
    bench) echo wrk ;;
    fuzz) echo clang-16 libclang-rt-16-dev ;;
    optional) echo ccache mold ;;
    *) echo "usage: $0 build|browser|bench|fuzz|postgresql|optional" >&2; exit 2 ;;
  esac
}

is_installed() {
  [[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]
}

missing_of() {
  local package
  for package in "$@"; do is_installed "$package" || echo "$package"; done
}

install_with() {  # install_with "sudo -n" packages...
  local as_root=$1; shift
  $as_root apt-get update -qq -o DPkg::Lock::Timeout=120
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    -o DPkg::Lock::Timeout=120 "$@" </dev/null
}

group=${1:-build}
packages=$(packages_of "$group")
if ! command -v dpkg-query >/dev/null; then
  if [[ $group != optional ]]; then
    echo "note: no dpkg here; on Debian 12 the packages needed would be: $packages" >&2
  fi
  exit 0
fi
read -r -a missing <<<"$(missing_of $packages | xargs)"
[[ ${#missing[@]} -eq 0 ]] && exit 0

if [[ $group == optional ]]; then
  tried=build/.optional-packages-tried
  [[ -e $tried ]] && exit 0
  mkdir -p build && touch "$tried"
fi

if [[ $(id -u) -eq 0 ]]; then as_root=""
elif sudo -n true 2>/dev/null; then as_root="sudo -n"
elif [[ $group == optional ]]; then exit 0
else
  echo "Some Debian packages are missing. Type this line, then run make again:" >&2
  echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
  exit 1
fi

echo "installing Debian packages: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! install_with "$as_root" "${missing[@]}" >"$log" 2>&1 && [[ $group != optional ]]; then
  cat "$log" >&2
  echo "apt-get could not install: ${missing[*]}" >&2
  exit 1
fi
