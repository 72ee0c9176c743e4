"""Cells as any reader finds them -> Sheet; what readers of formats other than xlsx fill in."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta

import numpy as np

from cellroles.reader.sheets import objects, sheet_of, without_covered
from cellroles.sheet import Ints, Kind, Sheet, Style

# How moments are shown where the file's own format is not known.
MOMENT_FORMATS = {
    datetime: "yyyy-mm-dd hh:mm:ss",
    date: "yyyy-mm-dd",
    time: "hh:mm:ss",
    timedelta: "[h]:mm:ss",
}
ERRORS = frozenset(("#REF!", "#N/A", "#DIV/0!", "#VALUE!", "#NAME?", "#NULL!", "#NUM!", "#GETTING_DATA", "#SPILL!"))
EXACT = 2.0**53


@dataclass(slots=True, eq=False)
class RawSheet:
    """One sheet while it is read: columns of filled cells (zero-based, of a cell written twice the last one counts).

    `styles` indexes `looks`; `formulas`, `uncached` and `misread` hold places in the columns; `texts` is what the file
    itself shows for each cell, empty where the number formats say it; `merges` are (top, left, bottom, right),
    half-open. The other fields are those of Sheet. It has nothing but plain values, so that it can leave a process.
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


def sheet_from(raw: RawSheet, workbook: str, source: str) -> Sheet:
    """The finished sheet, cells under merges set apart."""
    sheet = sheet_of(raw, workbook, raw.name, tuple(raw.looks) or (Style(),), raw.date1904)
    if raw.texts:
        sheet = replace(sheet, text=objects(list(raw.texts)))
    sheet = replace(
        sheet,
        state=raw.state,
        merges=boxes(raw.merges),
        source=source,
        lost=raw.lost,
        warnings=raw.warnings + sheet.warnings,
        **raw.extras,  # type: ignore[arg-type]
    )
    return without_covered(sheet)
