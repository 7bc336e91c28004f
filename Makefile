# Each target makes .venv and installs what it needs: python3, make and a package index are enough.
PYTHON ?= python3
BIN := .venv/bin
DATASETS := $(abspath ../shared/datasets)
ifneq ($(wildcard $(DATASETS)),)
export UNFLIP_DATA ?= $(DATASETS)
endif

.PHONY: demo browser test fuzz lint format bench clean

.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test,lint]'
	touch $@

demo: .venv/installed
	$(BIN)/unflip demo

# The tests of pages need Debian's chromium; where it cannot be installed they are skipped, and say so.
browser:
	@command -v chromium chromium-browser google-chrome >/dev/null || \
	    { apt-get update -q && apt-get install -y -q --no-install-recommends chromium; } >/dev/null 2>&1 || \
	    echo "No browser here, and none could be installed: the tests of pages will be skipped."

# Branch coverage must not fall below the floor in pyproject.toml.
test: .venv/installed browser
	$(BIN)/python -m pytest --numprocesses=auto --dist=worksteal --cov --cov-report=

# Every seeded attack of the test suite, fifty times as long: kernels, files, tables, documents, public calls.
fuzz: .venv/installed
	UNFLIP_FUZZ=50 $(BIN)/python -m pytest --numprocesses=auto --dist=worksteal -k "finite_rows or hostile or random or mutat or only_an_answer"

lint: .venv/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: .venv/installed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[bench]'
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv
