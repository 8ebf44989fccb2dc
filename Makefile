# Two commands do everything: `make eval` and `make test`.
PYTHON ?= python3
VENV ?= .venv
ARGS ?=
BIN := $(VENV)/bin
READY := $(VENV)/.ready
HARNESS_NODE ?= .node

.PHONY: eval test full quick bench bundle lint clients node

eval: $(READY)
	$(BIN)/harness eval configs/lhaw.yaml --sample 24 --workers 2 $(ARGS)

test: eval
	$(BIN)/python -m pytest -n auto --dist loadfile

# The same with every case that a test takes a sample of (tests/sampling.py).
full: $(READY)
	FULL=1 $(BIN)/python -m pytest -n auto --dist loadfile

quick: $(READY)
	$(BIN)/python -m pytest -q -n auto --dist loadfile -m "not slow" @tests/quick.txt

bench: $(READY)
	$(BIN)/python -m tests.bench $(ARGS)

# One-click installation for Claude Desktop, without the models extra.
bundle: $(READY)
	$(BIN)/python bundle/pack.py

# Clients and agents of others, for the tests that need them; below HARNESS_CLIENTS, .clients unless that is set.
clients: $(READY)
	$(BIN)/python -m tests.clients.build

# Node and the official MCP clients, for tests/conformance.
node: $(HARNESS_NODE)/.ready

$(HARNESS_NODE)/.ready: tests/conformance/package.json
	"$(PYTHON)" tests/conformance/node.py $(HARNESS_NODE)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Dependency groups need pip 25.1, which a fresh venv may not have. As with uv nothing is compiled yet: two thirds of it
# are never imported.
$(READY): pyproject.toml
	@if command -v uv >/dev/null 2>&1; then \
		uv venv --quiet --allow-existing --python "$(PYTHON)" $(VENV) && \
		uv pip install --quiet --python $(BIN)/python --group dev --editable '.[models,plots]'; \
	else \
		"$(PYTHON)" -m venv $(VENV) && \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1' && \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --group dev --editable '.[models,plots]'; \
	fi
	@touch $(READY)
