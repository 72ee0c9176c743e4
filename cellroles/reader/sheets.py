"""Raw columns of a sheet -> Sheet: sorted, dates made of serials, display texts, covered and hidden cells set apart."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from openpyxl.styles.numbers import is_timedelta_format
from openpyxl.utils.datetime import MAC_EPOCH, WINDOWS_EPOCH, to_excel

from cellroles.limits import Limits, require_at_most
from cellroles.reader.display import date_value, display_texts, is_date
from cellroles.sheet import Bools, Bytes, Ints, Kind, Objects, Sheet, Style

MAX_ROWS, MAX_COLS = 1_048_576, 16_384


class RawCells(Protocol):
    """Columns of cells as a reader found them; `styles` holds style ids, the last three places in the columns."""

    rows: array[int]
    cols: array[int]
    styles: array[int]
    kinds: bytearray
    values: list[object]
    formulas: dict[int, str]
    uncached: list[int]
    misread: list[int]


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The filled cells of a sheet before their texts are known; arrays of one length, sorted by (row, col)."""

    row: Ints
    col: Ints
    kind: Bytes
    value: Objects
    number: NDArray[np.float64]
    formula: Objects
    uncached: Bools
    misread: Bools
    style: Ints


def sheet_of(parser: RawCells, workbook: str, name: str, styles: tuple[Style, ...], date1904: bool) -> Sheet:
    """The cells of a parsed sheet as a Sheet, without the parts that other XML describes."""
    cells, used = compact_styles(cells_of(parser), styles)
    cells = with_dates(cells, used, date1904)
    formats = [style.number_format for style in used]
    text, raw = display_texts(cells.value, cells.kind, cells.number, cells.style, formats, date1904)
    sheet = Sheet(
        workbook,
        name,
        cells.row,
        cells.col,
        cells.kind,
        cells.value,
        cells.number,
        text,
        cells.formula,
        cells.uncached,
        cells.style,
        used,
    )
    notes = (
        (cells.uncached, "formulas have no stored result; their formula is shown"),
        (cells.misread, "cells hold text where the file declares a number"),
        (raw, "numbers do not fit their number format and are shown without it"),
    )
    warnings = tuple(
        f"{int(mask.sum())} {what} (first: {sheet.ref(int(mask.argmax()))})" for mask, what in notes if mask.any()
    )
    return replace(sheet, warnings=warnings)


def cells_of(parser: RawCells) -> Cells:
    """The parser's lists as arrays, sorted; of a cell written twice the last one counts."""
    count = len(parser.values)
    row, col = np.array(parser.rows, np.int32), np.array(parser.cols, np.int32)
    kind = np.frombuffer(bytes(parser.kinds), np.uint8).copy()
    value = objects(parser.values)
    formula = np.full(count, None, object)
    formula[list(parser.formulas)] = list(parser.formulas.values())
    uncached, misread = flags(count, parser.uncached), flags(count, parser.misread)
    cells = Cells(
        row, col, kind, value, numbers_of(kind, value), formula, uncached, misread, np.array(parser.styles, np.int32)
    )
    key = row.astype(np.int64) * MAX_COLS + col
    if count < 2 or (np.diff(key) > 0).all():
        return cells
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    last = np.append(ordered[1:] != ordered[:-1], True)
    return taken(cells, order[last])


def taken(cells: Cells, index: NDArray[np.int64]) -> Cells:
    """The cells at these places."""
    return Cells(*(getattr(cells, name)[index] for name in Cells.__dataclass_fields__))


def objects(values: list[object]) -> Objects:
    """A list as an object array of shape (n,), whatever the values are."""
    out = np.empty(len(values), object)
    out[:] = values
    return out


def flags(count: int, places: list[int]) -> Bools:
    """A boolean array of that length, true at the places."""
    out = np.zeros(count, np.bool_)
    out[places] = True
    return out


def numbers_of(kind: Bytes, value: Objects) -> NDArray[np.float64]:
    """Numbers and booleans as floats, NaN for the rest."""
    number = np.full(len(value), np.nan)
    numeric = (kind == Kind.NUMBER) | (kind == Kind.BOOL)
    number[numeric] = value[numeric].astype(np.float64)
    return number


