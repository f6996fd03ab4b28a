# The two commands that matter: `make demo` and `make test`. `make` alone lists the rest.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# One more than the two cores that this is meant for: tests wait for disks, databases and clusters.
WORKERS ?= 3
# A file stays with one worker, which shares what is dear; tests/conftest.py says which files go first.
SPREAD := -n $(WORKERS) --dist loadfile --no-loadscope-reorder

export UV_LINK_MODE := copy
export UV_NO_PROGRESS := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export NO_MKDOCS_2_WARNING := 1
# Compiling every import again at every start would make all of this several times slower.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# --- environments: each stamp is made once, and again when its inputs change ---------------------
# A part from outside Python (a browser, a database, a cluster) gets a script of its own in scripts/,
# a stamp of its own here, and `units` depends on the stamp.

$(VENV)/.made:
	@PYTHON="$(PYTHON)" scripts/make-environment "$(VENV)"
	@touch $@

$(VENV)/.runtime: $(VENV)/.made pyproject.toml constraints.txt
	@scripts/install "$(VENV)" ".[arrow,page,report]"
	@touch $@

$(VENV)/.dev: $(VENV)/.made pyproject.toml constraints.txt
	@scripts/install "$(VENV)" ".[dev,docs]"
	@touch $@ $(VENV)/.runtime

$(VENV)/.browser: $(VENV)/.made scripts/install-browser
	@scripts/install-browser
	@touch $@

$(VENV)/.database: $(VENV)/.made scripts/install-database
	@scripts/install-database
	@touch $@

$(VENV)/.java: $(VENV)/.made scripts/install-java
	@scripts/install-java
	@touch $@

PARTS := $(VENV)/.dev $(VENV)/.browser $(VENV)/.database $(VENV)/.java

# --- what people run -----------------------------------------------------------------------------

.PHONY: demo
demo: $(VENV)/.runtime ## install Steelyard and run the main job on real data
	@$(BIN)/steelyard demo --report steelyard-demo.html

.PHONY: test-tools
test-tools: ## run Inspect and lm-evaluation-harness for real, and read what they wrote
	@scripts/test-tools

.PHONY: test
test: check units ## install what is needed, run all checks and all tests

.PHONY: check
check: format lint types contracts words docs ## all checks that run no test

.PHONY: units
units: $(PARTS) ## the tests alone (WORKERS=3)
	@echo "== tests"
	@$(BIN)/pytest $(SPREAD)

.PHONY: test-long
test-long: $(PARTS) ## the tests with many more random examples
	@$(BIN)/pytest -q $(SPREAD) --hypothesis-profile=long -m "long or not long"

.PHONY: coverage
coverage: $(PARTS) ## the tests, and the lines and branches they miss
	@$(BIN)/pytest -q $(SPREAD) --cov --cov-report=term-missing

.PHONY: certificates
certificates: $(VENV)/.dev ## try every claim about error rates at length; goes on where it stopped
	@$(BIN)/python -m certificates
	@$(BIN)/cog -r -I scripts docs/reference/certificates.md docs/explanation/trust.md

.PHONY: wheel
wheel: $(VENV)/.made ## build the wheel and the source archive into dist/
	@scripts/build-wheel "$(VENV)" dist

.PHONY: release-check
release-check: wheel ## lint what is published, install the wheel alone in a clean environment, and use it
	@scripts/release-check dist

.PHONY: accuracy
accuracy: $(VENV)/.dev ## compute the references in 70 digits again, and the table of right digits
	@$(BIN)/python -m accuracy --again
	@$(BIN)/cog -r -I scripts docs/explanation/accuracy.md docs/explanation/trust.md

.PHONY: load
load: $(VENV)/.dev ## 100 clients on the page for a minute, then 10,000 requests; the table for the docs
	@$(BIN)/python benchmarks/load.py --write benchmarks/load.json
	@$(BIN)/cog -r -I scripts docs/explanation/trust.md

.PHONY: audit
audit: $(VENV)/.dev ## are there known holes in the pinned versions of what this stands on?
	@scripts/audit "$(VENV)"

.PHONY: peers
peers: $(VENV)/.dev ## twenty bad inputs against the tools of others, in an environment of their own
	@scripts/install-peers .peers
	@$(BIN)/python scripts/bad_input_page.py .peers/bin/python

.PHONY: bench
bench: $(VENV)/.dev ## measure time and memory against peers
	@scripts/install-peers .peers
	@$(BIN)/python benchmarks/run.py

# --- single checks -------------------------------------------------------------------------------

PAGES_WITH_COG := docs/explanation/accuracy.md docs/reference/measures.md docs/reference/coverage.md docs/reference/methods.md docs/reference/certificates.md docs/explanation/trust.md docs/reference/cli.md docs/reference/errors.md docs/how-to/evaluation-logs.md docs/reference/licences.md docs/reference/options.md src/steelyard/journey/option_types.py

.PHONY: format lint types contracts words docs
format: $(VENV)/.dev
	@echo "== format"
	@$(BIN)/ruff format --check --quiet . || { \
	  echo "Type: make tidy"; exit 1; }

lint: $(VENV)/.dev
	@echo "== lint"
	@$(BIN)/ruff check --quiet .

types: $(VENV)/.dev
	@echo "== types"
	@$(BIN)/mypy

contracts: $(VENV)/.dev
	@echo "== contracts between rooms"
	@$(BIN)/lint-imports --no-cache > $(VENV)/contracts.log 2>&1 || { \
	  cat $(VENV)/contracts.log; exit 1; }
	@tail -n 2 $(VENV)/contracts.log

words: $(VENV)/.dev
	@echo "== generated pages are current"
	@$(BIN)/cog --check -I scripts $(PAGES_WITH_COG) > $(VENV)/words.log 2>&1 || { \
	  cat $(VENV)/words.log; echo "Type: make reference"; exit 1; }

docs: $(VENV)/.dev ## build the documentation into site/, warnings are errors
	@echo "== documentation"
	@$(BIN)/mkdocs build --strict > $(VENV)/docs.log 2>&1 || { cat $(VENV)/docs.log; exit 1; }

# --- housekeeping --------------------------------------------------------------------------------

.PHONY: tidy
tidy: $(VENV)/.dev ## format the code and sort the imports
	@$(BIN)/ruff check --quiet --fix --select I . && $(BIN)/ruff format --quiet .

.PHONY: reference
reference: $(VENV)/.dev ## rewrite the pages made from the code itself
	@$(BIN)/cog -r -I scripts $(PAGES_WITH_COG)

.PHONY: constraints
constraints: $(VENV)/.made ## choose the newest versions that fit together
	@$(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 \
	  --no-header --no-annotate --no-emit-index-url --no-emit-find-links --generate-hashes \
	  --extra dev --extra docs pyproject.toml -o constraints.txt

.PHONY: clean
clean: ## remove the environment and everything that was built
	@rm -rf $(VENV) .venv-tools .peers site build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis \
	  .import_linter_cache .coverage .coverage.* htmlcov
	@find src tests benchmarks scripts docs -name __pycache__ -type d -prune -exec rm -rf {} +
