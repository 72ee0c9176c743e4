"""Configurations -> cross-validated runs: folds x seeds of each, resumable, several processes side by side.

python -m train.crossval configs/roles/gat.toml --folds 1 --seeds 42        one run
python -m train.crossval configs/roles/*.toml                               the whole grid: 5 folds x 3 seeds of each

Every fold measures once, each group of sheets (workbook, template, twin) in exactly one; a part of the other folds
chooses the epoch. A finished run has a report.json and is skipped, an unfinished one goes on from its last epoch, so
the same command can be given again at any time. `python -m train.report` makes the tables.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence
from pathlib import Path

from train.config import load_run
from train.roles import add_settings, with_settings
from train.runner import Run, make
from train.sides import FOLDS
from train.trainers import TRAINERS

SEEDS = (42, 2137, 10042010)
"""The paper's (appendix B)."""


def numbers(text: str) -> tuple[int, ...]:
    """A list such as `1,2,5`."""
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"numbers parted by commas, got {text!r}") from error


def plan(given: argparse.Namespace, splits: Sequence[str]) -> list[Run]:
    """The runs of a command line, every configuration before the next split: comparisons fill up first."""
    if len({source.stem for source in given.configs}) < len(given.configs):
        raise ValueError("configurations are told apart by their file names, and two have the same")
    runs = []
    for seed in given.seeds:
        for split in splits:
            for source in given.configs:
                config = dataclasses.replace(with_settings(load_run(source), given), seed=seed)
                TRAINERS[config.model.name]  # an unknown model is an error before anything runs
                folder = given.output / source.stem / f"{split}-seed-{seed}"
                runs.append(Run(source, config, split, folder))
    return runs


def add_runs(parser: argparse.ArgumentParser, output: Path, seeds: Sequence[int]) -> None:
    """The options that all commands with many runs share."""
    parser.add_argument("configs", type=Path, nargs="+", help="TOML files of configs/roles")
    listed = ",".join(map(str, seeds))
    parser.add_argument("--seeds", type=numbers, default=tuple(seeds), help=f"parted by commas (default: {listed})")
    parser.add_argument("--jobs", type=int, default=2, help="processes side by side (default: 2)")
    parser.add_argument("--output", type=Path, default=output, help=f"folder of all runs (default: {output})")
    add_settings(parser)


def make_or_exit(parser: argparse.ArgumentParser, given: argparse.Namespace, splits: Sequence[str]) -> list[Run]:
    """Plan and make the runs; wrong usage exits with 2, a stop with 130, failed runs with 1."""
    if given.jobs < 1:
        parser.error(f"--jobs is at least 1, got {given.jobs}")
    try:
        runs = plan(given, splits)
        failed = make(runs, given.jobs)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        parser.exit(130, "stopped; the same command goes on from the last epochs\n")
    if failed:
        parser.exit(1, f"{len(failed)} of {len(runs)} runs failed; the same command tries them again\n")
    return runs


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and make the runs."""
    parser = argparse.ArgumentParser(
        prog="python -m train.crossval", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    every = tuple(range(1, FOLDS + 1))
    parser.add_argument("--folds", type=numbers, default=every, help="parted by commas (default: all five)")
    add_runs(parser, Path("runs/crossval"), SEEDS)
    given = parser.parse_args(arguments)
    if not set(given.folds) <= set(every):
        parser.error(f"folds are numbered 1 to {FOLDS}, got {','.join(map(str, given.folds))}")
    make_or_exit(parser, given, [f"fold-{number}" for number in given.folds])
    print(f"tables: python -m train.report {given.output}")


if __name__ == "__main__":
    main()
