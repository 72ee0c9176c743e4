"""A finished canvas -> the same with the small irregularities of real sheets; roles and paths stay true."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from cellroles.reader.display import display_text
from cellroles.sheet import COLUMN_HEADERS, DATA_ROLES, ROW_HEADERS, Region, Role
from data.synthetic.grid import Canvas, Position, Positions
from data.synthetic.restyle import restyle
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words

MARKS = (("1)", "2)", "3)"), (" (1)", " (2)"), ("*", "**"), (" [a]", " [b]"), ("¹", "²", "³"), (" a", " b"))


def _relabel(canvas: Canvas, roles: tuple[Role, ...], change: Callable[[str], str]) -> None:
    """Change the text of header cells; numbers and dates stay."""
    for at, cell in canvas.cells.items():
        if cell.role in roles and isinstance(cell.value, str):
            canvas.cells[at] = replace(cell, value=change(cell.value))


def footnote_marks(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """References to footnotes after some labels."""
    marks = rng.choice(MARKS)
    _relabel(canvas, COLUMN_HEADERS + ROW_HEADERS, lambda text: text + rng.choice(marks) * (rng.random() < 0.12))


def leader_dots(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Row labels filled up with dots, as printed tables have them."""
    width = rng.randint(30, 50)
    _relabel(canvas, ROW_HEADERS, lambda text: f"{text} ".ljust(width, "."))


def capitals(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Column labels in capitals."""
    _relabel(canvas, COLUMN_HEADERS, str.upper)


def database_names(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Column labels as a database exports them (`unit_price`)."""
    _relabel(canvas, COLUMN_HEADERS, lambda text: text.lower().replace(" ", "_").replace("-", "_").replace(".", ""))


def line_breaks(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Column labels broken inside their cell."""
    _relabel(canvas, COLUMN_HEADERS, lambda text: text.replace(" ", "\n", 1) if len(text) > 8 else text)


def colons(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Group headings that end with a colon."""
    _relabel(canvas, ROW_HEADERS[1:], lambda text: f"{text}:")


def stray_remarks(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """One to three remarks beside a table, in the next column or the one after."""
    if not canvas.tables:
        return
    table = rng.choice(canvas.tables)
    for _ in range(rng.randint(1, 3)):
        at = (rng.randrange(table.top, table.bottom), canvas.right + rng.choice((0, 0, 1)))
        if not any(at[0] == row and col >= at[1] - 1 for row, col in canvas.cells):
            canvas.put(*at, words.one(rng, "remarks"), Role.COMMENT, look.plain)


def numbers_as_text(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Every figure typed as text, as exports write them; sheets with formulas stay."""
    if any(cell.formula for cell in canvas.cells.values()):
        return
    for at, cell in canvas.cells.items():
        if cell.role in DATA_ROLES and isinstance(cell.value, int | float) and not isinstance(cell.value, bool):
            text = display_text(cell.value, cell.style.number_format)
            canvas.cells[at] = replace(cell, value=text, style=replace(cell.style, number_format="@"))


def shifted(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Everything one or two rows and columns further in; sheets with formulas stay."""
    if any(cell.formula for cell in canvas.cells.values()):
        return
    down, across = rng.choice(((0, 1), (1, 1), (2, 1), (0, 2)))

    def moved(at: Position) -> Position:
        return at[0] + down, at[1] + across

    def paths(old: dict[Position, Positions]) -> dict[Position, Positions]:
        return {moved(at): tuple(map(moved, path)) for at, path in old.items()}

    def box(old: Region) -> Region:
        return Region(*moved((old.top, old.left)), *moved((old.bottom, old.right)))

    canvas.cells = {moved(at): cell for at, cell in canvas.cells.items()}
    canvas.links = {moved(at): link for at, link in canvas.links.items()}
    canvas.col_paths, canvas.row_paths = paths(canvas.col_paths), paths(canvas.row_paths)
    canvas.merges, canvas.tables = [*map(box, canvas.merges)], [*map(box, canvas.tables)]


def misleading_looks(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Looks that do not tell the roles apart."""
    restyle(rng, canvas, chance=1)


VARIATIONS = {
    footnote_marks: 0.12,
    leader_dots: 0.03,
    capitals: 0.06,
    database_names: 0.06,
    line_breaks: 0.05,
    colons: 0.05,
    stray_remarks: 0.05,
    numbers_as_text: 0.04,
    shifted: 0.1,
    misleading_looks: 0.1,
}


def vary(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Each variation with its own chance."""
    for variation, chance in VARIATIONS.items():
        if rng.random() < chance:
            variation(rng, words, look, canvas)
