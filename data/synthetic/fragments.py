"""Families of tables with remarks around them: cut sentences, report parameters, titles side by side, notes between."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from cellroles.sheet import Region, Role
from data.synthetic.flat import name_field
from data.synthetic.frame import note_lines
from data.synthetic.grid import Canvas, CellValue
from data.synthetic.multi import small_table
from data.synthetic.pairs import draw_grid, draw_pairs, write_pair_row
from data.synthetic.records import attributes, names, write_records
from data.synthetic.restyle import restyled
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words

Front = Callable[[Random, Words, Look, Canvas, int], int]


def _pieces(rng: Random, text: str, count: int) -> list[str]:
    """A sentence cut into up to `count` pieces."""
    parts = text.split(" ") if " " in text else [text[i : i + 4] for i in range(0, len(text), 4)]
    size = -(-len(parts) // max(1, min(count, len(parts))))
    joint = " " if " " in text else ""
    return [joint.join(parts[i : i + size]) for i in range(0, len(parts), size)]


def cut_sentence(rng: Random, words: Words, look: Look, canvas: Canvas, row: int) -> int:
    """An instruction or note cut into the cells of a row: metadata."""
    style = rng.choice((look.note, look.plain, look.header))
    for k, piece in enumerate(_pieces(rng, words.one(rng, rng.choice(("hints", "notes"))), rng.randint(2, 6))):
        canvas.put(row, k, piece, Role.METADATA, style)
    return row + 1


def hints(rng: Random, words: Words, look: Look, canvas: Canvas, row: int) -> int:
    """One to three instructions, each in the first cell of its row, perhaps numbered or merged."""
    width, numbered = rng.choice((1, 1, 6)), rng.random() < 0.3
    for k, text in enumerate(words.some(rng, "hints", rng.randint(1, 3)), 1):
        canvas.put(row, 0, f"{k}. {text}" if numbered else text, Role.METADATA, rng.choice((look.note, look.plain)))
        canvas.merge(row, 0, row + 1, width)
        row += 1
    return row


def parameters(rng: Random, words: Words, look: Look, canvas: Canvas, row: int) -> int:
    """Parameters of the report with their values: a small form of one to three pairs a row."""
    grid, pairs, top = draw_grid(rng, words, look), draw_pairs(rng, words), row
    for _ in range(rng.randint(1, 4)):
        write_pair_row(
            rng, canvas, look, row, 0, grid, [pair for _, pair in zip(range(grid.pairs), pairs, strict=False)]
        )
        row += 1
    canvas.tables.append(Region(top, 0, row, grid.width))
    return row + rng.choice((0, 1, 1))


def side_titles(rng: Random, words: Words, look: Look, canvas: Canvas, row: int) -> int:
    """Organisation, name and number of the document side by side: headers."""
    number = f"{rng.choice(('QM', 'F', 'DOC', 'No.', 'REV'))}{rng.choice(('-', ' ', ' 0'))}{rng.randint(1, 999)}"
    texts = [words.one(rng, "offices"), words.one(rng, "documents"), number][: rng.choice((2, 3, 3))]
    step, style = rng.choice((1, 2, 3)), rng.choice((look.title, look.header, look.caption))
    for k, text in enumerate(texts):
        canvas.put(row, k * step, text, Role.HEADER, style)
        if step > 1 and rng.random() < 0.5:
            canvas.merge(row, k * step, row + 1, (k + 1) * step)
    return row + 1


def file_line(rng: Random, words: Words, look: Look, canvas: Canvas, row: int) -> int:
    """A file name, a release date or a disclaimer alone in its row."""
    name = (
        f"{rng.choice(('export', 'data', 'tab', 'sheet'))}_{rng.randint(1, 9999)}.{rng.choice(('csv', 'xlsx', 'dbf'))}"
    )
    text = name if rng.random() < 0.5 else words.one(rng, rng.choice(("releases", "disclaimers", "unit_lines")))
    canvas.put(row, 0, text, Role.METADATA, look.note)
    return row + 1


def titles(rng: Random, words: Words, look: Look, canvas: Canvas, row: int) -> int:
    """One to three lines of titles, in the first column or further in."""
    left = rng.choice((0, 0, 0, 1, 2))
    for k in range(rng.choice((1, 1, 2, 3))):
        kind = "texts" if k == 0 else rng.choice(("subtitles", "offices", "documents"))
        canvas.put(row, left, words.one(rng, kind), Role.HEADER, look.title if k == 0 else look.caption)
        row += 1
    return row


FRONTS: dict[Front, int] = {cut_sentence: 3, hints: 2, parameters: 3, side_titles: 2, file_line: 2, titles: 4}


@restyled
def preamble(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A table (or list) below several kinds of lines, glued to them or not."""
    row = 0
    for front in rng.choices([*FRONTS], [*FRONTS.values()], k=rng.randint(1, 4)):
        row = front(rng, words, look, canvas, row) + rng.choice((0, 0, 0, 1))
    row += rng.choice((0, 0, 1))
    if rng.random() < 0.5:
        count = rng.choice((2, 4, 8, 20))
        fields = [name_field(rng, words, count), *attributes(rng, words, rng.randint(1, 8), count)]
        write_records(canvas, look, (row, 0), fields)
    else:
        small_table(rng, words, look, canvas, (row, 0), rng.randint(2, 12))
    note_lines(rng, words, look, canvas, chance=0.4)


