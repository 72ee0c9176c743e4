"""Cells as any reader finds them -> Sheet; what readers of formats other than xlsx fill in."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from functools import partial

import numpy as np

from cellroles.errors import CorruptWorkbook, TooLarge, WorkbookError
from cellroles.limits import DEFAULT, Limits
from cellroles.reader.sheets import MAX_COLS, MAX_ROWS, objects, sheet_of, without_covered
from cellroles.sheet import Ints, Kind, Sheet, Style, a1

# How moments are shown where the file's own format is not known.
MOMENT_FORMATS = {
    datetime: "yyyy-mm-dd hh:mm:ss",
    date: "yyyy-mm-dd",
    time: "hh:mm:ss",
    timedelta: "[h]:mm:ss",
}
ERRORS = frozenset(("#REF!", "#N/A", "#DIV/0!", "#VALUE!", "#NAME?", "#NULL!", "#NUM!", "#GETTING_DATA", "#SPILL!"))
# What is lost of a sheet that stands for one which could not be read, so that it is not missed in silence.
UNREAD = ("cells",)
EXACT = 2.0**53


@dataclass(slots=True, eq=False)
class RawSheet:
    """One sheet while it is read: columns of filled cells (zero-based, of a cell written twice the last one counts).

    `styles` indexes `looks`; `formulas`, `uncached` and `misread` hold places in the columns; `texts` is what the file
    itself shows for each cell, empty where the number formats say it; `merges` are (top, left, bottom, right),
    half-open; `fault` says why the sheet could not be read. The other fields are those of Sheet. All are plain values,
    so that a sheet can leave a process.
    """

    name: str
    state: str = "visible"
    rows: array[int] = field(default_factory=lambda: array("i"))
    cols: array[int] = field(default_factory=lambda: array("i"))
    styles: array[int] = field(default_factory=lambda: array("i"))
    kinds: bytearray = field(default_factory=bytearray)
    values: list[object] = field(default_factory=list)
    formulas: dict[int, str] = field(default_factory=dict)
    uncached: list[int] = field(default_factory=list)
    misread: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    looks: dict[Style, int] = field(default_factory=dict)
    merges: list[tuple[int, int, int, int]] = field(default_factory=list)
    date1904: bool = False
    extras: dict[str, object] = field(default_factory=dict)
    lost: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    fault: str = ""

    def add(
        self, row: int, col: int, value: object, style: Style, formula: str | None = None, shown: str | None = None
    ) -> None:
        """Append a cell; one without a value is left out unless it has a formula, which is then its text."""
        kind, kept = typed_value(value)
        if formula:
            self.formulas[len(self.values)] = formula
            if kept is None:
                self.uncached.append(len(self.values))
                kind, kept = Kind.TEXT, formula
        elif kept is None or kept == "":
            return
        if kind == Kind.DATE and style.number_format == "General":
            style = replace(style, number_format=moment_format(kept))
        if shown is not None:
            self.texts.append(shown)
        self.rows.append(row)
        self.cols.append(col)
        self.kinds.append(kind)
        self.values.append(kept)
        self.styles.append(self.looks.setdefault(style, len(self.looks)))


def typed_value(value: object) -> tuple[Kind, object]:
    """The kind of a Python value and the value as a Sheet keeps it; None where it shows nothing.

    >>> typed_value(7.0), typed_value(" "), typed_value("#N/A")
    ((<Kind.NUMBER: 2>, 7), (<Kind.TEXT: 1>, ''), (<Kind.ERROR: 5>, '#N/A'))
    """
    if value is None:
        return Kind.EMPTY, None
    if isinstance(value, bool):
        return Kind.BOOL, value
    if isinstance(value, int | float):
        if value - value != 0:
            return Kind.TEXT, str(value)
        return Kind.NUMBER, int(value) if value == int(value) and abs(value) < EXACT else value
    if isinstance(value, datetime | date | time | timedelta):
        return Kind.DATE, value
    text = plain(str(value))
    return (Kind.ERROR, text) if text in ERRORS else (Kind.TEXT, text)


def plain(text: str) -> str:
    """A string with single newlines as line ends; empty if it shows nothing.

    >>> plain("two\\r\\nlines"), plain(" \\t")
    ('two\\nlines', '')
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    return text if text.strip() else ""


