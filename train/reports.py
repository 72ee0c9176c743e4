"""Folder of runs -> their reports, by configuration, and what is missing of the grid."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from train.run import REPORT

Report = Mapping[str, Any]
Reports = dict[str, list[Report]]


def read_reports(folder: Path) -> Reports:
    """Configuration name -> the reports of its runs, in the order of split and seed; ValueError without any."""
    found: Reports = defaultdict(list)
    for path in sorted(folder.glob(f"*/*/{REPORT}")):
        try:
            report = json.loads(path.read_text("utf-8"))
        except json.JSONDecodeError as error:
            raise ValueError(f"{path} is no report of a run: {error}") from error
        if not isinstance(report, dict) or not {"split", "seed", "raw", "decoded", "model"} <= report.keys():
            raise ValueError(f"{path} is no report of a run: it needs split, seed, raw, decoded and model")
        found[path.parts[-3]].append(report)
    if not found:
        raise ValueError(
            f"no finished run in {folder} (NAME/fold-1-seed-42/{REPORT}); "
            "make some: python -m train.crossval configs/roles/gat.toml"
        )
    return {name: sorted(runs, key=lambda run: (run["split"], run["seed"])) for name, runs in sorted(found.items())}


def missing_runs(reports: Reports, splits: Sequence[str], seeds: Sequence[int], names: Iterable[str]) -> list[str]:
    """A line per configuration of `names` and `reports` that lacks runs of the grid, with the runs it lacks."""
    lines = []
    for name in sorted({*names, *reports}):
        made = {(run["split"], run["seed"]) for run in reports.get(name, [])}
        lacking = {split: [seed for seed in seeds if (split, seed) not in made] for split in splits}
        count = sum(map(len, lacking.values()))
        if not made:
            lines.append(f"{name}: no run yet")
        elif count:
            splits_of: dict[str, list[str]] = defaultdict(list)
            for split, left in lacking.items():
                splits_of[", ".join(map(str, left))].append(split)
            listed = "; ".join(f"{', '.join(parts)} with seeds {left}" for left, parts in splits_of.items() if left)
            lines.append(f"{name}: {count} of {len(splits) * len(seeds)} missing: {listed}")
    return lines
