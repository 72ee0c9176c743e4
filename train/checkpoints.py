"""Finished runs of a cross-validation -> checkpoints of low, mid and high quality, one folder each.

`python -m train.checkpoints runs/crossval -o checkpoints`, after `python -m train.crossval configs/roles/*.toml
--folds 1 --seeds 42`. Per configuration the run with the best score gives NAME-high, its snapshots NAME-low and -mid.
`cellroles list --folder checkpoints` shows them with their scores; `--checkpoint checkpoints/NAME-mid` takes any.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from cellroles.checkpoint import CONFIG, load_config
from train.run import REPORT

QUALITIES = ("low", "mid")


def best_runs(folder: Path) -> dict[str, Path]:
    """Configuration -> the folder of its finished run with the highest decoded macro-F1."""
    found: dict[str, list[Path]] = {}
    for report in sorted(folder.glob(f"*/*/{REPORT}")):
        found.setdefault(report.parents[1].name, []).append(report.parent)
    return {name: max(runs, key=_macro) for name, runs in found.items()}


def _macro(run: Path) -> float:
    report: dict[str, Any] = json.loads((run / REPORT).read_text("utf-8"))
    return float(report["decoded"]["macro"])


def qualities(run: Path) -> Iterator[tuple[str, Path]]:
    """(quality, checkpoint folder) of a run, lowest first."""
    snapshots = sorted(run.glob(f"after-*/{CONFIG}"), key=lambda path: int(path.parent.name.removeprefix("after-")))
    yield from zip(QUALITIES, (path.parent for path in snapshots), strict=False)
    yield "high", run / "checkpoint"


def collect(runs: dict[str, Path], output: Path) -> Iterable[Path]:
    """Copy the checkpoints to `output`/NAME-QUALITY; a folder that is there is replaced."""
    for name, run in runs.items():
        for quality, source in qualities(run):
            target = output / f"{name}-{quality}"
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(source, target)
            yield target


def main() -> None:
    """Copy, and print each with its score."""
    parser = argparse.ArgumentParser(prog="python -m train.checkpoints", description=__doc__.split("\n\n")[0])
    parser.add_argument("runs", type=Path, help="the output folder of train.crossval")
    parser.add_argument("-o", "--output", type=Path, default=Path("checkpoints"), help="default: checkpoints")
    given = parser.parse_args()
    runs = best_runs(given.runs)
    if not runs:
        parser.error(f"{given.runs} holds no finished run (FOLDER/NAME/RUN/{REPORT}); run train.crossval first")
    for target in collect(runs, given.output):
        scores = load_config(target).scores
        print(f"{target}: " + ", ".join(f"macro-F1 {table['macro']:.3f} {way}" for way, table in scores.items()))


if __name__ == "__main__":
    main()
