"""Header lines and body rows with any content -> a placed block with gold roles and header paths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from cellroles.sheet import COLUMN_HEADERS, ROW_HEADERS, Region, Role, Style
from data.synthetic.grid import Canvas, CellValue, Position, Positions
from data.synthetic.styles import Look

Formula = Callable[[int, int], str]


@dataclass(frozen=True, slots=True)
class Head:
    """A label over `span` data columns from the data column `start` on; `formula` as in `Datum`."""

    start: int
    text: CellValue
    span: int = 1
    number_format: str = "General"
    formula: Formula | None = None


@dataclass(frozen=True, slots=True)
class HeadLine:
    """A row of labels (or of units, which are metadata) over the data columns; spans are merged or not."""

    heads: tuple[Head, ...]
    role: Role = Role.COL_HEADER_1
    merged: bool = True
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Datum:
    """A data cell of a body row; `formula` maps its zero-based (row, column) to a formula; it fills `span` columns."""

    value: CellValue
    number_format: str = "General"
    role: Role = Role.VALUE
    formula: Formula | None = None
    span: int = 1


@dataclass(frozen=True, slots=True)
class Label:
    """A row label of a depth (1 innermost) in a stub column; it is merged over `down` rows and `across` columns."""

    text: CellValue
    depth: int = 1
    column: int = 0
    indent: int = 0
    down: int = 1
    across: int = 1
    number_format: str = "General"


@dataclass(frozen=True, slots=True)
class Entry:
    """A body row: its labels, what stands under every data column (None = no cell), its kind for the looks (`own`,
    `group`, `total`), whether it ends all groups above, and the blank rows above it."""

    labels: tuple[Label, ...]
    content: tuple[Datum | None, ...] = ()
    kind: str = "own"
    closes: bool = False
    gap: int = 0


def write_head(
    canvas: Canvas, look: Look, at: Position, lines: Sequence[HeadLine], width: int
) -> tuple[int, list[Positions]]:
    """Write header rows from `at` (the first data column) on; the next row and the path of every data column."""
    row, left = at
    paths: list[list[tuple[Role, Position]]] = [[] for _ in range(width)]
    for line in lines:
        style = look.note if line.plain else look.header
        for head in line.heads:
            x = left + head.start
            formula = head.formula(row, x) if head.formula else None
            where = canvas.put(row, x, head.text, line.role, _formatted(style, head.number_format), formula)
            if line.merged:
                canvas.merge(row, x, row + 1, x + head.span)
            if line.role in COLUMN_HEADERS:
                for j in range(head.start, head.start + head.span):
                    paths[j].append((line.role, where))
        row += 1
    ordered = [sorted(path, key=lambda pair: -pair[0]) for path in paths]
    return row, [tuple(where for _, where in path) for path in ordered]


def _formatted(style: Style, number_format: str) -> Style:
    return style if number_format == style.number_format else replace(style, number_format=number_format)


def write_entries(
    canvas: Canvas,
    look: Look,
    at: Position,
    entries: Sequence[Entry],
    heads: Sequence[Positions],
    stubs: int = 1,
    scope: tuple[tuple[int, Position], ...] = (),
) -> int:
    """Write body rows from `at` (the first stub column) on; the next row.

    A label of depth k takes the place of the labels of depth <= k above it; deeper ones stay its parents; a row without
    any label has these parents alone. `scope` holds (depth, cell) of labels that govern the rows from outside, such as
    a group heading in the header row.
    """
    row, left = at
    active: list[tuple[int, Position]] = [*scope]
    for place, entry in enumerate(entries):
        row += entry.gap
        deepest = max((label.depth for label in entry.labels), default=1)
        active = [] if entry.closes else [pair for pair in active if pair[0] > deepest]
        for label in entry.labels:
            style = _formatted(_label_style(look, entry, label, place), label.number_format)
            x = left + label.column
            active.append((label.depth, canvas.put(row, x, label.text, ROW_HEADERS[label.depth - 1], style)))
            canvas.merge(row, x, row + label.down, x + label.across)
        path = tuple(where for _, where in sorted(active, key=lambda pair: -pair[0]))
        _write_content(canvas, look, (row, left + stubs), entry, heads, path, place)
        row += 1
    return row


def _write_content(
    canvas: Canvas, look: Look, at: Position, entry: Entry, heads: Sequence[Positions], path: Positions, place: int
) -> None:
    for j, datum in enumerate(entry.content):
        if datum is None:
            continue
        cell = (at[0], at[1] + j)
        style = look.total(datum.number_format) if entry.kind == "total" else look.value(datum.number_format, place)
        formula = datum.formula(*cell) if datum.formula else None
        covered = heads[j : j + datum.span]
        col_path = tuple(head for head in covered[0] if all(head in other for other in covered)) if covered else ()
        canvas.figure(cell, datum.value, datum.role, style, col_path, path, formula)
        canvas.merge(cell[0], cell[1], cell[0] + 1, cell[1] + datum.span)


def _label_style(look: Look, entry: Entry, label: Label, place: int) -> Style:
    if entry.kind == "total":
        return look.total(indent=label.indent)
    if label.depth > 1:
        return look.group(label.indent)
    return look.label(label.indent, place)


def close(canvas: Canvas, at: Position, bottom: int, right: int) -> Region:
    """Note the table from `at` to (bottom, right), half-open."""
    canvas.tables.append(Region(*at, bottom, right))
    return canvas.tables[-1]