def compact_styles(cells: Cells, styles: tuple[Style, ...]) -> tuple[Cells, tuple[Style, ...]]:
    """The cells with style ids into the distinct looks that occur among them; ids the file lacks mean style 0."""
    known = np.where((cells.style >= 0) & (cells.style < len(styles)), cells.style, 0)
    ids, inverse = np.unique(known, return_inverse=True)
    looks = [styles[i] for i in ids.tolist()]
    place = {look: i for i, look in enumerate(dict.fromkeys(looks))}
    index = np.array([place[look] for look in looks], np.int32)
    return replace(cells, style=index[inverse] if len(index) else known.astype(np.int32)), tuple(place)


def with_dates(cells: Cells, styles: tuple[Style, ...], date1904: bool) -> Cells:
    """Serials under a date format become dates, times or durations; those outside Excel's calendar stay numbers."""
    kind, value, number = cells.kind.copy(), cells.value.copy(), cells.number.copy()
    epoch = MAC_EPOCH if date1904 else WINDOWS_EPOCH
    for i in np.flatnonzero(kind == Kind.DATE):  # ISO dates, which hardly any writer uses
        number[i] = to_excel(value[i], epoch)
    dated = np.array([is_date(style.number_format) for style in styles], np.bool_)
    spans = np.array([is_timedelta_format(style.number_format) for style in styles], np.bool_)
    for elapsed in (False, True):
        cell = np.flatnonzero((kind == Kind.NUMBER) & (dated & (spans == elapsed))[cells.style])
        serials, inverse = np.unique(number[cell], return_inverse=True)
        moments = objects([date_value(serial, date1904, elapsed) for serial in serials.tolist()])[inverse]
        fits = np.array([moment is not None for moment in moments], np.bool_)
        value[cell[fits]] = moments[fits]
        kind[cell[fits]] = Kind.DATE
    return replace(cells, kind=kind, value=value, number=number)


def without_covered(sheet: Sheet) -> Sheet:
    """The sheet with the cells that a merge covers moved to `excluded`."""
    mask = covered(sheet.row, sheet.col, sheet.merges)
    return sheet.keep(~mask, "covered by a merge") if mask.any() else sheet


def require_few_lines(row: Ints, col: Ints, merges: Ints, limits: Limits) -> None:
    """Raise OverLimit where merges cross so many rows or columns with cells that looking at each would take too long.

    `merges` has shape (m, 4): top, left, bottom, right, half-open.
    """
    for line, first, last in ((row, merges[:, 0], merges[:, 2]), (col, merges[:, 1], merges[:, 3])):
        lines = np.unique(line)
        crossed = int((np.searchsorted(lines, last) - np.searchsorted(lines, first)).sum())
        require_at_most(crossed, limits.merged_lines, "rows or columns in its merged ranges", "merged_lines")


def covered(row: Ints, col: Ints, merges: Ints) -> Bools:
    """Which of the sorted cells lie in a merge but are not its anchor; linear in cells and merged rows that hold cells.

    `merges` has shape (m, 4): top, left, bottom, right, half-open.
    """
    key = row.astype(np.int64) * MAX_COLS + col
    rows = np.unique(row)
    first = np.searchsorted(rows, merges[:, 0])
    heights = np.searchsorted(rows, merges[:, 2]) - first
    merge = np.repeat(np.arange(len(merges)), heights)
    within = np.arange(len(merge)) - np.repeat(np.cumsum(heights) - heights, heights)
    at = rows[first[merge] + within].astype(np.int64) if len(merge) else np.zeros(0, np.int64)
    top, left, right = merges[merge, 0], merges[merge, 1], merges[merge, 3]
    start = np.searchsorted(key, at * MAX_COLS + left + (at == top))
    end = np.searchsorted(key, at * MAX_COLS + right)
    depth = np.bincount(start, minlength=len(key) + 1) - np.bincount(end, minlength=len(key) + 1)
    inside: Bools = np.cumsum(depth)[: len(key)] > 0
    return inside


def without_hidden(sheet: Sheet) -> Sheet:
    """The sheet with what its reader does not see moved to `excluded`, and a warning that says how much."""
    everything = np.full(len(sheet), sheet.state == "visible")
    steps: tuple[tuple[str, Callable[[Sheet], Bools]], ...] = (
        ("hidden sheet", lambda shown: everything),
        ("hidden row", lambda shown: ~np.isin(shown.row, list(sheet.hidden_rows))),
        ("hidden column", lambda shown: ~np.isin(shown.col, list(sheet.hidden_cols))),
    )
    warnings = []
    shown = sheet
    for reason, visible in steps:
        mask = visible(shown)
        if not mask.all():
            warnings.append(f"{int((~mask).sum())} cells left out: {reason}")
            shown = shown.keep(mask, reason)
    return replace(shown, warnings=shown.warnings + tuple(warnings))
