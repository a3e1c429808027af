#!/usr/bin/env bash
# Builds and tests the page: tools/web.sh packages|build|test|e2e
#
#   packages   what web/package-lock.json names, into web/node_modules; nothing when that is there
#   build      web/dist; nothing when no source is newer
#   test       types and unit tests
#   e2e        the tests in chromium; VITEST_FILTER names some of them
set -euo pipefail
cd "$(dirname "$0")/.."
[[ -t 1 ]] || export NO_COLOR=1

installed=web/node_modules/.tensortap-lock  # the lock file that node_modules was made of
stamp=web/dist/.built

run_npm() { (PATH="$(tools/node.sh):$PATH" && cd web && "$@"); }

install_packages() {
  cmp --silent web/package-lock.json $installed && return
  echo "installing the packages that build the page into web/node_modules"
  # Not `npm ci`: it wants the lock file to name the binaries of every platform, also those that are never fetched.
  run_npm npm install --no-save --no-audit --no-fund --loglevel=error
  cp web/package-lock.json $installed
}

sources() {  # [more of find's conditions]; the folders that are not there are none
  find web/src web/public web/index.html web/package.json web/package-lock.json web/*.ts web/*.js \
    -type f ! -name '*.test.ts' "$@" 2>/dev/null || true
}

is_built() {
  [[ -e web/dist/index.html && -e $stamp ]] || return 1
  [[ "$(sources | sort | sha256sum)" == "$(cat $stamp)" ]] || return 1
  [[ -z "$(sources -newer $stamp -print -quit)" ]]
}

build_page() {
  install_packages
  is_built && return
  echo "building the page"
  mkdir -p build
  local started list
  started=$(mktemp)
  list=$(sources | sort | sha256sum)
  # Beside web/dist, so that a build that fails leaves the page that was there.
  run_npm npx --no-install vite build --outDir ../build/page --emptyOutDir --logLevel warn
  rm -rf web/dist
  mv build/page web/dist
  echo "$list" >$stamp
  touch -r "$started" $stamp  # a file saved meanwhile counts as newer
  rm -f "$started"
}

case "${1:-}" in
  packages) install_packages ;;
  build) build_page ;;
  test)
    install_packages
    run_npm npx --no-install svelte-check --tsconfig ./tsconfig.json --fail-on-warnings --output human
    # In one world for all files: a document of its own for each takes eight times as long.
    run_npm npx --no-install vitest run --no-isolate --reporter=dot
    ;;
  e2e)
    install_packages
    run_npm npx --no-install vitest run --config e2e/vitest.config.ts ${VITEST_FILTER:-}
    ;;
  *) echo "usage: $0 packages|build|test|e2e" >&2; exit 2 ;;
esac
