"""Trees of labels -> the lines (rows or columns) of a table, and the figures where they cross."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from data.synthetic.grid import CellValue
from data.synthetic.vocabulary import Words


@dataclass(frozen=True, slots=True)
class Measure:
    """What a column or row counts: log-normal around exp(`location`), or around 100 / a share for rates."""

    kind: str = "count"
    location: float = 5.0
    spread: float = 1.0
    decimals: int = 0
    number_format: str = "General"

    @property
    def additive(self) -> bool:
        """Whether parts add up to a total; the others are averaged."""
        return self.kind in ("count", "money")


MEASURES = {
    "count": (Measure("count"), (0,), ("General", "#,##0", "#,##0", "0", "# ##0")),
    "money": (Measure("money"), (0, 1, 2, 2), ("General", "#,##0.00", "#,##0", '"$"#,##0', "#,##0.0")),
    "percent": (Measure("percent"), (1, 1, 2), ("General", "0.0", "0.00")),
    "fraction": (Measure("fraction"), (3, 4), ("0.0%", "0%", "0.00%")),
    "index": (Measure("index"), (1, 2), ("General", "0.0", "0.00")),
    "rate": (Measure("rate"), (1, 2), ("General", "0.0", "0.00")),
    "price": (Measure("price"), (2,), ("General", "0.00", "#,##0.00")),
}


def draw_measure(rng: Random, words: Words, kinds: Sequence[str] = tuple(MEASURES)) -> tuple[str, Measure]:
    """A measure's name and its scale; `kinds` limits the choice."""
    named = [text.split(":", 1) for text in words.lists["measures"]]
    kind, label = rng.choice([pair for pair in named if pair[0] in kinds])
    return label, scale_measure(rng, "fraction" if kind == "percent" and rng.random() < 0.3 else kind)


def scale_measure(rng: Random, kind: str) -> Measure:
    """A measure of one kind with a magnitude, decimals and a number format."""
    base, decimals, formats = MEASURES[kind]
    return replace(
        base,
        location=rng.uniform(2.0, 9.0),
        spread=rng.uniform(0.4, 1.4),
        decimals=rng.choice(decimals),
        number_format=rng.choice(formats),
    )


