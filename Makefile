# Two commands: `make run` starts everything, `make test` passes the tests. `make help` lists the rest.
.DEFAULT_GOAL := help
.PHONY: help run link dev test check bench contract build lock clean
MAKEFLAGS += --no-print-directory
SHELL := /bin/sh

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
SETUP = $(if $(PYTHON),$(PYTHON),$(error Python 3.11 or newer is needed and was not found. \
	Get it from https://www.python.org, or on Debian and Ubuntu: apt install python3 python3-venv)) backend/bootstrap.py
BIN := $(CURDIR)/.venv/bin
export ORT_DISABLE_TELEMETRY := 1
export KS_DATA_DIR ?= $(CURDIR)/.data

help: ## Show this list
	@sed -n 's/^\([a-z]*\):.*## /\1|/p' $(firstword $(MAKEFILE_LIST)) | while IFS='|' read -r name text; do \
		printf '  make %-10s %s\n' "$$name" "$$text"; done

run: ## Install what is needed, start everything, print a link that signs in
	@$(SETUP) run
	@exec $(BIN)/knowledgestack up --with-parent

link: ## Print another sign-in link for the running installation
	@test -x $(BIN)/knowledgestack || { echo "Nothing is installed here yet. Start it first: make run"; exit 1; }
	@$(BIN)/knowledgestack link

dev: ## Start everything with the web client reloading as you edit it
	@$(SETUP) dev
	@exec $(BIN)/python backend/scripts/dev.py

test: check ## Pass every check and every test
	@cd backend && $(BIN)/python -m pytest -q
	@$(SETUP) client
	@cd backend && $(BIN)/python -m scripts.journeys

check: ## Format, lint, types, imports, dependencies, migrations, contract, client
	@$(SETUP) dev
	@$(BIN)/python backend/scripts/check.py

bench: ## Measure speed; results go to backend/bench/results
	@$(SETUP) dev
	@cd backend && $(BIN)/python -m bench

contract: ## Write openapi.json and the client made from it
	@$(SETUP) python
	@$(BIN)/knowledgestack openapi > openapi.json.new && mv openapi.json.new openapi.json
	@$(SETUP) contract

build: ## Build the web client and the Python package into dist folders
	@$(SETUP) run
	@cd backend && $(BIN)/uv build --quiet --no-build-isolation --python $(BIN)/python --wheel

lock: ## Pin every dependency again, with hashes
	@$(SETUP) dev
	@cd backend && $(BIN)/python scripts/lock.py

clean: ## Delete everything that was installed, built or stored here, the database too
	@$(if $(PYTHON),$(PYTHON),python3) backend/scripts/clean.py
