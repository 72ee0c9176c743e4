"""Families where the first group heading stands right under the header row, or in its first cell."""

from __future__ import annotations

from random import Random

from cellroles.sheet import Role
from data.synthetic.blocks import Datum, Entry, Head, HeadLine, Label, close, write_entries, write_head
from data.synthetic.comparisons import corner
from data.synthetic.draws import flat_axis
from data.synthetic.frame import make_title, note_lines, title_lines
from data.synthetic.grid import Canvas, CellValue, Position, Positions
from data.synthetic.records import ATTRIBUTES, attribute
from data.synthetic.restyle import restyled
from data.synthetic.sections import Section, draw_labels, draw_sections, draw_titles, section_entries
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words


def draw_heads(rng: Random, words: Words) -> list[HeadLine]:
    """One line of years, months, sexes, regions or measures, or two levels of them."""
    kind = rng.choice(("year", "year", "month", "sex", "region", "age", "quarter", "measures"))
    count = rng.randint(2, 8)
    if kind == "measures":
        labels: list[CellValue] = [text.split(":")[1] for text in words.some(rng, "measures", count)]
    else:
        labels = flat_axis(rng, words, kind, count)[1]
    if rng.random() < 0.75:
        return [HeadLine(tuple(map(Head, range(len(labels)), labels)))]
    outer, size = words.some(rng, "scenarios", 2), len(labels[:4])
    spans = tuple(Head(k * size, text, size) for k, text in enumerate(outer))
    inner = tuple(Head(k * size + j, text) for k in range(len(outer)) for j, text in enumerate(labels[:4]))
    return [HeadLine(spans, Role.COL_HEADER_2, rng.random() < 0.7), HeadLine(inner)]


def width_of(lines: list[HeadLine]) -> int:
    """Data columns under header lines."""
    return max(head.start + head.span for line in lines for head in line.heads)


def _front(rng: Random, words: Words, look: Look, canvas: Canvas, width: int) -> int:
    if rng.random() < 0.35:
        return 0
    name, measure = words.names["age"], words.one(rng, "measures").split(":")[1]
    return title_lines(rng, words, look, canvas, make_title(rng, words, measure, name, words.names["year"]), width)


@restyled
def first_group(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Groups alone in their row, the first right under the header (or under units or a blank row)."""
    lines = draw_heads(rng, words)
    width = width_of(lines)
    if rng.random() < 0.12:
        unit = words.one(rng, "unit_cells")
        lines.append(HeadLine((Head(0, unit, width),), Role.METADATA, rng.random() < 0.6, rng.random() < 0.5))
    top = _front(rng, words, look, canvas, width)
    row, heads = write_head(canvas, look, (top, 1), lines, width)
    corner(rng, look, canvas, (top, row), 0, words.names["category"] if rng.random() < 0.5 else "")
    total = words.one(rng, "total") if rng.random() < 0.35 else ""
    indent, gap = rng.choice((0, 0, 1, 2)), rng.choice((0, 0, 0, 1))
    across = width + 1 if rng.random() < 0.2 else 1
    entries: list[Entry] = []
    for section in draw_sections(rng, words, width, rng.randint(1, 5)):
        entries += section_entries(rng, words, section, indent, total, gap if entries else 0, across)
    row += int(rng.random() < 0.12)
    bottom = write_entries(canvas, look, (row, 0), entries, heads)
    close(canvas, (top, 0), bottom, width + 1)
    note_lines(rng, words, look, canvas)


@restyled
def corner_group(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """The first group heading stands in the header row's first cell; later ones below, header repeated or not."""
    lines = draw_heads(rng, words)
    width = width_of(lines)
    top = _front(rng, words, look, canvas, width)
    repeated, gap, indent = rng.random() < 0.5, rng.choice((0, 0, 1)), rng.choice((0, 0, 1))
    total = words.one(rng, "total") if rng.random() < 0.3 else ""
    start, heads = top, list[Positions]([()] * width)
    for k, section in enumerate(draw_sections(rng, words, width, rng.randint(1, 5))):
        entries = section_entries(rng, words, Section("", section.rows), indent, total, 0)
        place = top + (gap if k else 0)
        if k == 0 or repeated:
            top, heads = write_head(canvas, look, (place, 1), lines, width)
            place = rng.choice((place, top - 1)) if len(lines) > 1 else place
            style = look.header if rng.random() < 0.6 else look.group()
        else:
            top, style = place + 1, look.group()
        title: Position = canvas.put(place, 0, section.title, Role.ROW_HEADER_2, style)
        top = write_entries(canvas, look, (top, 0), entries, heads, scope=((2, title),))
    close(canvas, (start, 0), top, width + 1)
    note_lines(rng, words, look, canvas)


@restyled
def section_levels(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Sections (3) over groups (2) over rows: a section and its first group follow the header row directly."""
    lines = draw_heads(rng, words)
    width = width_of(lines)
    top = _front(rng, words, look, canvas, width)
    row, heads = write_head(canvas, look, (top, 1), lines, width)
    corner(rng, look, canvas, (top, row), 0, words.names["category"] if rng.random() < 0.5 else "")
    total = words.one(rng, "subtotal") if rng.random() < 0.3 else ""
    step, gap = rng.choice((0, 1, 1)), rng.choice((0, 0, 1))
    entries: list[Entry] = []
    for title in draw_titles(rng, words, rng.randint(1, 3)):
        entries.append(Entry((Label(title, 3),), kind="group", closes=True, gap=gap if entries else 0))
        for section in draw_sections(rng, words, width, rng.randint(1, 3)):
            inner = section_entries(rng, words, Section("", section.rows), 2 * step, total, 0)
            entries += [Entry((Label(section.title, 2, indent=step),), kind="group"), *inner]
    bottom = write_entries(canvas, look, (row, 0), entries, heads)
    close(canvas, (top, 0), bottom, width + 1)
    note_lines(rng, words, look, canvas)


@restyled
def list_groups(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A list of text, dates and figures whose records stand in groups; the first heading right under the header."""
    kinds = rng.sample(ATTRIBUTES, rng.randint(1, 7))
    heads = [words.names[kind] for kind in kinds]
    lines = [HeadLine(tuple(map(Head, range(len(kinds)), dict.fromkeys(heads))))]
    width = len(lines[0].heads)
    top = _front(rng, words, look, canvas, width)
    row, paths = write_head(canvas, look, (top, 1), lines, width)
    corner(rng, look, canvas, (top, row), 0, words.names[rng.choice(("name", "product", "id"))])
    gap, across = rng.choice((0, 0, 0, 1)), rng.choice((1, 1, width + 1))
    entries: list[Entry] = []
    for title in draw_titles(rng, words, rng.randint(1, 6)):
        labels = draw_labels(rng, words)
        columns = [attribute(rng, words, kind, len(labels)) for kind in kinds[:width]]
        rows = []
        for label, cells in zip(labels, zip(*(column.values for column in columns), strict=True), strict=True):
            data = [
                None if cell is None else Datum(cell, column.number_format)
                for cell, column in zip(cells, columns, strict=True)
            ]
            rows.append((label, tuple(data)))
        entries += section_entries(rng, words, Section(title, tuple(rows)), 0, "", gap if entries else 0, across)
    bottom = write_entries(canvas, look, (row, 0), entries, paths)
    close(canvas, (top, 0), bottom, width + 1)
    note_lines(rng, words, look, canvas, chance=0.3)
