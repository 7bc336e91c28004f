# Each target makes .venv and installs what it needs: python3, make and a package index are enough.
PYTHON ?= python3
BIN := .venv/bin
DATASETS := $(abspath ../shared/datasets)
ifneq ($(wildcard $(DATASETS)),)
export UNFLIP_DATA ?= $(DATASETS)
endif

.PHONY: demo test lint format bench clean

.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test,lint]'
	touch $@

demo: .venv/installed
	$(BIN)/unflip demo

test: .venv/installed
	$(BIN)/python -m pytest --numprocesses=auto --dist=loadfile

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
