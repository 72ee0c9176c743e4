"""Sheet XML -> columns of raw cells in one pass; the only module that touches openpyxl's private parser."""

from __future__ import annotations

import re
from array import array
from typing import IO
from xml.etree.ElementTree import Element

from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.utils.datetime import MAC_EPOCH, WINDOWS_EPOCH, from_ISO8601
from openpyxl.worksheet._reader import (
    FORMULA_TAG,
    INLINE_STRING,
    ROW_TAG,
    VALUE_TAG,
    WorkSheetParser,
)

from cellroles.limits import DEFAULT, Limits, require_at_most
from cellroles.reader.formulas import shift_formula
from cellroles.reader.package import MAIN, clean_text, plain_text
from cellroles.reader.sheets import MAX_COLS, MAX_ROWS
from cellroles.reader.stream import elements
from cellroles.sheet import Kind

TEXT, NUMBER, DATE, BOOL, ERROR = int(Kind.TEXT), int(Kind.NUMBER), int(Kind.DATE), int(Kind.BOOL), int(Kind.ERROR)
KEPT = {MAIN + name: name for name in ("sheetView", "pane", "col", "mergeCell", "hyperlink")}
PANE_TAG, SHEET_TAG = f"{MAIN}pane", f"{MAIN}worksheet"
PLACE = re.compile(r"\$?[A-Za-z]{1,3}\$?[0-9]+")
# A number of more digits would overflow; what is written so is text to any spreadsheet.
MOST_DIGITS = 300


def _require_col(number: int) -> None:
    if not 1 <= number <= MAX_COLS:
        raise ValueError(f"columns run from 1 to {MAX_COLS:,}, got column {number}")


def _require_row(number: int) -> None:
    if not 1 <= number <= MAX_ROWS:
        raise ValueError(f"rows run from 1 to {MAX_ROWS:,}, got row {number}")