@dataclass(frozen=True, slots=True)
class Node:
    """A label and what hangs below it.

    `derived` is "sum" or "mean" of the leaves beside it (under the same parent), "share" (each row's part of the sum
    beside it, or of the first leaf), or "" for own figures;
    `figures` says what a parent's own line holds in an outline: "" nothing, "sum", or "own".
    """

    label: CellValue
    children: tuple[Node, ...] = ()
    derived: str = ""
    figures: str = ""
    measure: Measure | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One node in preorder: `parents` and `parts` index lines; `depth` is 1 at a leaf, at most 3."""

    label: CellValue
    parents: tuple[int, ...]
    depth: int
    kind: str
    parts: tuple[int, ...]
    leaf: bool
    measure: Measure | None


def height(node: Node) -> int:
    """1 for a leaf, one more than its highest child for a parent."""
    return 1 + max(map(height, node.children), default=0)


def lines(forest: Sequence[Node]) -> tuple[Line, ...]:
    """The forest in preorder; a derived node's parts are the leaves beside it (a share's: the sum beside it)."""
    found: list[Line] = []

    def visit(nodes: Sequence[Node], parents: tuple[int, ...], measure: Measure | None) -> list[int]:
        own: list[int] = []
        derived: list[int] = []
        for node in nodes:
            index = len(found)
            scale = node.measure or measure
            kind = node.derived or ("own" if not node.children else node.figures or "none")
            found.append(Line(node.label, parents, min(height(node), 3), kind, (), not node.children, scale))
            below = visit(node.children, (*parents, index), scale)
            if node.figures == "sum":
                found[index] = replace(found[index], parts=tuple(below))
            if node.derived:
                derived.append(index)
            else:
                own += below if node.children else [index]
        for index in derived:
            sums = [other for other in derived if found[other].kind == "sum"]
            of_total = found[index].kind == "share" and bool(sums)
            found[index] = replace(found[index], parts=tuple(sums[:1] if of_total else own))
        return own

    visit(forest, (), None)
    return tuple(found)


def _base(generator: np.random.Generator, rows: int, measure: Measure) -> NDArray[np.float64]:
    level = generator.normal(0, measure.spread, rows)
    if measure.kind in ("count", "money"):
        return np.exp(measure.location + level)
    if measure.kind == "percent":
        return 100 * generator.beta(1.5, 3.0, rows)
    if measure.kind == "fraction":
        return generator.beta(1.5, 3.0, rows)
    if measure.kind == "index":
        return 100 + 12 * level
    return np.exp(min(measure.location, 4.0) + 0.6 * level)


def figures(
    rng: Random, rows: Sequence[Line], cols: Sequence[Line], default: Measure, missing: float
) -> NDArray[np.float64]:
    """Figures (rows, cols) whose sums hold; NaN where a figure is missing (counted as nothing in sums)."""
    generator = np.random.default_rng(rng.getrandbits(32))
    scales = [col.measure or default for col in cols]
    shared: dict[Measure, NDArray[np.float64]] = {}
    grid = np.zeros((len(rows), len(cols)))
    for j, scale in enumerate(scales):
        if scale not in shared:
            shared[scale] = _base(generator, len(rows), scale)
        grid[:, j] = shared[scale] * np.exp(generator.normal(generator.normal(0, 0.25), 0.12, len(rows)))
    for i, row in enumerate(rows):
        if row.measure is not None:
            grid[i] = _base(generator, 1, row.measure)[0] * np.exp(generator.normal(0, 0.15, len(cols)))
    bounded = np.array([scale.kind == "fraction" for scale in scales])
    grid[:, bounded] = np.minimum(grid[:, bounded], 1.0)
    decimals = [[(row.measure or scale).decimals for scale in scales] for row in rows]
    grid = np.array([[round(x, d) for x, d in zip(xs, ds, strict=True)] for xs, ds in zip(grid, decimals, strict=True)])
    grid[generator.random(grid.shape) < missing] = np.nan
    return derive(grid.reshape(len(rows), len(cols)), rows, cols, scales)


def derive(
    grid: NDArray[np.float64], rows: Sequence[Line], cols: Sequence[Line], scales: Sequence[Measure]
) -> NDArray[np.float64]:
    """Fill sums and means of columns, then of rows, then the shares (of the column sum of plain rows)."""
    grid = grid.copy()
    for j, col in enumerate(cols):
        if col.kind in ("sum", "mean"):
            grid[:, j] = _combine(grid[:, list(col.parts)].T, col.kind == "sum", scales[j].decimals)
    additive = np.array([scale.additive for scale in scales])
    for i, row in enumerate(rows):
        if row.kind in ("sum", "mean"):
            parts = grid[list(row.parts)]
            decimals = max((scale.decimals for scale in scales), default=0)
            summed = _combine(parts, row.kind == "sum", decimals)
            grid[i] = np.where(additive | (row.kind == "mean"), summed, _combine(parts, False, max(decimals, 2)))
    plain = [i for i, row in enumerate(rows) if row.kind == "own" and row.leaf]
    for j, col in enumerate(cols):
        if col.kind == "share":
            whole = np.nansum(grid[plain, col.parts[0]])
            grid[:, j] = np.round(grid[:, col.parts[0]] / (whole or 1.0), 4)
    return grid


def roughen(
    rng: Random, grid: NDArray[np.float64], rows: Sequence[Line], cols: Sequence[Line], how: str
) -> NDArray[np.float64]:
    """Totals as real sheets have them: every figure "rounded" by itself, parts "suppressed" after they were summed, or
    only some parts shown ("partial"); "exact" changes nothing."""
    if how == "exact":
        return grid
    plain = np.outer([row.kind == "own" for row in rows], [col.kind == "own" for col in cols])
    if how == "rounded":
        size = float(np.nanmax(np.abs(grid), initial=0.0))
        unit = 10.0 ** max(np.floor(np.log10(max(size, 1.0))) - rng.choice((2, 2, 3)), 0)
        return np.where(np.abs(grid) > 20 * unit, np.round(grid / unit) * unit, np.round(grid, 0 if size > 1e3 else 2))
    if how == "suppressed":
        hidden = np.random.default_rng(rng.getrandbits(32)).random(grid.shape) < rng.uniform(0.1, 0.7)
        return np.where(plain & hidden, np.nan, grid)
    summed = np.logical_or.outer([row.kind == "sum" for row in rows], [col.kind == "sum" for col in cols])
    scaled = np.logical_and.outer(
        [row.kind != "mean" for row in rows], [col.kind not in ("mean", "share") for col in cols]
    )
    return np.where(summed & scaled, np.round(grid * rng.uniform(1.02, 2.0), 1), grid)


def _combine(parts: NDArray[np.float64], is_sum: bool, decimals: int) -> NDArray[np.float64]:
    """Sum or mean over the first axis, missing figures left out."""
    count = np.maximum((~np.isnan(parts)).sum(axis=0), 1)
    total = np.nansum(parts, axis=0)
    combined: NDArray[np.float64] = total if is_sum else total / count
    return np.asarray(np.round(combined, decimals if is_sum else max(decimals, 2)), np.float64)
