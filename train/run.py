"""Configuration, split and seed -> one trained and measured run: a checkpoint and its `report.json`.

`python -m train.run configs/roles/gat.toml --split fold-1 --seed 42 --output runs/crossval/gat/fold-1-seed-42`. A run
that was interrupted goes on from its last epoch. `train.crossval` and `train.held_out` start many of these.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cellroles.checkpoint import load_config, write_config
from cellroles.predict import load_predictor
from data.label_folders import load_label_folders
from data.labelled import LabelledSheet
from data.registry import load_corpora
from train.config import RunConfig, load_run
from train.measure import measure
from train.roles import add_settings, with_settings
from train.sides import SPLITS
from train.trainers import fit_model

REPORT, LAST = "report.json", "last.ckpt"
SCORES = ("macro", "headline", "dev")


def run(config: RunConfig, split: str, output: Path) -> dict[str, Any]:
    """Train on one side of `split` and measure on the other; the report is written last and whole."""
    sheets = [*load_corpora(config.data.corpora), *load_label_folders(config.data.label_folders)]
    sides = SPLITS[split](sheets)
    checkpoint, size = fit_model(config, sides, output, (output / LAST).is_file())
    print(f"measuring on {len(sides.test)} sheets", flush=True)
    for folder in [*sorted(output.glob("after-*/")), output / "checkpoint"]:
        measured = measure(load_predictor(folder), sides.test)
        scores = {way: {name: measured[way][name] for name in SCORES} for way in ("raw", "decoded")}
        write_config(folder, dataclasses.replace(load_config(folder), scores=scores))
    report = {
        "split": split,
        "seed": config.seed,
        "training": checkpoint.training,
        "model": {"architecture": checkpoint.architecture, **dataclasses.asdict(size)},
        "sheets": {name: _counted(getattr(sides, name)) for name in ("train", "choose", "test")},
        **measured,
    }
    report["sheets"]["synthetic"] = {"sheets": config.data.synthetic}
    part = output / f"{REPORT}.part"
    part.write_text(compact_json(report), "utf-8")
    part.replace(output / REPORT)
    return report


def _counted(sheets: Sequence[LabelledSheet]) -> dict[str, int]:
    return {"sheets": len(sheets), "cells": sum(len(labelled.sheet) for labelled in sheets)}


def compact_json(report: dict[str, Any]) -> str:
    """JSON with a line per entry, but a line for each whole list of numbers."""
    text = json.dumps(report, indent=1)
    return re.sub(r"\[[-+\d.e,\s]*\]", lambda found: " ".join(found[0].split()), text) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, train and measure."""
    parser = argparse.ArgumentParser(prog="python -m train.run", description=__doc__)
    parser.add_argument("config", type=Path, help="a TOML file of configs/roles")
    parser.add_argument("--split", choices=SPLITS, required=True, help="which sheets measure")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--output", type=Path, required=True, help="folder of the run")
    add_settings(parser)
    given = parser.parse_args(arguments)
    config = dataclasses.replace(with_settings(load_run(given.config), given), seed=given.seed)
    report = run(config, given.split, given.output)
    print(f"macro-F1 {report['raw']['macro']:.3f} raw, {report['decoded']['macro']:.3f} decoded", flush=True)


if __name__ == "__main__":
    main()
