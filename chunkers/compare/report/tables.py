"""Results -> the cells of the report's tables, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chunkers.compare.judge import SCORES
from chunkers.compare.report.standing import Standing, arranged, standing
from chunkers.compare.results import ALL, COMPARED, JUDGE, MethodResult, Results
from chunkers.compare.statistics import Difference, Estimate

MEANINGS: Mapping[str, str] = {**SCORES, JUDGE: "mean rating of the generated answers, from 1 to 5"}
OF_STRUCTURE = ("recall@1", "recall@5", "recall@1500 tokens", "recall@5 and association", "exact paths")
NONE = "–"
RIVALS = (Standing.ASSEMBLY, Standing.BASELINE)

Means = Mapping[str, Estimate | None]
"""Name of a score -> its mean over the questions of a tag."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A mean; `gap` is the share of the way from the best baseline to the ceiling that it has gone."""

    text: str
    interval: str = ""
    n: int = 0
    best: bool = False
    gap: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """The scores of a method; `tokens` is the mean size of its first five chunks together."""

    method: MethodResult
    cells: tuple[Cell, ...]
    tokens: str


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """The scores of all methods on the questions of a tag, by standing."""

    tag: str
    n: int
    names: tuple[str, ...]
    blocks: Mapping[Standing, Sequence[Line]]

    @property
    def has_gaps(self) -> bool:
        """Whether any cell tells how much of the gap is closed."""
        return any(cell.gap for lines in self.blocks.values() for line in lines for cell in line.cells)


@dataclass(frozen=True, slots=True)
class Gap:
    """What the first method has over another; `sign` is 1 or -1 where the interval leaves out zero, else 0."""

    mean: str
    interval: str
    p: str
    n: int
    sign: int


def main_table(results: Results) -> ScoreTable:
    """Every score over all questions."""
    return _table(results, ALL, tuple(SCORES))


def structure_tables(results: Results) -> list[ScoreTable]:
    """The scores that structure decides, a table per tag."""
    tags = dict.fromkeys(row.tag for row in results.rows if row.tag != ALL)
    return [_table(results, tag, OF_STRUCTURE) for tag in tags]


def _table(results: Results, tag: str, names: tuple[str, ...]) -> ScoreTable:
    means = means_of(results, tag)
    names = (*names, JUDGE) if any(JUDGE in found for found in means.values()) else names
    tokens = {row.method: f"{row.top_tokens:,.0f}" for row in results.rows if row.tag == tag}
    columns = {name: _column(results, {method: found.get(name) for method, found in means.items()}) for name in names}
    blocks = {
        place: [Line(m, tuple(columns[name][m.name] for name in names), tokens[m.name]) for m in methods]
        for place, methods in arranged(results).items()
    }
    n = sum(tag == ALL or tag in question.tags for question in results.questions)
    return ScoreTable(tag, n, names, blocks)


def means_of(results: Results, tag: str) -> dict[str, Means]:
    """Method -> its means over the questions of a tag."""
    return {row.method: row.scores for row in results.rows if row.tag == tag}


def _column(results: Results, column: Mapping[str, Estimate | None]) -> dict[str, Cell]:
    """The cells of one score. What is judged by the sheet alone, or has labelled roles, is nobody's rival."""
    told = [(method, found.mean) for method in results.methods if (found := column[method.name])]
    rivals = [(m, mean) for m, mean in told if m.judged != "sheet" and standing(m) in RIVALS]
    best = f"{max(mean for _, mean in rivals):.3f}" if any(mean > 0 for _, mean in rivals) else ""
    floor = max((mean for m, mean in rivals if m.baseline), default=None)
    ceiling = max((mean for m, mean in told if standing(m) is Standing.CEILING), default=None)
    cells: dict[str, Cell] = {}
    for method in results.methods:
        found = column[method.name]
        cell = _cell(found)
        gap = closed(found.mean, floor, ceiling) if found and standing(method) is Standing.ASSEMBLY else None
        is_best = cell.text == best and any(method is rival for rival, _ in rivals)
        share = "" if gap is None else f"{100 * gap:.0f} %" if gap > 0 else "none"
        cells[method.name] = Cell(cell.text, cell.interval, cell.n, is_best, share)
    return cells


def _cell(found: Estimate | None) -> Cell:
    return Cell(f"{found.mean:.3f}", f"{found.low:.3f} to {found.high:.3f}", found.n) if found else Cell(NONE)


def closed(mean: float, floor: float | None, ceiling: float | None) -> float | None:
    """The share of the gap between the best baseline and the ceiling that is closed; None where there is no gap.

    >>> closed(0.75, 0.5, 1.0), closed(0.75, 1.0, 0.5)
    (0.5, None)
    """
    if floor is None or ceiling is None or ceiling <= floor:
        return None
    return (mean - floor) / (ceiling - floor)


def compared(results: Results) -> list[str]:
    """The scores whose differences are told."""
    return [name for name in COMPARED if any(name in found for found in results.differences.values())]


def differences(results: Results) -> dict[str, list[Gap | None]]:
    """Other method -> what the first one has over it, per score of `compared`."""
    names = compared(results)
    return {
        other: [_gap(found[name]) if name in found else None for name in names]
        for other, found in results.differences.items()
    }


def _gap(found: Difference) -> Gap:
    sign = 1 if found.low > 0 else -1 if found.high < 0 else 0
    interval = f"{_signed(found.low)} to {_signed(found.high)}"
    return Gap(_signed(found.mean), interval, "p < 0.001" if found.p < 0.001 else f"p = {found.p:.3f}", found.n, sign)


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")
