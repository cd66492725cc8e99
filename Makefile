# `make demo` and `make test` are all a fresh machine needs: Python 3.11 to 3.14 with venv, and make.

PYTHON ?=
VENV ?= .venv
ARGS ?=
WORKERS ?= 3
TOOLS ?= .tools
UV_VERSION := 0.13.9

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install demo test check bench fuzz chaos fmt lock clean
MAKEFLAGS += --no-print-directory

help:
	@echo 'make demo    the bot and a local Telegram and Slack, on one page (ARGS="--port 8701 --no-browser")'
	@echo 'make install the command bossbot in $(VENV)'
	@echo 'make test    the tests (ARGS="-k approval", WORKERS=3)'
	@echo 'make check   formatting, lint, types, import rules, pins, then the tests: what CI runs'
	@echo 'make bench   speed of decoding, of the way to the card and back, of the store, the sandbox, the start (ARGS="decode")'
	@echo 'make fuzz    a million damaged lines through the bridge (ARGS="100000" for fewer)'
	@echo 'make chaos   the bot killed hundreds of times on both stores, and what became of it (ARGS="--help")'
	@echo 'make fmt     format the code, and mend what the linter can mend'
	@echo 'make lock    pin the newest releases that pyproject.toml allows, with hashes, in requirements/'
	@echo 'make clean   remove what the commands above have made'
	@echo 'Settings: PYTHON=python3.12 chooses the Python for a new virtual environment, VENV=.venv312 its folder.'

# A uv on PATH may be a shim without a program behind it, or too old to know the option: then we make our own.
ifeq ($(shell uv --system-certs --version 2>/dev/null),)
UV := $(TOOLS)/uv-$(UV_VERSION)/bin/uv
OWN_UV := $(UV)
else
UV := uv
OWN_UV :=
endif

# The first Python that starts and has the right age (a shim may exist and fail), in the shell variable `python`.
define find_python
python=; for each in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11 python); do \
  if "$$each" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' >/dev/null 2>&1; \
  then python=$$(command -v "$$each"); break; fi; done; \
if [ -z "$$python" ]; then \
  echo 'bossbot needs Python 3.11 to 3.14, and found none: install one, or name it: make PYTHON=/path/to/python3' >&2; \
  exit 1; fi
endef

$(TOOLS)/uv-$(UV_VERSION)/bin/uv:
	@$(find_python); \
	if ! "$$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then \
	  echo "$$python has no venv module: install it (Debian, Ubuntu: apt install python3-venv) and run make again" >&2; \
	  exit 1; fi; \
	echo 'Installing uv $(UV_VERSION) in $(TOOLS) (once)'; \
	"$$python" -m venv --clear $(TOOLS)/uv-$(UV_VERSION) && \
	PIP_DISABLE_PIP_VERSION_CHECK=1 $(TOOLS)/uv-$(UV_VERSION)/bin/python -m pip install --quiet uv==$(UV_VERSION)

$(VENV)/bin/python: | $(OWN_UV)
	@$(find_python); $(UV) venv --quiet --no-project --python "$$python" $(VENV)

# What is installed: runtime is part of dev, dev is part of bench. A larger set also serves the smaller one's users.
READY_bench := $(VENV)/ready-bench
READY_dev := $(firstword $(wildcard $(READY_bench)) $(VENV)/ready-dev)
READY_runtime := $(firstword $(wildcard $(READY_bench)) $(wildcard $(VENV)/ready-dev) $(VENV)/ready-runtime)

$(VENV)/ready-%: requirements/%.txt pyproject.toml | $(VENV)/bin/python
	@echo 'Installing the packages of requirements/$*.txt in $(VENV)'
	@rm -f $(VENV)/ready-*
	@$(UV) pip sync --quiet --compile-bytecode --python $(VENV) --require-hashes requirements/$*.txt
	@$(UV) pip install --quiet --python $(VENV) --no-deps --editable .
	@touch $@

install: $(READY_runtime)
	@echo "bossbot is $(VENV)/bin/bossbot"

demo: $(READY_runtime)
	@$(VENV)/bin/bossbot demo $(ARGS)

PYTEST = $(VENV)/bin/python -m pytest -n $(WORKERS) --dist loadgroup --timeout 900 --durations 10 --durations-min 1

test: $(READY_dev)
	@$(PYTEST) $(ARGS)

check: $(READY_dev)
	$(VENV)/bin/python scripts/lock.py --check
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(PYTEST) $(ARGS)

bench: $(READY_bench)
	@$(VENV)/bin/python -m tests.bench $(ARGS)

fuzz: $(READY_dev)
	@$(VENV)/bin/python -m tests.fuzz $(ARGS)

chaos: $(READY_dev)
	@$(VENV)/bin/python -m tests.chaos $(ARGS)

fmt: $(READY_dev)
	@$(VENV)/bin/ruff check --fix-only --quiet . && $(VENV)/bin/ruff format .

lock: | $(OWN_UV)
	@$(find_python); "$$python" scripts/lock.py --uv $(UV)

clean:
	rm -rf $(VENV) $(TOOLS) dist build .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache uv.lock
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
