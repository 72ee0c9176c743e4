"""Seeds -> random sheets with text, numbers, formulas, styles and merges, for oracle tests."""

from __future__ import annotations

import numpy as np

from cellroles.sheet import Kind, Objects, Sheet, Style

STYLES = (
    Style(size=11),
    Style(bold=True, size=11, fill="DDEEFF", border="b"),
    Style(size=11, number_format="#,##0.0"),
    Style(italic=True, size=9, indent=2, color="808080"),
    Style(size=14, bold=True, align="center", wrap=True, number_format="0%"),
)
TEXTS = (
    "Total",
    "North",
    "  South",
    "2019",
    "n/a",
    "Source: survey",
    "in thousands",
    "1.2 Costs",
    "值",
    "A long note. Of six words here.",
)


def objects(values: list[object]) -> Objects:
    """A one-dimensional object array."""
    array = np.empty(len(values), np.object_)
    array[:] = values
    return array


def random_sheet(seed: int, rows: int = 14, cols: int = 7, fill: float = 0.6, merged: bool = True) -> Sheet:
    """A random sheet with about `fill` of its used box filled."""
    rng = np.random.default_rng(seed)
    merges, covered = [], set[tuple[int, int]]()
    for _ in range(rng.integers(0, 4) if merged else 0):
        top, left = int(rng.integers(0, rows - 3)), int(rng.integers(0, cols - 3))
        area = {
            (r, c)
            for r in range(top, top + int(rng.integers(1, 4)))
            for c in range(left, left + int(rng.integers(1, 4)))
        }
        if len(area) > 1 and not area & (covered | {(m[0], m[1]) for m in merges}):
            bottom, right = max(r for r, _ in area) + 1, max(c for _, c in area) + 1
            merges.append((top, left, bottom, right))
            covered |= area - {(top, left)}
    places = [(r, c) for r in range(rows) for c in range(cols) if (r, c) not in covered and rng.random() < fill]
    if not places:
        places = [(0, 0)]
    kinds = rng.choice([Kind.TEXT, Kind.NUMBER], len(places), p=[0.4, 0.6])
    numbers = np.where(rng.random(len(places)) < 0.7, rng.integers(0, 20, len(places)), rng.normal(0, 1e4, len(places)))
    texts = [str(rng.choice(TEXTS)) for _ in places]
    values = [texts[i] if kinds[i] == Kind.TEXT else float(numbers[i]) for i in range(len(places))]
    formulas = [str(rng.choice(["=SUM(B2:B4)", "=A1", "=B2/C3*100"])) if rng.random() < 0.1 else None for _ in places]
    row, col = np.array(places, np.int32).T
    return Sheet(
        workbook="random.xlsx",
        name=f"seed {seed}",
        row=row.astype(np.int32),
        col=col.astype(np.int32),
        kind=kinds.astype(np.uint8),
        value=objects(list(values)),
        number=np.where(kinds == Kind.NUMBER, numbers, np.nan),
        text=objects([str(value) for value in values]),
        formula=objects(list(formulas)),
        uncached=np.zeros(len(places), np.bool_),
        style=rng.integers(0, len(STYLES), len(places)).astype(np.int32),
        styles=STYLES,
        merges=np.array(sorted(merges), np.int32).reshape(-1, 4),
    )
