"""Configuration -> a trained role model: `python -m train.roles configs/roles/gcn.toml`."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cellroles.checkpoint import write_config
from cellroles.predict import load_predictor
from data.label_folders import load_label_folders
from data.registry import load_corpora
from train.config import RunConfig, load_run
from train.evaluate import evaluate, markdown
from train.paths import evaluate_paths
from train.sides import development_sides
from train.trainers import fit_model


def train(config: RunConfig, output: Path, resume: bool = False) -> dict[str, Any]:
    """Train as configured; write the checkpoint and `report.json`: what was run and what it scores when predicting."""
    sheets = [*load_corpora(config.data.corpora), *load_label_folders(config.data.label_folders)]
    sides = development_sides(sheets, config.data.held_out)
    if not sides.choose:
        raise ValueError(
            f"none of {len(sheets)} labelled sheets is a development sheet, which choose the epoch: name more corpora, "
            "or label more workbooks (one in five is)"
        )
    unscored, _ = fit_model(config, sides, output, resume)
    predictor = load_predictor(output / "checkpoint")
    scores = evaluate(predictor, sides.test)
    write_config(output / "checkpoint", dataclasses.replace(unscored, scores=scores))
    report = {"training": unscored.training, "scores": scores, "paths": evaluate_paths(predictor, sides.test)}
    (output / "report.json").write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    return report


def add_settings(parser: argparse.ArgumentParser) -> None:
    """The options that stand for settings of a configuration."""
    parser.add_argument("--epochs", type=int, help="instead of the configuration's")
    parser.add_argument("--max-minutes", type=float, help="CPU minutes, instead of the configuration's")


def with_settings(config: RunConfig, given: argparse.Namespace) -> RunConfig:
    """The configuration with what the options of `add_settings` say."""
    limits = {"epochs": given.epochs, "max_minutes": given.max_minutes}
    changed = {name: value for name, value in limits.items() if value is not None}
    return dataclasses.replace(config, training=dataclasses.replace(config.training, **changed))


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(prog="python -m train.roles", description=__doc__)
    parser.add_argument("config", type=Path, help="a TOML file of configs/roles")
    parser.add_argument("--output", type=Path, help="folder of the run (default: runs/NAME)")
    add_settings(parser)
    parser.add_argument("--seed", type=int, help="instead of the configuration's")
    parser.add_argument("--resume", action="store_true", help="go on from last.ckpt in the output folder")
    given = parser.parse_args(arguments)
    config = with_settings(load_run(given.config), given)
    config = dataclasses.replace(config, seed=config.seed if given.seed is None else given.seed)
    output = given.output or Path("runs") / given.config.stem
    report = train(config, output, given.resume)
    print(f"{markdown(report['scores'])}\n\ncheckpoint in {output / 'checkpoint'}")


if __name__ == "__main__":
    main()
