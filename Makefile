# Branchline. `make` says what there is.
PYTHON ?= python3
BIN := .venv/bin
PAGE := branchline/server/page/index.html
# Node from PyPI is there where the machine has none (tools/node).
export PATH := $(CURDIR)/.venv/node/bin:$(PATH)

.PHONY: help setup page play terminal test lint lint-style lint-python lint-page format hooks test-page chromium servers browser axe bench load docs lock notices pictures wheel clean

help:
	@echo "make play      set up, start the service and open the page"
	@echo "make terminal  set up and start a game in the terminal"
	@echo "make test      set up and run every check: lint, types, tests, browsers"
	@echo "make setup     make .venv with .venv/bin/branchline, compile the kernel and the bots, build the page"
	@echo "make page      build the page alone"
	@echo "make lint      ruff, mypy, eslint and svelte-check alone"
	@echo "make format    lay out Python and the page"
	@echo "make hooks     have git check what is committed"
	@echo "make browser   the tests in Chromium alone"
	@echo "make axe       every rule of axe on every screen, light and dark, at three widths (minutes)"
	@echo "make bench     measure the kernel's speed"
	@echo "make load      measure the service under load"
	@echo "make docs      build the documentation as a site, in site/"
	@echo "make lock      take the newest version of every Python package and write down its hashes"
	@echo "make notices   write NOTICES.md anew"
	@echo "make pictures  draw the pictures of the documents"
	@echo "make wheel     build a wheel that holds the page and needs no Node"
	@echo "make clean     remove .venv and what was built"

# Compiling takes one core, building the page the other.
setup:
	@$(MAKE) --no-print-directory -j2 .venv/ready page

$(BIN)/python:
	$(PYTHON) -m venv .venv

# Every package in the version and with the hash that requirements/dev.txt names; the project itself builds with these.
.venv/installed: pyproject.toml requirements/dev.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

.venv/ready: .venv/installed $(wildcard branchline/kernel/*.py branchline/mechanics/*.json branchline/mechanics/composed.py branchline/mechanics/*/state.py branchline/mechanics/*/rules.py branchline/bots/*.py branchline/bots/*/*.py branchline/mechanics/*/bots.py branchline/mechanics/*/tuning.py branchline/mechanics/*/columns.py branchline/maps/model.py)
	$(BIN)/python -m branchline.kernel.warm & kernel=$$!; $(BIN)/python -m branchline.bots.warm && wait $$kernel
	touch $@

.venv/node/ready: requirements/node.txt tools/node | $(BIN)/python
	tools/node
	mkdir -p .venv/node && touch $@

web/node_modules/ready: web/package-lock.json .venv/node/ready
	cd web && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm install --no-save --no-audit --no-fund --loglevel=error
	touch $@

page: $(PAGE)

$(PAGE): web/node_modules/ready web/index.html web/vite.config.ts NOTICES.md branchline/maps/usa.json $(shell find web/src web/tools web/public branchline/words branchline/mechanics/*/words -type f -not -name '*.py*' -not -path 'web/public/boards/*' 2>/dev/null | sed 's/ /\\ /g')
	cd web && npm run --silent build

play: setup
	$(BIN)/branchline serve --open

terminal: setup
	$(BIN)/branchline play

# What can be done side by side is: two cores, and the time is mostly waiting for one of them.
test:
	@$(MAKE) --no-print-directory -j3 --output-sync=target .venv/ready page chromium servers lint-style lint-python lint-page test-page
	$(BIN)/python -m pytest -n 2 || tests/tools/again $(BIN)/python
	cd web && npm run --silent browser

test-page: page
	cd web && npm run --silent test

chromium:
	web/tools/chromium

# After the other, since Debian's installer runs once at a time.
servers: chromium
	tests/tools/servers

lint: setup
	@$(MAKE) --no-print-directory -j2 lint-style lint-python lint-page

lint-style: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

lint-python: .venv/installed
	$(BIN)/mypy

lint-page: web/node_modules/ready
	cd web && npm run --silent lint && npm run --silent format:check
	cd web && npm run --silent check

format: .venv/installed web/node_modules/ready
	$(BIN)/ruff check --fix --quiet . && $(BIN)/ruff format --quiet .
	cd web && npm run --silent format

# Only what is here already is run: nothing is fetched (.pre-commit-config.yaml).
hooks: .venv/installed web/node_modules/ready
	$(BIN)/pre-commit install

browser: setup
	web/tools/chromium && cd web && npm run --silent browser

axe: setup
	web/tools/chromium && cd web && AXE=all npm run --silent browser -- screens.spec.ts

bench: setup
	$(BIN)/branchline bench

load: setup
	$(BIN)/python bench/load.py

# Without a network: nothing in the site comes from elsewhere. The search needs a server: python3 -m http.server -d site
docs: .venv/installed
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "site/index.html"

lock:
	$(PYTHON) tools/lock.py --upgrade

notices: setup
	$(BIN)/python tools/notices.py

pictures: setup
	web/tools/chromium && $(BIN)/python tools/pictures.py
	$(BIN)/python bench/growth.py

wheel: setup
	$(BIN)/python -m build --wheel --no-isolation --outdir dist

clean:
	rm -rf .venv build dist site *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis web/node_modules web/public/boards branchline/server/page
