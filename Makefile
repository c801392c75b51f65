# Everything a fresh machine needs is python3 with venv, and make.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test lint types imports pytest cases bench clean

demo: $(VENV)/.runtime
	@$(BIN)/hookfw demo

test: lint types imports pytest

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

imports: $(VENV)/.dev
	$(BIN)/lint-imports --no-cache

pytest: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto -q

# Every conformance case through the command line.
cases: $(VENV)/.runtime
	$(BIN)/python -m hookfw.testing tests/cases

bench: $(VENV)/.runtime
	$(BIN)/python benchmarks/run.py

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "hookfw: there is no $(PYTHON) here; install Python 3.11 or newer, or name one: make PYTHON=/path/to/python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "hookfw: $$($(PYTHON) --version) is too old, hookfw needs 3.11 or newer; name one: make PYTHON=/path/to/python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "hookfw: this Python cannot make virtual environments; install its venv package (Debian: apt-get install python3-venv)" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: pyproject.toml | $(BIN)/python
	@echo "Installing hookfw into $(VENV) …"
	@$(PIP) install --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	@echo "Installing hookfw and its development tools into $(VENV) …"
	@$(PIP) install --editable '.[dev]'
	@touch $@ $(VENV)/.runtime
