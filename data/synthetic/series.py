"""Families of figures by figures: doses, depths or times down the first column; x beside y, several times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from cellroles.sheet import Region, Role
from data.synthetic.coined import named
from data.synthetic.frame import note_lines, title_lines
from data.synthetic.grid import Canvas, CellValue, Position, Positions
from data.synthetic.lists import list_rows, place_list
from data.synthetic.records import Field, numbers
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words


def scale(rng: Random, rows: int) -> tuple[CellValue, ...]:
    """Rising figures: by even steps, doubling, or uneven."""
    start, step = rng.choice((0, 0, 1, 10, 0.5, -20)), rng.choice((1, 2, 5, 0.1, 0.25, 100))
    how = rng.choice(("even", "even", "double", "uneven"))
    if how == "double" and rows < 16:
        return tuple(step * 2**k for k in range(rows))
    if how == "uneven":
        steps = [step * rng.randint(1, 9) for _ in range(rows)]
        return tuple(round(start + sum(steps[:k]), 3) for k in range(rows))
    return tuple(round(start + step * k, 3) for k in range(rows))


def numeric_keys(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Doses, depths, times, sample numbers in the first column, measurements beside: all figures."""
    rows = list_rows(rng)
    key = Field(words.one(rng, "axis_heads"), scale(rng, rows), Role.ROW_HEADER_1)
    series = rng.randint(1, 8)
    if rng.random() < 0.4:
        stem = rng.choice(("y", "Rep ", "Sample ", "S", "Run", "A"))
        heads = [f"{stem}{k + 1}" for k in range(series)]
    else:
        heads = words.some(rng, "parameters", series)
    kind = rng.choice(("rate", "index", "percent", "price", "count"))
    fields = [key, *(replace(numbers(rng, kind, rows), header=head, adds_up=False) for head in heads)]
    place_list(rng, words, look, canvas, fields)


def xy_series(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Series side by side, each an x and its y columns under a label; x names the row of its own series."""
    top = title_lines(rng, words, look, canvas, words.one(rng, "texts"), 6)
    count, gap = rng.randint(1, 5), rng.choice((0, 0, 0, 1))
    inner = [words.one(rng, "axis_heads"), *rng.choice((["y"], ["y", "err"], ["f(x)"], ["mean", "sd"]))]
    kind = rng.choice(("products", "cities", "parameters", "categories", "scenarios"))
    labels = named(rng, words, kind, count)
    labelled, merged, same = rng.random() < 0.85, rng.random() < 0.6, rng.random() < 0.3
    rows, left, start = list_rows(rng), 0, top
    for label in labels:
        outer: Positions = ()
        if labelled:
            outer = (canvas.put(top, left, label, Role.COL_HEADER_2, look.header),)
            if merged:
                canvas.merge(top, left, top + 1, left + len(inner))
        length = rows if same else max(2, rows - rng.randint(0, 4))
        _series(rng, look, canvas, (top + labelled, left), inner, outer, length)
        left += len(inner) + gap
        if gap:
            canvas.tables.append(Region(top, left - gap - len(inner), top + labelled + 1 + length, left - gap))
    if not gap:
        canvas.tables.append(Region(start, 0, canvas.bottom, left))
    note_lines(rng, words, look, canvas, chance=0.3)


def _series(
    rng: Random, look: Look, canvas: Canvas, at: Position, inner: Sequence[str], outer: Positions, rows: int
) -> None:
    """One series below its label."""
    row, left = at
    heads = [canvas.put(row, left + k, text, Role.COL_HEADER_1, look.header) for k, text in enumerate(inner)]
    shown = [numbers(rng, rng.choice(("rate", "index", "price")), rows) for _ in inner[1:]]
    for i, x in enumerate(scale(rng, rows)):
        key = canvas.put(row + 1 + i, left, x, Role.ROW_HEADER_1, look.label(0, i))
        for head, field in zip(heads[1:], shown, strict=True):
            value = field.values[i]
            assert value is not None
            style = look.value(field.number_format, i)
            canvas.figure((row + 1 + i, head[1]), value, Role.VALUE, style, (*outer, head), (key,))
