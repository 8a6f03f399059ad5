# Branchline. `make` says what there is.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help setup play test lint bench pictures clean

help:
	@echo "make play    set up and start a game in the terminal"
	@echo "make test    set up and run every check: lint, types, tests"
	@echo "make setup   make .venv with .venv/bin/branchline, compile the kernel and the bots"
	@echo "make lint    ruff and mypy alone"
	@echo "make bench   measure the kernel's speed"
	@echo "make pictures  draw the pictures of the documents"
	@echo "make clean   remove .venv and what was built"

setup: .venv/ready

.venv/ready: pyproject.toml $(wildcard branchline/kernel/*.py branchline/bots/*.py branchline/maps/model.py)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	$(BIN)/python -m branchline.kernel.warm & kernel=$$!; $(BIN)/python -m branchline.bots.warm && wait $$kernel
	touch .venv/ready

play: setup
	$(BIN)/branchline play

test: setup lint
	$(BIN)/python -m pytest -n 2

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: setup
	$(BIN)/branchline bench

pictures: setup
	$(BIN)/python docs/pictures.py
	$(BIN)/python bench/growth.py

clean:
	rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
