"""Families with several tables on one sheet: side by side, stacked, glued, repeated headers."""

from __future__ import annotations

from random import Random

from cellroles.sheet import Region, Role
from data.synthetic.axes import Measure, Node, draw_measure
from data.synthetic.draws import flat_axis, measure_columns, nodes, tree_axis, with_total
from data.synthetic.flat import name_field
from data.synthetic.frame import note_lines, title_lines
from data.synthetic.grid import Canvas, Position
from data.synthetic.nested import ADDITIVE, outer_columns, random_layout
from data.synthetic.records import attributes, write_records
from data.synthetic.styles import Look
from data.synthetic.table import TableWriter
from data.synthetic.vocabulary import Words


def caption(rng: Random, words: Words, look: Look, canvas: Canvas, at: Position, chance: float, number: int) -> int:
    """Perhaps a caption over a table; rows taken. It touches the table, which then includes it."""
    if rng.random() > chance:
        return 0
    text = words.one(rng, rng.choice(("subtitles", "sections", "texts")))
    prefix = rng.choice(("", "", f"{number}. ", f"Table {number}: ", f"{chr(64 + number)}) "))
    canvas.put(*at, prefix + text, Role.HEADER, look.caption)
    return 1


def small_table(rng: Random, words: Words, look: Look, canvas: Canvas, at: Position, rows: int) -> Region:
    """A small list, cross-tab or nested table."""
    kind = rng.choice(("list", "crosstab", "nested", "tree"))
    if kind == "list":
        fields = [name_field(rng, words, rows), *attributes(rng, words, rng.randint(1, 4), rows)]
        return write_records(canvas, look, at, fields)
    measure = draw_measure(rng, words, ADDITIVE)[1]
    name, labels = flat_axis(rng, words, rng.choice(("year", "region", "sex", "country", "product")), rows)
    body = nodes(labels)
    columns: tuple[Node, ...] = nodes(words.some(rng, "parts", rng.randint(1, 4)))
    if kind == "crosstab":
        body = with_total(rng, words, body)
        columns = with_total(rng, words, columns) if len(columns) > 1 else columns
    if kind == "nested":
        _, columns, measure, _ = outer_columns(rng, words, 2)
    if kind == "tree":
        name, body = tree_axis(rng, words, 2, 3)
    layout = random_layout(rng, (name,), gap=0)
    return TableWriter(canvas, look, at, layout).place(rng, body, columns, measure)


def _captioned(
    rng: Random, words: Words, look: Look, canvas: Canvas, at: Position, chance: float, number: int
) -> Region:
    """A small table with its caption, as one region."""
    taken = caption(rng, words, look, canvas, at, chance, number)
    region = small_table(rng, words, look, canvas, (at[0] + taken, at[1]), rng.randint(2, 9))
    if taken:
        canvas.tables[-1] = region = Region(at[0], region.left, region.bottom, region.right)
    return region


def side_by_side(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Two or three tables next to each other, one or two empty columns between."""
    top = title_lines(rng, words, look, canvas, words.one(rng, "texts"), 8)
    left, chance, gap = 0, rng.choice((0.0, 0.9)), rng.choice((1, 1, 2))
    for number in range(1, rng.choice((2, 2, 3)) + 1):
        left = _captioned(rng, words, look, canvas, (top, left), chance, number).right + gap
    if rng.random() < 0.3:
        _captioned(rng, words, look, canvas, (canvas.bottom + 1, 0), chance, 4)
    note_lines(rng, words, look, canvas, chance=0.4)


def stacked_tables(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Different tables below each other, blank rows between."""
    top = title_lines(rng, words, look, canvas, words.one(rng, "texts"), 5)
    chance, gap = rng.choice((0.0, 0.95)), rng.choice((1, 1, 2, 3))
    for number in range(1, rng.choice((2, 3, 4)) + 1):
        top = _captioned(rng, words, look, canvas, (top, 0), chance, number).bottom + gap
    note_lines(rng, words, look, canvas, chance=0.4)


def glued_tables(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Tables below each other without a blank row: only the next header row or caption parts them."""
    top = title_lines(rng, words, look, canvas, words.one(rng, "texts"), 5)
    chance = rng.choice((0.0, 0.9))
    for number in range(1, rng.choice((2, 2, 3)) + 1):
        top = _captioned(rng, words, look, canvas, (top, 0), chance, number).bottom
    note_lines(rng, words, look, canvas, chance=0.3)


def stacked_headers(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """The same header block repeated down the sheet, a caption over each."""
    name, labels = flat_axis(rng, words, rng.choice(("age", "sex", "department", "city")), rng.randint(2, 8))
    if rng.random() < 0.5:
        columns: tuple[Node, ...] = measure_columns(rng, words, rng.randint(2, 5))
        measure = Measure()
    else:
        _, columns, measure, _ = outer_columns(rng, words, 2)
    body = with_total(rng, words, nodes(labels)) if rng.random() < 0.5 else nodes(labels)
    top = title_lines(rng, words, look, canvas, words.one(rng, "texts"), 5)
    layout, gap = random_layout(rng, (name,), gap=0), rng.choice((0, 1, 1, 2))
    for title in words.some(rng, rng.choice(("countries", "cities", "scenarios")), rng.randint(2, 5)):
        at = canvas.put(top, 0, title, Role.HEADER, look.caption)
        region = TableWriter(canvas, look, (top + 1, 0), layout).place(rng, body, columns, measure)
        canvas.tables[-1] = Region(at[0], region.left, region.bottom, region.right)
        top = region.bottom + gap
    note_lines(rng, words, look, canvas, chance=0.4)
