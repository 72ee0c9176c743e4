"""Families of forms with several label and value pairs a row: sections, choices, wide rows, lists, signatures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from cellroles.sheet import Region, Role, Style
from data.synthetic.blocks import Datum
from data.synthetic.details import clock, date
from data.synthetic.flat import name_field
from data.synthetic.forms import content
from data.synthetic.frame import note_lines
from data.synthetic.grid import Canvas
from data.synthetic.records import attributes, write_records
from data.synthetic.restyle import restyled
from data.synthetic.styles import FILLS, Look
from data.synthetic.vocabulary import Words


@dataclass(frozen=True, slots=True)
class Grid:
    """How a form is laid out: pairs a row, columns of a label and of a value, whether they are merged, the looks."""

    pairs: int
    label_span: int
    value_span: int
    merged: bool
    colon: str
    missing: float
    label: Style
    value: Style

    @property
    def stride(self) -> int:
        """Columns of one pair."""
        return self.label_span + self.value_span

    @property
    def width(self) -> int:
        """Columns of the form."""
        return self.pairs * self.stride


def draw_grid(rng: Random, words: Words, look: Look) -> Grid:
    """A form's layout; labels look like headers, like labels, or like their values."""
    value = look.value()
    label = rng.choice((look.header, look.label(), value, Style(size=look.size, fill=rng.choice(FILLS))))
    colons = ("", "", "", "：", ":") if words.language in ("zh", "ja") else ("", "", ":", ":", " :")
    return Grid(
        pairs=rng.choice((1, 2, 2, 2, 3, 3, 4)),
        label_span=rng.choice((1, 1, 1, 1, 2)),
        value_span=rng.choice((1, 1, 1, 2, 3)),
        merged=rng.random() < 0.6,
        colon=rng.choice(colons),
        missing=rng.choice((0.0, 0.0, 0.15, 0.5, 0.95)),
        label=label,
        value=value if rng.random() < 0.9 else label,
    )


def draw_pairs(rng: Random, words: Words) -> Iterator[tuple[str, Datum | None]]:
    """Labels with their content, never the same label twice."""
    keys = {
        text.split(":", 1)[1]: text.split(":", 1)[0]
        for text in (*words.lists["form_keys"], *words.lists["report_keys"])
    }
    chosen: list[tuple[str, str]] = [*keys.items()]
    chosen += [(text.split("=")[0], text) for text in words.lists["choices"]]
    rng.shuffle(chosen)
    boxes = rng.choice(("", "", "■□", "☑☐", "✓_"))
    for label, kind in dict(chosen).items():
        yield label, _answer(rng, words, kind, boxes)


def _answer(rng: Random, words: Words, kind: str, boxes: str) -> Datum | None:
    """What stands behind a label: a choice (perhaps as boxes to tick), a time, a file, or as in simple forms."""
    if "=" in kind:
        texts = kind.split("=")[1].split(";")
        chosen = rng.choice(texts)
        if not boxes:
            return Datum(chosen)
        return Datum(" ".join(f"{boxes[text != chosen]}{text}" for text in texts))
    if kind == "date":
        return date(rng)
    if kind == "time":
        return clock(rng.choice((8, 9.5, 14.25)), rng.choice(("h:mm", "")))
    if kind == "file":
        return Datum(f"report_{rng.randint(1, 99):02d}.{rng.choice(('xlsx', 'pdf', 'csv'))}")
    if kind == "period":
        year = rng.randint(2000, 2024)
        return Datum(
            rng.choice((f"{year}-{rng.randint(1, 12):02d}", f"{year}/{year + 1}", f"01/01/{year} - 31/12/{year}"))
        )
    if kind == "number":
        return Datum(rng.randint(1, 30))
    value, number_format = content(rng, words, kind)
    return None if value is None else Datum(value, number_format)


def write_pair_row(
    rng: Random, canvas: Canvas, look: Look, row: int, left: int, grid: Grid, found: list[tuple[str, Datum | None]]
) -> None:
    """One row of a form; a single pair may fill the row's whole width."""
    for k, (label, datum) in enumerate(found):
        x = left + k * grid.stride
        value_span = grid.width - grid.label_span if len(found) == 1 else grid.value_span
        key = canvas.put(row, x, label + grid.colon, Role.ROW_HEADER_1, grid.label)
        if grid.merged:
            canvas.merge(row, x, row + 1, x + grid.label_span)
            canvas.merge(row, x + grid.label_span, row + 1, x + grid.label_span + value_span)
        if datum is not None and rng.random() >= grid.missing:
            style = replace(grid.value, number_format=datum.number_format)
            at = (row, x + grid.label_span)
            canvas.figure(at, datum.value, Role.VALUE, style, (), (key,))


