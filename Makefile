# make demo and make test set up all they need on a fresh machine; the other targets use the same environment.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
export OMP_NUM_THREADS = 1
export GOMP_SPINCOUNT = 0

.PHONY: demo test lint types bench checkpoints compare fuzz clean

$(BIN)/cellroles: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable .
	touch $@

$(VENV)/.dev: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --constraint constraints.txt torch
	$(BIN)/pip install --quiet --constraint constraints.txt --editable ".[dev]"
	touch $@

demo: $(BIN)/cellroles  ## write an example workbook and print its chunks
	$(BIN)/python -m train.demo

test: $(VENV)/.dev lint types  ## everything that continuous integration runs
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

bench: $(VENV)/.dev  ## costs as ratios to openpyxl in the same run
	$(BIN)/python -m train.bench

ROLES = mlp gcn gat adj_transformer dual_modality_gnn spatial_edge_transformer boosting
checkpoints: $(VENV)/.dev  ## low, mid and high quality of every architecture -> checkpoints/ (two hours on two cores)
	$(BIN)/python -m train.crossval $(ROLES:%=configs/roles/%.toml) --folds 1 --seeds 42 --max-minutes 12
	$(BIN)/python -m train.checkpoints runs/crossval -o checkpoints

# Every chunker on hand-labelled and on third-party questions among 250 other sheets: runs/compare/*/report.html.
COMPARE = $(BIN)/cellroles compare --corpus ../shared/workbooks --include-hidden --jobs 2
GOLD = --questions ../shared/gold/questions.jsonl --labels ../shared/gold/labels
OTHERS = --questions ../shared/workbooks/questions.jsonl --only tier=core --only names_its_table=true
compare: $(VENV)/.dev  ## all chunkers on the questions beside the checkout
	$(BIN)/pip install --quiet --editable ".[unstructured]"
	$(COMPARE) $(GOLD) --chunkers all,row@gold,adaptive@gold --distractors 250 --index bm25 -o runs/compare/gold
	$(COMPARE) $(OTHERS) --chunkers all --distractors 250 --index bm25 -o runs/compare/others
	$(COMPARE) $(GOLD) --chunkers row,stc,recursive --distractors 50 --asked-sheets --index fused -o runs/compare/fused

fuzz: $(VENV)/.dev  ## mutated workbooks for FUZZ_MINUTES of processor time (2), from FUZZ_SEED (0)
	$(BIN)/python -W ignore -m tests.fuzz

clean:
	rm -rf $(VENV) build dist *.egg-info
