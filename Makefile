# Everything a contributor types. `make test` and `make demo` need only make and Python >= 3.11.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
PYTEST_ARGS ?= -n auto --dist worksteal

# Where this is set, every process that a test starts compiles all modules anew.
export PYTHONDONTWRITEBYTECODE =

.PHONY: test tests demo bench slow docs docs-fast lint format clean

# Both at once: mypy and the import contract take half a minute of one core.
test: $(STAMP)
	@$(MAKE) --no-print-directory -j2 lint tests

tests: $(STAMP)
	$(BIN)/pytest $(PYTEST_ARGS)

demo: $(STAMP)
	$(BIN)/python examples/demo.py

bench: $(STAMP)
	$(BIN)/python -m benchmarks.speed

slow: $(STAMP)
	$(BIN)/pytest -m slow $(PYTEST_ARGS)

# The manual in docs/_build/html, offline, with all examples run; docs-fast leaves the long ones out.
docs: $(STAMP)
	$(BIN)/sphinx-build -W --keep-going -q -b html -j auto docs docs/_build/html
	@echo "Open docs/_build/html/index.html"

docs-fast:
	DRUMLIN_GALLERY=fast $(MAKE) docs

lint: $(STAMP)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(STAMP)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean:
	rm -rf docs/_build docs/gallery docs/reference/api docs/reference/commands.md
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "drumlin needs Python >= 3.11: make PYTHON=/path/to/python3.11 ..." >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q 'pip>=25.1' # knows dependency groups
	$(BIN)/python -m pip install -q -e '.[all]' --group dev
	@touch $@