def moment_format(value: object) -> str:
    """The number format that shows all of a moment; midnight is left out.

    >>> moment_format(datetime(2024, 3, 1)), moment_format(time(9, 30))
    ('yyyy-mm-dd', 'hh:mm:ss')
    """
    if isinstance(value, datetime) and value.time() == time():
        return MOMENT_FORMATS[date]
    return MOMENT_FORMATS[type(value)]


def boxes(merges: Iterable[tuple[int, int, int, int]]) -> Ints:
    """Merges of more than one cell as `Sheet.merges`."""
    found = [box for box in merges if (box[2] - box[0]) * (box[3] - box[1]) > 1]
    return np.unique(np.array(found, np.int32).reshape(-1, 4), axis=0)


def sheet_from(raw: RawSheet, workbook: str, source: str, limits: Limits = DEFAULT) -> Sheet:
    """The finished sheet, cells under merges set apart. Raises: TooLarge, or CorruptWorkbook for cells off the grid."""
    cut = _cut(raw, limits.text_chars)
    characters = sum(len(value) for value in (*raw.values, *raw.formulas.values()) if isinstance(value, str))
    for what, count, most in (
        ("cells", len(raw.values), limits.cells),
        ("merges", len(raw.merges), limits.merges),
        ("characters", characters, limits.sheet_chars),
    ):
        if count > most:
            raise TooLarge(f"{workbook}: sheet {raw.name!r} has {count:,} {what}; at most {most:,} are read")
    for places, beyond in ((raw.rows, MAX_ROWS), (raw.cols, MAX_COLS)):
        if places and not 0 <= min(places) <= max(places) < beyond:
            raise CorruptWorkbook(f"{workbook}: sheet {raw.name!r} has cells outside {MAX_ROWS:,} x {MAX_COLS:,}")
    sheet = sheet_of(raw, workbook, raw.name, tuple(raw.looks) or (Style(),), raw.date1904)
    if raw.texts:
        sheet = replace(sheet, text=objects(list(raw.texts)))
    sheet = replace(
        sheet,
        state=raw.state,
        merges=boxes(raw.merges),
        source=source,
        lost=raw.lost,
        warnings=raw.warnings + cut + sheet.warnings,
        **raw.extras,  # type: ignore[arg-type]
    )
    return without_covered(sheet)


def _cut(raw: RawSheet, most: int) -> tuple[str, ...]:
    """Cut texts that are too long, in place, and say so."""
    long = [i for i, value in enumerate(raw.values) if isinstance(value, str) and len(value) > most]
    for i in long:
        raw.values[i] = str(raw.values[i])[:most]
        if raw.texts:
            raw.texts[i] = raw.texts[i][:most]
    first = a1(raw.rows[long[0]], raw.cols[long[0]]) if long else ""
    return (f"{len(long)} texts are cut to {most:,} characters (first: {first})",) if long else ()


Attempt = tuple[str, str, Callable[[], Sheet]]


def each_readable(path: str, attempts: Iterable[Attempt]) -> Iterator[Sheet]:
    """The sheets (name, state, how to read it) in order; one that cannot be read has no cells and a warning.

    Raises: the first WorkbookError where no sheet can be read.
    """
    first: WorkbookError | None = None
    waiting: list[Sheet] = []
    read = False
    for name, state, attempt in attempts:
        try:
            sheet = attempt()
        except (CorruptWorkbook, TooLarge) as error:
            first = first or error
            cause = str(error).removeprefix(f"{path}: ")
            empty = RawSheet(name, state, lost=UNREAD, warnings=(f"the sheet is left out: {cause}",))
            sheet = sheet_from(empty, path, "xlsx")
        else:
            read = True
        waiting.append(sheet)
        if read:
            yield from waiting
            waiting.clear()
    if first and not read:
        raise first


def sheets_from(raws: Iterable[RawSheet], path: str, source: str, limits: Limits) -> Iterator[Sheet]:
    """The finished sheets of a workbook, see `each_readable`; an error that a reader left in `fault` counts too."""
    return each_readable(path, ((raw.name, raw.state, partial(_finished, raw, path, source, limits)) for raw in raws))


def _finished(raw: RawSheet, path: str, source: str, limits: Limits) -> Sheet:
    if raw.fault:
        raise CorruptWorkbook(f"{path}: sheet {raw.name!r} cannot be read: {raw.fault}")
    return sheet_from(raw, path, source, limits)
