# The commands people type. `make` alone lists them.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
PYTHON_IN_VENV := .venv/bin/python
PYTEST := $(PYTHON_IN_VENV) -m pytest -q
# Two processes: most of the time one waits for TensorFlow to be imported. Tests of one file stay together.
PYTEST_IN_TWO := $(PYTEST) -n 2 --dist loadfile
# TensorFlow says less, and never looks for a GPU.
export TF_CPP_MIN_LOG_LEVEL := 2
export CUDA_VISIBLE_DEVICES := -1
FUZZ_SECONDS ?= 60
CTEST_JOBS ?= $(shell nproc)
CPP_FILES = $(PYTHON_IN_VENV) tools/project_files.py .h .cc

.DEFAULT_GOAL := help
.PHONY: help build web demo test bench lint format tidy sanitize fuzz clean distclean venv system \
        test-cpp test-python test-database test-zoo test-tf-versions test-cli test-server test-web test-e2e test-conformance test-acceptance test-install test-docs test-smoke \
        sanitize-asan sanitize-tsan build-fuzz

help:  ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-18s %s\n", $$1, $$2}' Makefile

build: venv web  ## everything a user needs: .venv/bin/python with tensortap, and .venv/bin/tensortap
	@tools/install_python.sh

web: venv  ## the page of the viewer, into web/dist; the program has it inside
	@tools/web.sh build

demo: build  ## train a small Keras model and watch it in the viewer; serves until Ctrl-C
	@$(PYTHON_IN_VENV) tools/demo.py runs

test:  ## all tests below, in order; stops at the first failure
	+@tools/stages.sh lint test-cpp build test-python test-database test-zoo test-cli test-server test-web test-e2e test-conformance test-acceptance test-install test-docs test-smoke

test-cpp: system  ## C++ unit tests
	@cmake --preset dev -Wno-dev >/dev/null && cmake --build --preset dev
	@ctest --preset dev -j$(CTEST_JOBS) --no-tests=error --output-on-failure

test-python: build  ## tests of the Python package, with real TensorFlow
	@$(PYTEST_IN_TWO) python/tests

test-database: build  ## sinks into SQLite and a PostgreSQL server that is started for it
	@$(PYTEST) tests/database

test-zoo: build  ## models of every kind in every mode: what is recorded of them is the truth
	@$(PYTEST_IN_TWO) tests/zoo

test-tf-versions: build  ## the zoo on TensorFlow 2.16.2, 2.18.1 and 2.20.0, with the same compiled files
	@tools/test_tf_versions.sh

test-cli: build  ## tests of the program tensortap, in pipes and on terminals
	@$(PYTEST) tests/cli

test-server: build  ## tests of tensortap serve: its API, access, limits, life
	@$(PYTEST) tests/server

test-web: venv  ## types and unit tests of the page
	@tools/web.sh test

test-e2e: build  ## the page in chromium, on runs that the recorder made
	@tools/system_packages.sh browser
	@tools/web.sh e2e

test-conformance: build  ## what we write, stock TensorBoard reads, and the other way round
	@$(PYTEST) tests/conformance

# Exit code 5 is "no tests": check_acceptance (in lint) says which ids must have one.
test-acceptance: build  ## the acceptance list, end to end
	@$(PYTEST_IN_TWO) tests/acceptance || [[ $$? -eq 5 ]]

test-install: system  ## install the C++ library, build and run a consumer with find_package(tensortap)
	@tests/install/run.sh

test-docs: build  ## run the examples and every code block of the README and docs/
	@$(PYTHON_IN_VENV) tools/run_examples.py

test-smoke: build  ## a short bench; a short fuzz run where clang 16 is installed
	@$(PYTHON_IN_VENV) bench/run.py --smoke
	@if ! command -v clang++-16 >/dev/null; then echo "no clang++-16: fuzz targets left out"; \
	  elif ! compgen -G 'fuzz/*_fuzz.cc' >/dev/null; then echo "no fuzz targets yet"; \
	  else $(MAKE) --no-print-directory fuzz FUZZ_SECONDS=2; fi

bench: build  ## measure against the peers, compare with bench/bars.toml, write bench/RESULTS.md
	@$(PYTHON_IN_VENV) bench/run.py

lint: venv  ## format, layers, sizes, public headers, acceptance ids, words, the lint tools' own tests
	@.venv/bin/ruff check --quiet . && .venv/bin/ruff format --quiet --check .
	@$(CPP_FILES) | xargs -r .venv/bin/clang-format --dry-run -Werror
	@$(PYTHON_IN_VENV) tools/check_layers.py
	@$(PYTHON_IN_VENV) tools/check_sizes.py
	@$(PYTHON_IN_VENV) tools/check_public_headers.py
	@$(PYTHON_IN_VENV) tools/check_acceptance.py
	@$(PYTHON_IN_VENV) tools/check_words.py
	@$(PYTHON_IN_VENV) tools/check_web_layers.py
	@$(PYTEST) tools/tests

format: venv  ## format C++ and Python in place
	@.venv/bin/ruff check --quiet --fix . || true
	@.venv/bin/ruff format --quiet .
	@$(CPP_FILES) | xargs -r .venv/bin/clang-format -i

tidy: venv  ## clang-tidy over src/ (slow)
	@$(PYTHON_IN_VENV) -m pip install --quiet --disable-pip-version-check -r requirements-tidy.txt
	@cmake --preset dev -Wno-dev >/dev/null
	@$(CPP_FILES) | grep '^src/.*\.cc$$' | grep -v _test.cc \
	  | xargs -r -n 1 -P $(CTEST_JOBS) .venv/bin/clang-tidy --quiet -p build/dev \
	    --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-deprecated-declarations

sanitize: sanitize-asan sanitize-tsan  ## C++ unit tests under ASan + UBSan, then TSan

sanitize-asan sanitize-tsan: sanitize-%: system
	@cmake --preset $* -Wno-dev >/dev/null && cmake --build --preset $*
	@ctest --preset $* -j$(CTEST_JOBS) --no-tests=error

fuzz: build-fuzz  ## each fuzz target for FUZZ_SECONDS (60) on its kept corpus
	@FUZZ_SECONDS=$(FUZZ_SECONDS) tools/fuzz.sh

build-fuzz: system
	@tools/system_packages.sh fuzz
	@cmake --preset fuzz -Wno-dev >/dev/null && cmake --build --preset fuzz

clean:  ## remove everything built but .venv
	@rm -rf build web/dist web/e2e/out bench/out .pytest_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +

distclean: clean  ## remove .venv and web/node_modules too
	@rm -rf .venv web/node_modules

venv: system
	@tools/venv.sh

system:
	@tools/system_packages.sh build && tools/system_packages.sh optional
