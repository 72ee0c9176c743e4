"""A finished canvas -> the same with looks that no longer tell the roles apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from random import Random

from cellroles.sheet import COLUMN_HEADERS, DATA_ROLES, ROW_HEADERS, Role, Style
from data.synthetic.grid import Canvas, Position, SyntheticCell
from data.synthetic.styles import FILLS, Look
from data.synthetic.vocabulary import Words

Family = Callable[[Random, Words, Look, Canvas], None]
Restyle = Callable[[Position, SyntheticCell], Style]
BODY = (*DATA_ROLES, *ROW_HEADERS)


def _in_own_format(style: Style, own: Style) -> Style:
    return replace(style, number_format=own.number_format, indent=own.indent)


def _bare(own: Style) -> Style:
    return _in_own_format(Style(size=own.size), own)


def _header_style(canvas: Canvas) -> Style:
    styles = [cell.style for cell in canvas.cells.values() if cell.role in COLUMN_HEADERS]
    return styles[0] if styles else Style(bold=True)


def all_bold(rng: Random, canvas: Canvas) -> Restyle:
    """Everything bold."""
    return lambda at, cell: replace(cell.style, bold=True)


def no_styles(rng: Random, canvas: Canvas) -> Restyle:
    """No looks at all; number formats and indents stay."""
    return lambda at, cell: _bare(cell.style)


def all_filled(rng: Random, canvas: Canvas) -> Restyle:
    """One fill under everything."""
    fill = rng.choice(FILLS)
    return lambda at, cell: replace(cell.style, fill=fill)


def all_ruled(rng: Random, canvas: Canvas) -> Restyle:
    """Every cell boxed and centred."""
    return lambda at, cell: replace(cell.style, border="tblr", align="center", valign="center")


def plain_header(rng: Random, canvas: Canvas) -> Restyle:
    """Column labels look like the body."""
    return lambda at, cell: _bare(cell.style) if cell.role in COLUMN_HEADERS else cell.style


def body_as_header(rng: Random, canvas: Canvas) -> Restyle:
    """The body looks like the column labels."""
    style = _header_style(canvas)
    return lambda at, cell: _in_own_format(style, cell.style) if cell.role in BODY else cell.style


def stub_as_header(rng: Random, canvas: Canvas) -> Restyle:
    """Row labels look like the column labels."""
    style = _header_style(canvas)
    return lambda at, cell: _in_own_format(style, cell.style) if cell.role in ROW_HEADERS else cell.style


def bold_lines(rng: Random, canvas: Canvas) -> Restyle:
    """Some rows or columns bold, whatever they hold."""
    axis, share = rng.randint(0, 1), rng.uniform(0.1, 0.6)
    strong = [rng.random() < share for _ in range(1 + max(at[axis] for at in canvas.cells))]
    return lambda at, cell: replace(cell.style, bold=strong[at[axis]])


def marked_cells(rng: Random, canvas: Canvas) -> Restyle:
    """Some body cells with a fill, as people mark them."""
    fill, share = rng.choice((*FILLS, "FFFF00")), rng.uniform(0.03, 0.4)
    return lambda at, cell: replace(cell.style, fill=fill) if _hit(rng, cell, share) else cell.style


def _hit(rng: Random, cell: SyntheticCell, share: float) -> bool:
    return cell.role in (Role.VALUE, Role.ROW_HEADER_1) and rng.random() < share


RESTYLES = {
    all_bold: 2,
    no_styles: 4,
    all_filled: 1,
    all_ruled: 2,
    plain_header: 2,
    body_as_header: 2,
    stub_as_header: 2,
    bold_lines: 2,
    marked_cells: 1,
}


def restyle(rng: Random, canvas: Canvas, chance: float = 0.4) -> None:
    """Perhaps one change of the looks."""
    if rng.random() > chance or not canvas.cells:
        return
    (change,) = rng.choices([*RESTYLES], [*RESTYLES.values()])
    styled = change(rng, canvas)
    canvas.cells = {at: replace(cell, style=styled(at, cell)) for at, cell in canvas.cells.items()}


def restyled(family: Family) -> Family:
    """A family whose looks mislead in two sheets of five."""

    @wraps(family)
    def made(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
        family(rng, words, look, canvas)
        restyle(rng, canvas)

    return made