def write_pairs(
    rng: Random, words: Words, look: Look, canvas: Canvas, at: tuple[int, int], grid: Grid, rows: int,
    pairs: Iterator[tuple[str, Datum | None]], title: str,
) -> int:  # fmt: skip
    """A block of pairs under a section title (empty = none); the row below it. The block is one table."""
    row, left = at
    if title:
        canvas.put(row, left, title, Role.HEADER, rng.choice((look.caption, look.header, grid.label)))
        if grid.merged and rng.random() < 0.6:
            canvas.merge(row, left, row + 1, left + grid.width)
        row += 1
    first = row
    for _ in range(rows):
        found = [pair for _, pair in zip(range(1 if rng.random() < 0.15 else grid.pairs), pairs, strict=False)]
        if not found:
            break
        write_pair_row(rng, canvas, look, row, left, grid, found)
        row += 1
    if row > first:
        canvas.tables.append(Region(*at, row, left + grid.width))
    return row


@restyled
def pair_form(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A form: title, sections of pairs, perhaps a list with a header of its own, hints, signatures."""
    grid, pairs = draw_grid(rng, words, look), draw_pairs(rng, words)
    row = 0
    if rng.random() < 0.75:
        canvas.title = words.one(rng, rng.choice(("documents", "texts")))
        canvas.put(0, 0, canvas.title, Role.HEADER, look.title)
        if rng.random() < 0.5:
            canvas.merge(0, 0, 1, grid.width)
        row = rng.choice((1, 1, 2))
    sectioned, gap = rng.random() < 0.55, rng.choice((0, 0, 1))
    for _ in range(rng.choice((1, 1, 2, 3))):
        title = words.one(rng, "sections") if sectioned else ""
        row = write_pairs(rng, words, look, canvas, (row, 0), grid, rng.randint(1, 6), pairs, title)
        row += gap if sectioned else 1
        if rng.random() < 0.12:
            canvas.put(row, 0, words.one(rng, "hints"), Role.METADATA, look.note)
            row += 1
    if rng.random() < 0.45:
        row = _write_list(rng, words, look, canvas, row + rng.choice((0, 1)))
    if rng.random() < 0.35:
        _write_signatures(rng, words, canvas, row + rng.choice((0, 1, 2)), grid)
    note_lines(rng, words, look, canvas, chance=0.25)


def _write_list(rng: Random, words: Words, look: Look, canvas: Canvas, row: int) -> int:
    """A small list, perhaps with empty rows to fill in, perhaps under its caption; the row below it."""
    count, top = rng.randint(1, 6), row
    if rng.random() < 0.6:
        canvas.put(row, 0, words.one(rng, "list_heads"), Role.HEADER, rng.choice((look.caption, look.header)))
        row += 1
    fields = [name_field(rng, words, count), *attributes(rng, words, rng.randint(1, 5), count)]
    region = write_records(canvas, look, (row, 0), fields)
    canvas.tables[-1] = Region(top, region.left, region.bottom, region.right)
    return region.bottom


def _write_signatures(rng: Random, words: Words, canvas: Canvas, row: int, grid: Grid) -> None:
    """Labels of signatures in a row, with nothing, a name, a date or a rule of dashes behind them."""
    texts = words.some(rng, "signatures", rng.randint(1, max(1, min(3, grid.pairs))))
    for k, text in enumerate(texts):
        key = canvas.put(row, k * grid.stride, text + grid.colon, Role.ROW_HEADER_1, grid.label)
        at, how = (row, k * grid.stride + grid.label_span), rng.random()
        if how < 0.2:
            canvas.put(*at, "_" * rng.randint(5, 20), Role.JUNK, grid.value)
        elif how < 0.5:
            signed = words.person(rng) if rng.random() < 0.7 else "2023-05-04"
            canvas.figure(at, signed, Role.VALUE, grid.value, (), (key,))
    canvas.tables.append(Region(row, 0, row + 1, len(texts) * grid.stride))