class SheetParser(WorkSheetParser):  # type: ignore[misc]
    """Collects the cells of a sheet that hold a value or a formula into columns.

    openpyxl makes an object per cell and gives the formula or its cached value; here both are kept, and of the sheet's
    other elements only the attributes of the few that a Sheet needs are kept (`looks`), so that broken ones elsewhere
    do no harm. Rows and columns are zero-based; numbers under a date format are still serials. `cut` lists the places
    of texts that were longer than `limits.text_chars`.
    """

    def __init__(self, source: IO[bytes], strings: list[str | None], date1904: bool, limits: Limits = DEFAULT):
        super().__init__(source, strings, data_only=True, epoch=MAC_EPOCH if date1904 else WINDOWS_EPOCH)
        self.row_counter = 0
        self.rows, self.cols, self.styles = array("i"), array("i"), array("i")
        self.kinds = bytearray()
        self.values: list[object] = []
        self.formulas: dict[int, str] = {}
        self.masters: dict[str, tuple[str, int, int]] = {}
        self.uncached: list[int] = []
        self.misread: list[int] = []
        self.cut: list[int] = []
        self.limits = limits
        self.characters = self.row_elements = 0
        self.looks: dict[str, list[dict[str, str]]] = {name: [] for name in KEPT.values()}
        self.row_attributes: dict[int, tuple[bool, int]] = {}
        self.letters: dict[str, int] = {}
        self.interned: dict[str, str] = {}

    def parse(self) -> None:
        """Read the whole sheet; broken XML and values raise what the XML library or the conversion raises.

        Raises: OverLimit as soon as the sheet is over one of its limits.
        """
        is_sheet = False
        for element in elements(self.source, [ROW_TAG, SHEET_TAG, *KEPT], self.limits):
            if element.tag == ROW_TAG:
                self.parse_row(element)
                self._require_in_limits()
            elif element.tag == SHEET_TAG:
                is_sheet = True
            elif element.tag != PANE_TAG or not self.row_elements:  # later ones are those of custom views
                self.looks[KEPT[element.tag]].append(dict(element.attrib))
                self._require_few_looks()
        if not is_sheet:  # with another name or namespace none of its cells would be seen
            raise ValueError("its XML is no worksheet")

    def _require_in_limits(self) -> None:
        """Look after every row: a row has bounds of its own."""
        self.row_elements += 1
        require_at_most(self.row_elements, MAX_ROWS, "rows", "format")
        require_at_most(len(self.values), self.limits.cells, "filled cells", "cells")
        require_at_most(self.characters, self.limits.sheet_chars, "characters in its cells", "sheet_chars")

    def _require_few_looks(self) -> None:
        looks, limits = self.looks, self.limits
        require_at_most(len(looks["mergeCell"]), limits.merges, "merged ranges", "merges")
        require_at_most(len(looks["hyperlink"]), limits.links, "hyperlinks", "links")
        require_at_most(len(looks["col"]) + len(looks["sheetView"]) + len(looks["pane"]), MAX_COLS, "columns", "format")

    def parse_row(self, row: Element) -> None:
        """Append the filled cells of a `row` element."""
        number = row.get("r")
        self.row_counter = int(float(number)) if number else self.row_counter + 1
        _require_row(self.row_counter)
        hidden, level = row.get("hidden"), row.get("outlineLevel")
        if hidden or level:
            self.row_attributes[self.row_counter - 1] = (hidden in ("1", "true"), int(level or 0))
        if not any(map(len, row)):  # formatted, but empty: a sheet may have a million of these
            return
        suffix = str(self.row_counter)
        cut = -len(suffix)
        letters, place = self.letters, self.row_counter - 1
        col = 0
        for cell in row:
            ref = cell.get("r")
            if ref is None:
                col, at = col + 1, place
                _require_col(col)
            elif ref.endswith(suffix) and (found := letters.get(ref[:cut])):
                col, at = found, place
            else:
                at, col = self._place(ref)
            if len(cell):
                self._append(cell, at, col - 1)

    def _place(self, ref: str) -> tuple[int, int]:
        if not PLACE.fullmatch(ref):
            raise ValueError(f"{ref[:40]!r} is no cell")
        row, col = coordinate_to_tuple(ref.replace("$", ""))
        _require_row(row)
        _require_col(col)
        self.letters[ref.rstrip("0123456789")] = col
        return row - 1, col

    def _append(self, cell: Element, row: int, col: int) -> None:
        raw = formula = inline = None
        for child in cell:
            tag = child.tag
            if tag == VALUE_TAG:
                raw = child.text or ""
            elif tag == FORMULA_TAG:
                formula = child
            elif tag == INLINE_STRING:
                inline = child
        kind, value = self._convert(cell.get("t"), raw, inline)
        if formula is not None:
            text = self._formula(formula, row, col)
            self.formulas[len(self.values)] = text
            self.characters += len(text)
            if value is None:
                self.uncached.append(len(self.values))
                kind, value = TEXT, text
        elif value is None or value == "":
            return
        if kind == TEXT:
            value = self._shortened(str(value))
        self.rows.append(row)
        self.cols.append(col)
        self.styles.append(int(cell.get("s") or 0))
        self.kinds.append(kind)
        self.values.append(value)

    def _shortened(self, text: str) -> str:
        if len(text) > self.limits.text_chars:
            self.cut.append(len(self.values))
            text = self._intern(text[: self.limits.text_chars])
        self.characters += len(text)
        return text

    def _convert(self, declared: str | None, raw: str | None, inline: Element | None) -> tuple[int, object]:
        """Kind and value of a cell; the value is None where nothing is cached and "" for an empty string."""
        if declared is None or declared == "n":
            return self._number(raw) if raw else (TEXT, None)
        if declared == "s":
            return (TEXT, self._shared(int(raw))) if raw else (TEXT, None)
        if declared == "str":
            return TEXT, None if raw is None else self._intern(clean_text(raw))
        if declared == "inlineStr":
            return TEXT, self._intern(plain_text(inline)) if inline is not None else clean_text(raw or "") or None
        if not raw:
            return TEXT, None
        if declared == "b":
            return BOOL, raw in ("1", "true")
        if declared == "e":
            return ERROR, self._intern(raw)
        if declared == "d":
            return DATE, from_ISO8601(raw)
        return TEXT, clean_text(raw)

    def _number(self, raw: str) -> tuple[int, object]:
        if raw.isdecimal() and len(raw) <= MOST_DIGITS:
            return NUMBER, int(raw)
        try:
            value = float(raw)
            if value - value == 0:
                return NUMBER, value if "." in raw or "e" in raw or "E" in raw else int(raw)
        except ValueError:
            pass
        # A number that no spreadsheet would write (NaN, 12,5): shown as it stands, and said in a warning.
        text = clean_text(raw)
        if text:
            self.misread.append(len(self.values))
        return TEXT, text or None

    def _shared(self, index: int) -> object:
        try:
            return self.shared_strings[index]
        except IndexError:
            known = len(self.shared_strings)
            raise ValueError(f"row {self.row_counter} uses shared string {index} of {known}") from None

    def _intern(self, text: str) -> str:
        return self.interned.setdefault(text, text)

    def _formula(self, formula: Element, row: int, col: int) -> str:
        text, kind = "=" + (formula.text or ""), formula.get("t")
        if kind == "shared":
            group = formula.get("si", "")
            if group in self.masters:
                master, top, left = self.masters[group]
                return shift_formula(master, row - top, col - left)
            if text != "=":
                self.masters[group] = (text, row, col)
        elif kind == "dataTable":
            return f"=TABLE({formula.get('r1', '')},{formula.get('r2', '')})"
        return text

    def columns_of(self) -> dict[int, tuple[bool, int, float | None]]:
        """Zero-based column -> hidden, outline level and width in characters, for the columns that hold cells."""
        last = max(self.cols, default=-1)
        found = {}
        for item in self.looks["col"]:
            width = item.get("width")
            look = (
                item.get("hidden") in ("1", "true"),
                int(item.get("outlineLevel", "0")),
                None if width is None else float(width),
            )
            for col in range(int(item.get("min", "1")) - 1, min(int(item.get("max", "0")), last + 1)):
                found[col] = look
        return found
