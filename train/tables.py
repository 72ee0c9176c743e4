"""Reports of runs -> the paper's Table 1 (F1 per class) and Table 6 (architectures), as rows of text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from cellroles.sheet import Role
from train.reports import Report, Reports

MEANS = {
    "macro-F1, classes with gold cells": "macro",
    "headline, 11 classes": "headline",
    "10 classes without empty": "ten",
    "13 classes": "thirteen",
    "header levels merged": "merged",
    "mean over corpora": "dev",
}


@dataclass(frozen=True, slots=True)
class Table:
    """A title, a heading row, rows of as many cells, and remarks; a cell marked bold starts and ends with `**`."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def markdown(self) -> str:
        """The table with its title and remarks."""
        lines = [self.head, ("---",) * len(self.head), *self.rows]
        body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        return "\n\n".join([f"## {self.title}", body, *self.notes]) + "\n"


def mean_and_sd(values: Sequence[float]) -> str:
    """`.812 ± .021`; without a deviation where there is one run.

    >>> mean_and_sd([0.8, 0.9]), mean_and_sd([0.5]), mean_and_sd([])
    ('.850 ± .071', '.500', '–')
    """
    if not values:
        return "–"
    spread = f" ± {_share(stdev(values))}" if len(values) > 1 else ""
    return _share(fmean(values)) + spread


def _share(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def row_of(name: str, values: Sequence[Sequence[float]]) -> tuple[str, ...]:
    """A label and one cell per configuration, the best mean in bold."""
    means = [fmean(entry) if entry else -1.0 for entry in values]
    best = max(means)
    cells = [mean_and_sd(entry) for entry in values]
    return (name, *(f"**{cell}**" if mean == best >= 0 else cell for cell, mean in zip(cells, means, strict=True)))


def class_table(reports: Reports, way: str) -> Table:
    """Table 1: F1 per class with its share of the scored cells, mean ± SD over the runs of every configuration."""
    support = {role: sum(run[way]["support"][role.label] for runs in reports.values() for run in runs) for role in Role}
    total = max(sum(support.values()), 1)
    rows = []
    for role in sorted(Role, key=lambda role: -support[role]):
        if support[role]:
            values = [
                [run[way]["per_class"][role.label] for run in _with(runs, way, role)] for runs in reports.values()
            ]
            label, *cells = row_of(role.label, values)
            rows.append((label, f"{100 * support[role] / total:.2f}", *cells))
    for name, key in MEANS.items():
        label, *cells = row_of(name, [[run[way][key] for run in runs] for runs in reports.values()])
        rows.append((label, "", *cells))
    if way == "raw":
        errors = [mean_and_sd([run["calibration"]["ece"] for run in runs]) for runs in reports.values()]
        rows.append(("expected calibration error", "", *errors))
    rows.append(("runs", "", *(str(len(runs)) for runs in reports.values())))
    what = {"raw": "best role per cell", "decoded": "roles decoded jointly"}[way]
    absent = [role.label for role in Role if not support[role]]
    notes = ["Mean ± SD over the runs; best mean of every row in bold. Empty places are right by construction."]
    notes += [f"Without gold cells: {', '.join(absent)}; they count as 0 in the mean of 13 classes."] if absent else []
    if len({len(runs) for runs in reports.values()}) > 1:
        notes.append("Not all have the same number of runs: their means are over different folds or seeds.")
    return Table(f"Table 1: F1 per class, {what}", ("class", "% cells", *reports), tuple(rows), tuple(notes))


def _with(runs: Sequence[Report], way: str, role: Role) -> list[Report]:
    return [run for run in runs if role.label in run[way]["per_class"]]


def size_table(reports: Reports) -> Table:
    """Table 6: backbone layers, learned stages, parameters and width of every configuration, and what a run took."""
    columns: dict[str, Callable[[Report], str]] = {
        "architecture": lambda run: run["model"]["architecture"],
        "layers": lambda run: str(run["model"]["layers"]),
        "depth": lambda run: str(run["model"]["depth"]),
        "parameters": lambda run: f"{run['model']['parameters']:,}",
        "hidden": lambda run: str(run["model"]["hidden"] or "–"),
    }
    rows = []
    for name, runs in reports.items():
        spent = (fmean(run["training"][key] for run in runs) for key in ("epochs", "cpu_minutes"))
        rows.append((name, *(column(runs[0]) for column in columns.values()), *(f"{value:.1f}" for value in spent)))
    notes = (
        "Depth counts the learned stages: encoders, layers of the backbone, role and edge heads, others. Boosting: "
        "layers are rounds, depth is the deepest tree, parameters are splits and leaves. Epochs (that of the chosen "
        "weights) and CPU minutes are means over the runs.",
    )
    return Table("Table 6: architectures", ("configuration", *columns, "epochs", "CPU minutes"), tuple(rows), notes)