@restyled
def notes_between(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A list with notes between its header and its body, between its rows, or beside its header."""
    row = titles(rng, words, look, canvas, 0) if rng.random() < 0.5 else 0
    count = rng.randint(2, 15)
    fields = [name_field(rng, words, count), *attributes(rng, words, rng.randint(1, 6), count)]
    fields = [*{field.header: field for field in reversed(fields)}.values()][::-1]
    heads = [canvas.put(row, j, field.header, Role.COL_HEADER_1, look.header) for j, field in enumerate(fields)]
    first, place = row + 1, rng.choice((0, 0, rng.randint(1, count - 1)))
    lines = rng.choice((1, 1, 2))
    texts = [*words.some(rng, "hints", lines), *words.some(rng, "notes", lines)]
    ys = [first + i + (lines if i >= place else 0) for i in range(count)]
    for k in range(lines):
        for j, piece in enumerate(_pieces(rng, texts[k], rng.choice((1, 1, len(fields))))[: len(fields)]):
            canvas.put(first + place + k, j, piece, Role.METADATA, rng.choice((look.note, look.plain)))
    for i, y in enumerate(ys):
        key = (canvas.put(y, 0, _filled(fields[0].values[i]), Role.ROW_HEADER_1, look.label(0, i)),)
        for head, field in zip(heads[1:], fields[1:], strict=True):
            value = field.values[i]
            if value is not None:
                style = look.value(field.number_format, i)
                canvas.figure((y, head[1]), value, Role.VALUE, style, (head,), key)
    canvas.tables.append(Region(row, 0, ys[-1] + 1, len(fields)))
    note_lines(rng, words, look, canvas, chance=0.4)


def _filled(value: CellValue | None) -> CellValue:
    return "-" if value is None else value


@restyled
def listed_sheets(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A table of contents: sections (group headings) over numbers, titles and pages; with links or without."""
    canvas.title = words.one(rng, "contents")
    row = side_titles(rng, words, look, canvas, 0) if rng.random() < 0.3 else 0
    if rng.random() < 0.7:
        canvas.put(row, 0, canvas.title, Role.HEADER, look.title)
        row += rng.choice((1, 2))
    top, number, paged, headed = row, 1, rng.random() < 0.4, rng.random() < 0.4
    prefix, linked = rng.choice(("Table ", "T", "", "1.", "Fig. ")), rng.random() < 0.4
    heads = {}
    if headed:
        texts = [words.names["number"], words.names["title"], words.names["page"]][: 2 + paged]
        heads = {j: canvas.put(row, j, text, Role.COL_HEADER_1, look.header) for j, text in enumerate(texts)}
        row += 1
    for section in words.some(rng, "sections", rng.choice((0, 0, 2, 4))) or [""]:
        outer = (canvas.put(row, 0, section, Role.ROW_HEADER_2, look.group()),) if section else ()
        row += bool(section)
        for title in names(rng, words, "texts", rng.randint(2, 8)):
            text: CellValue = f"{prefix}{number}" if prefix else number
            key = canvas.put(row, 0, text, Role.ROW_HEADER_1, look.label(0, row))
            data: list[CellValue] = [title, 2 * number + 1]
            for j, value in enumerate(data[: 1 + paged], 1):
                path = (heads[j],) if headed else ()
                canvas.figure((row, j), value, Role.VALUE, look.value("General", row), path, (*outer, key))
            if linked:
                canvas.links[key] = f"#'{text}'!A1"
            row, number = row + 1, number + 1
    canvas.tables.append(Region(top, 0, row, 2 + paged))
    note_lines(rng, words, look, canvas, chance=0.4)
