# Targets of the project; `make help` lists them.
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DOCS_READY := $(VENV)/.docs-ready
LOWEST := .venv-lowest
# Else pytest would rewrite all modules of tests for each run and worker.
export PYTHONDONTWRITEBYTECODE :=
EXTRAS := --extra cluster --extra frames --extra pictures --extra plot --extra sheets

.PHONY: help setup checker trees trees-all proofs test test-near test-lowest test-all test-browser browser-tools check format refdata fuzz minify packages docs bench dist clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(READY)  ## make .venv with everything in it

$(READY): pyproject.toml uv.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "uv>=0.8"
	UV_PROJECT_ENVIRONMENT=$(VENV) $(BIN)/uv sync --locked --quiet --inexact $(EXTRAS) \
		--compile-bytecode
	$(BIN)/python -m compileall -q treegen
	touch $@

trees: $(READY)  ## build the shipped trees again: text, .tree, .tgt, players, index, gallery, lesson
	@# One core builds; another one compiles the kernels that the tests and later commands need.
	$(BIN)/treegen warmup --quiet & warmup=$$!; \
	$(BIN)/python scripts/build-trees.py && $(BIN)/python scripts/build-gallery.py \
		&& $(BIN)/python scripts/build-lesson.py; code=$$?; \
	wait $$warmup || exit; exit $$code

trees-all: $(READY)  ## the same, those that take minutes to prove too, and the pictures
	$(BIN)/python scripts/build-trees.py --slow --pictures
	$(BIN)/python scripts/build-gallery.py
	$(BIN)/python scripts/build-lesson.py

proofs: $(READY)  ## prove the optima of treegen/optima.csv again; ARGS go to scripts/prove.py
	$(BIN)/python scripts/prove.py $(ARGS)

test: $(READY)  ## run the tests on all cores (on two, some 3 minutes); ARGS go to pytest
	$(BIN)/python -m pytest -n auto --dist worksteal $(ARGS)

test-near: $(READY)  ## run those next to the changes of the working tree (ARGS=-x, say)
	$(BIN)/python -m pytest -n auto --dist worksteal $(ARGS) $$($(BIN)/python scripts/test-near.py)

test-lowest: $(LOWEST)/.ready  ## run them on the lowest versions that pyproject.toml allows
	$(LOWEST)/bin/python -m pytest -n auto --dist worksteal $(ARGS)

$(LOWEST)/.ready: pyproject.toml $(READY)
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(LOWEST)
	$(BIN)/uv pip install --quiet --python $(LOWEST)/bin/python --resolution lowest-direct \
		--compile-bytecode --requirements pyproject.toml $(EXTRAS) --group dev --editable .
	touch $@

test-all: $(READY) browser-tools  ## run all tests, the slow ones and the browser too
	$(BIN)/python -m pytest -n auto --dist worksteal -m "slow or not slow" $(ARGS)

test-browser: $(READY) browser-tools  ## play the page in Chromium and Firefox; says which is not there
	$(BIN)/python -m pytest -m "slow or not slow" tests/page

browser-tools: $(READY)
	npm install --no-save --no-package-lock --silent --no-audit --no-fund axe-core@4.14.1 \
		@micropython/micropython-webassembly-pyscript@1.27.0 || true

check: $(READY)  ## formatting, lint, types, spelling, words, workflow files
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/codespell *.md docs packages scripts treegen
	$(BIN)/python scripts/check-words.py
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml

format: $(READY)  ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

refdata: $(READY)  ## write the exporters' golden files again
	TREEGEN_REFDATA=1 $(BIN)/python -m pytest -q -k golden

checker: build/check  ## compile the checker of certificates, build/check

build/check: treegen/checker/check.c
	mkdir -p build
	$(CC) -O3 -march=native -std=c99 -o $@ $< || $(CC) -O3 -std=c99 -o $@ $<

fuzz: $(READY)  ## fuzz the readers of files (SECONDS each; clang, atheris), players (TABLES), checkers of certificates, searches
	$(BIN)/python scripts/fuzz.py --seconds $(or $(SECONDS),60)
	$(BIN)/python scripts/fuzz-players.py --tables $(or $(TABLES),50000)
	$(BIN)/python scripts/fuzz-checker.py
	$(BIN)/python scripts/fuzz-search.py --games 3000 --certificates

minify: $(READY)  ## write the short forms of players and page again (needs npx)
	npx --yes terser@5.51.2 treegen/player/js/tgt_player.mjs --module --toplevel -c -m \
		| tr -d '\n' > treegen/player/js/tgt_player.min.mjs
	$(BIN)/uvx --from python-minifier==3.4.0 pyminify treegen/player/micropython/tgt_player.py --rename-globals \
		--preserve-globals open_table --remove-literal-statements \
		--output treegen/player/micropython/tgt_player.min.py
	$(BIN)/python scripts/minify-page.py

packages: $(READY)  ## make the Python distribution of the player; play the packages of all languages
	$(BIN)/python scripts/build-packages.py
	$(BIN)/python -m build --no-isolation --outdir build/packages build/packages/python
	$(BIN)/python -m pytest -m "slow or not slow" tests/packages

docs: $(DOCS_READY)  ## build the site of docs/ into build/site; check it
	$(BIN)/sphinx-build -W --keep-going -q -d build/site-cache docs build/site
	$(BIN)/python scripts/check-site.py build/site

$(DOCS_READY): $(READY)
	UV_PROJECT_ENVIRONMENT=$(VENV) $(BIN)/uv sync --locked --quiet --inexact $(EXTRAS) \
		--group docs
	touch $@

bench: $(READY)  ## measure speed and memory
	$(BIN)/python scripts/bench.py
	$(BIN)/python scripts/bench-tables.py
	$(BIN)/python scripts/bench-words.py
	$(BIN)/python scripts/bench-page.py

dist: $(READY)  ## build wheel and sdist
	$(BIN)/python -m build

clean:  ## remove what the other targets made
	rm -rf $(VENV) $(LOWEST) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
