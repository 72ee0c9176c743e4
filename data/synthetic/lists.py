"""Columns of fields -> a list as authors lay it out: heads in one or two rows, gaps, notes, odd styles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from cellroles.sheet import Region, Role, Style
from data.synthetic.frame import note_lines, title_lines
from data.synthetic.grid import Canvas, Position, Positions
from data.synthetic.records import Field, write_records
from data.synthetic.styles import FILLS, Look
from data.synthetic.vocabulary import Words

HEADS = ("plain", "grouped", "described", "numbered", "first_blank", "some_blank", "none")


def list_rows(rng: Random) -> int:
    """Records: a quarter of the lists have 2-5, one in eight more than 40."""
    return rng.choices((rng.randint(2, 5), rng.randint(5, 15), rng.randint(15, 40), rng.randint(40, 80)), (2, 3, 2, 1))[
        0
    ]


def list_width(rng: Random, most: int = 20) -> int:
    """Attributes beside the keys, 1 to `most`; mostly fewer than nine."""
    return min(most, rng.choices((rng.randint(1, 3), rng.randint(3, 8), rng.randint(8, 20)), (0.3, 0.5, 0.2))[0])


def place_list(
    rng: Random,
    words: Words,
    look: Look,
    canvas: Canvas,
    fields: Sequence[Field],
    *,
    heads: str = "",
    framed: float = 0.35,
    dressed: bool = True,
    **options: Any,
) -> Region:
    """A list with its frame; `heads` is one of HEADS (default: mostly plain), `options` go to `write_records`."""
    kept = _differing(fields)
    if not any(column.formula for column in kept):
        kept = _spaced(rng, kept)
    top = 0
    if rng.random() < framed:
        top = title_lines(rng, words, look, canvas, words.one(rng, "texts"), len(kept))
        top = _notes_above(rng, words, look, canvas, top)
    left = rng.choices((0, 1, 2), (0.92, 0.06, 0.02))[0]
    how = heads or rng.choices(HEADS, (0.7, 0.1, 0.05, 0.03, 0.05, 0.04, 0.03))[0]
    paths, below = write_heads(rng, words, look, canvas, (top, left), kept, how)
    first = below + (rng.random() < 0.03 and below > top)
    if not any(column.adds_up and set(map(type, column.values)) <= {int, float} for column in kept[1:]):
        options.pop("total", None)
    body = write_records(canvas, look, (first, left), kept, header=False, **options)
    for at in canvas.col_paths:
        if body.contains(*at):
            canvas.col_paths[at] = paths[at[1] - left]
    canvas.tables[-1] = region = Region(top, left, body.bottom, body.right)
    if dressed:
        dress(rng, canvas, body, region)
    note_lines(rng, words, look, canvas, left, 0.4 if top else 0.08)
    return region


def _differing(fields: Sequence[Field]) -> list[Field]:
    """The fields; a head that another one has already is numbered."""
    heads = [column.header for column in fields]
    taken = [heads[:j].count(head) if head else 0 for j, head in enumerate(heads)]
    return [
        replace(column, header=f"{column.header} {n + 1}") if n else column
        for column, n in zip(fields, taken, strict=True)
    ]


def _spaced(rng: Random, fields: list[Field]) -> list[Field]:
    """Sometimes with one or two empty columns in between."""
    for _ in range(rng.choices((0, 1, 2), (0.93, 0.05, 0.02))[0]):
        if len(fields) > 2:
            fields.insert(rng.randint(1, len(fields) - 1), Field("", (None,) * len(fields[0].values)))
    return fields


def _notes_above(rng: Random, words: Words, look: Look, canvas: Canvas, row: int) -> int:
    """Sometimes notes between the title and the list; the next free row."""
    if rng.random() > 0.2:
        return row
    for text in words.some(rng, rng.choice(("notes", "descriptions")), rng.randint(1, 3)):
        canvas.put(row, 0, text, Role.METADATA, look.note)
        row += 1
    return row + rng.choice((0, 1))


def write_heads(
    rng: Random, words: Words, look: Look, canvas: Canvas, at: Position, fields: Sequence[Field], how: str
) -> tuple[list[Positions], int]:
    """Column heads from `at` on: the path of every column and the first row below."""
    top, left = at
    paths: list[Positions] = [()] * len(fields)
    if how == "none":
        return paths, top
    named = {j for j, column in enumerate(fields) if column.header}
    if how == "first_blank":
        named.discard(0)
    if how == "some_blank":
        named -= set(rng.sample(sorted(named), min(len(named) - 1, rng.randint(1, 2))))
    if how == "grouped":
        return _grouped(rng, words, look, canvas, at, fields), top + 2
    if how == "described" and rng.random() < 0.5:
        top = _descriptions(rng, words, look, canvas, (top, left), named)
    for j in named:
        paths[j] = (canvas.put(top, left + j, fields[j].header, Role.COL_HEADER_1, look.header),)
    top += 1
    if how == "described" and top == at[0] + 1:
        top = _descriptions(rng, words, look, canvas, (top, left), named)
    if how == "numbered":
        for j in named:
            paths[j] += (canvas.put(top, left + j, j + 1, Role.COL_HEADER_1, look.header),)
        top += 1
    return paths, top


def _descriptions(rng: Random, words: Words, look: Look, canvas: Canvas, at: Position, columns: set[int]) -> int:
    """A row that explains the columns."""
    for j in sorted(columns):
        canvas.put(at[0], at[1] + j, words.one(rng, "descriptions"), Role.METADATA, look.note)
    return at[0] + 1


def _grouped(
    rng: Random, words: Words, look: Look, canvas: Canvas, at: Position, fields: Sequence[Field]
) -> list[Positions]:
    """Two rows of heads: labels over runs of columns, merged or not; other heads are merged down or stand alone."""
    top, left = at
    merged = rng.random() < 0.7
    alone = rng.choice(("tall", "tall", "top", "bottom") if merged else ("tall", "top"))
    paths: list[Positions] = [()] * len(fields)
    j, labels = 0, rng.sample(words.lists["sections"], len(words.lists["sections"]))
    while j < len(fields):
        size = rng.randint(2, 5) if labels and rng.random() < (0.6 if j else 0.2) else 1
        run = [k for k in range(j, min(j + size, len(fields))) if fields[k].header]
        outer: Positions = ()
        if len(run) > 1:
            outer = (canvas.put(top, left + run[0], labels.pop(), Role.COL_HEADER_2, look.header),)
            if merged:
                canvas.merge(top, left + run[0], top + 1, left + run[-1] + 1)
        for k in run:
            row = top + (bool(outer) or alone == "bottom")
            inner = canvas.put(row, left + k, fields[k].header, Role.COL_HEADER_1, look.header)
            if not outer and alone == "tall":
                canvas.merge(top, left + k, top + 2, left + k + 1)
            paths[k] = (*outer, inner)
        j += size
    return paths


def dress(rng: Random, canvas: Canvas, body: Region, table: Region) -> None:
    """Styles that say nothing about roles: all bold, all filled, a loud column or row, heads like the body."""
    fill, col, row = rng.choice(FILLS), rng.randrange(body.left, body.right), rng.randrange(body.top, body.bottom)
    odd: tuple[tuple[float, Callable[[Position], bool], dict[str, Any]], ...] = (
        (0.05, lambda at: True, {"bold": True}),
        (0.04, lambda at: True, {"fill": fill}),
        (0.05, lambda at: at[1] == col, {"bold": True}),
        (0.05, lambda at: at[1] == col and at[0] >= body.top, {"fill": fill}),
        (0.05, lambda at: at[0] == row, {"fill": fill}),
        (0.04, lambda at: at[0] >= body.top, {"bold": True}),
        (0.05, lambda at: True, {"align": rng.choice(("center", "left", "right"))}),
        (0.08, lambda at: at[0] < body.top, {"bold": False, "fill": "", "color": "", "border": ""}),
    )
    for chance, chosen, changes in odd:
        if rng.random() < chance:
            restyle(canvas, lambda at, chosen=chosen: table.contains(*at) and chosen(at), changes)  # type: ignore[misc]


def restyle(canvas: Canvas, chosen: Callable[[Position], bool], changes: dict[str, Any]) -> None:
    """Change the style of the chosen cells."""
    made: dict[Style, Style] = {}
    for at, cell in canvas.cells.items():
        if chosen(at):
            style = made.get(cell.style) or made.setdefault(cell.style, replace(cell.style, **changes))
            canvas.cells[at] = replace(cell, style=style)
