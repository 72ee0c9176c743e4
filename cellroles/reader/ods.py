"""OpenDocument spreadsheet -> sheets: values, the texts that it shows, merges, formulas, comments and plain looks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from xml.etree.ElementTree import Element, iterparse

from cellroles.errors import CorruptWorkbook
from cellroles.limits import Limits
from cellroles.reader.container import LenientZip
from cellroles.reader.package import faults
from cellroles.reader.raw import RawSheet, plain, sheets_from
from cellroles.reader.rescue import read_apart
from cellroles.reader.stream import BLOCK, refuse_dtd
from cellroles.sheet import Sheet, Style

NAMES = "urn:oasis:names:tc:opendocument:xmlns:"
OFFICE, TABLE, TEXT, STYLE, FO, XLINK = (
    *(f"{{{NAMES}{name}:1.0}}" for name in ("office", "table", "text", "style", "xsl-fo-compatible")),
    "{http://www.w3.org/1999/xlink}",
)
LOST = ("number formats", "column widths", "freeze panes")
FORMATS = {"percentage": "0.00%", "currency": "#,##0.00", "date": "yyyy-mm-dd", "time": "[h]:mm:ss"}
DURATION = re.compile(r"(-)?P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?")
REFERENCE = re.compile(r'"[^"]*"|\[([^\]]*)\]|;')
COLUMNS = 16384
SIDES = {"top": "t", "bottom": "b", "left": "l", "right": "r"}
ALIGN = {"start": "left", "end": "right"}
CELLS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")


def read_ods(path: str, limits: Limits) -> Iterator[Sheet]:
    """The sheets; where the document cannot be read this way, the values that calamine reads.

    Raises: TooLarge, or CorruptWorkbook with what both readers said.
    """
    try:
        with faults(path, "the document"):
            raws = _Document(path, limits).sheets()
    except CorruptWorkbook as error:
        cause = str(error).removeprefix(f"{path}: ")
        try:
            raws = read_apart(path, "calamine")
        except CorruptWorkbook as second:
            raise CorruptWorkbook(f"{path}: {cause}; calamine: {str(second).removeprefix(f'{path}: ')}") from error
        for raw in raws:
            raw.warnings = (f"read by calamine, because {cause}", *raw.warnings)
        yield from sheets_from(raws, path, "ods via calamine", limits)
        return
    yield from sheets_from(raws, path, "ods", limits)


def attribute(element: Element, name: str, default: str = "") -> str:
    """An attribute of a table element."""
    return element.get(TABLE + name, default)


def repeats(element: Element, what: str) -> int:
    """How many columns or rows an element stands for."""
    return max(1, int(attribute(element, f"number-{what}-repeated", "1")))


class _Document:
    """One pass over content.xml; only the cells of the row at hand are held as XML."""

    def __init__(self, path: str, limits: Limits) -> None:
        self.path, self.limits = path, limits
        self.looks: dict[str, Style] = {}
        self.hidden_tables: set[str] = set()
        self.found: list[RawSheet] = []

    def sheets(self) -> list[RawSheet]:
        """The sheets in order."""
        with LenientZip(self.path, self.limits) as archive:
            for part in ("styles.xml", "content.xml"):
                if part == "content.xml" or archive.has(part):
                    with archive.open(part) as head, archive.open(part) as source:
                        refuse_dtd(head.read(BLOCK))
                        self._parse(iterparse(source, ("start", "end")))
        if not self.found:
            raise ValueError("it lists no sheets")
        return self.found

    def _parse(self, events: Iterator[tuple[str, Element]]) -> None:
        depth = 0
        table: _TableReader | None = None
        for event, element in events:
            tag = element.tag
            if tag == f"{TABLE}table":
                depth += 1 if event == "start" else -1
                if event == "start" and depth == 1:
                    table = self._opened(element)
                elif event == "end" and depth == 0:
                    element.clear()
            elif depth == 1 and table is not None:
                table.see(event, element)
            elif event == "end" and tag == f"{STYLE}style":
                self._keep_style(element)

    def _opened(self, element: Element) -> _TableReader:
        hidden = attribute(element, "style-name") in self.hidden_tables
        raw = RawSheet(attribute(element, "name", f"Sheet{len(self.found) + 1}"), "hidden" if hidden else "visible")
        raw.lost = LOST
        self.found.append(raw)
        return _TableReader(raw, self.looks, self.limits)

    def _keep_style(self, style: Element) -> None:
        name = style.get(f"{STYLE}name", "")
        shown = style.find(f"{STYLE}table-properties")
        if shown is not None and attribute(shown, "display") == "false":
            self.hidden_tables.add(name)
        if style.get(f"{STYLE}family") == "table-cell":
            parent = self.looks.get(style.get(f"{STYLE}parent-style-name", ""), Style())
            self.looks[name] = _look(style, parent)


class _TableReader:
    """The rows of one table, one after another."""

    def __init__(self, raw: RawSheet, looks: dict[str, Style], limits: Limits) -> None:
        self.raw, self.looks, self.limits = raw, looks, limits
        self.row = 0
        self.columns: list[tuple[int, int, str]] = []
        self.next_column = 0
        self.groups: list[bool] = []
        self.hidden_rows: set[int] = set()
        self.hidden_cols: set[int] = set()
        self.comments: dict[tuple[int, int], str] = {}
        self.links: dict[tuple[int, int], str] = {}
        self.levels: dict[int, int] = {}
        raw.extras = {"comments": self.comments, "hyperlinks": self.links, "row_levels": self.levels}

    def see(self, event: str, element: Element) -> None:
        """Take in a parsed element of the table; groups of rows may nest."""
        tag = element.tag
        if tag == f"{TABLE}table-row-group":
            closed = attribute(element, "display") == "false"
            self.groups = [*self.groups, closed] if event == "start" else self.groups[:-1]
        elif event == "end" and tag == f"{TABLE}table-column":
            self._column(element)
        elif event == "end" and tag == f"{TABLE}table-row":
            self._rows(element)
            element.clear()
        self.raw.extras |= {"hidden_rows": frozenset(self.hidden_rows), "hidden_cols": frozenset(self.hidden_cols)}

    def _column(self, element: Element) -> None:
        start, self.next_column = self.next_column, self.next_column + repeats(element, "columns")
        self.columns.append((start, self.next_column, attribute(element, "default-cell-style-name")))
        if attribute(element, "visibility") in ("collapse", "filter"):
            self.hidden_cols.update(range(start, min(self.next_column, COLUMNS)))

    def _rows(self, element: Element) -> None:
        count = repeats(element, "rows")
        cells = [cell for cell in element if cell.tag in CELLS]
        filled = any(len(cell) or cell.get(f"{OFFICE}value-type") or attribute(cell, "formula") for cell in cells)
        hidden = attribute(element, "visibility") in ("collapse", "filter") or any(self.groups)
        if filled:
            for row in range(self.row, self.row + count):
                if hidden:
                    self.hidden_rows.add(row)
                if self.groups:
                    self.levels[row] = len(self.groups)
                self._cells(row, cells, attribute(element, "default-cell-style-name"))
                if len(self.raw.values) > self.limits.cells:
                    break  # one too many is enough for the sheet to be refused
        self.row += count

    def _cells(self, row: int, cells: list[Element], row_style: str) -> None:
        col = 0
        for cell in cells:
            count = repeats(cell, "columns")
            if len(cell) or cell.get(f"{OFFICE}value-type") or attribute(cell, "formula"):
                for at in range(col, min(col + count, COLUMNS)):
                    self._cell(row, at, cell, row_style)
            elif attribute(cell, "number-columns-spanned") or attribute(cell, "number-rows-spanned"):
                self._merge(row, col, cell)
            col += count

    def _merge(self, row: int, col: int, cell: Element) -> None:
        width, height = (int(attribute(cell, f"number-{what}-spanned", "1")) for what in ("columns", "rows"))
        if width * height > 1:
            self.raw.merges.append((row, col, row + height, col + width))

    def _cell(self, row: int, col: int, cell: Element, row_style: str) -> None:
        self._merge(row, col, cell)
        text = plain("\n".join(paragraph_text(part) for part in cell.findall(f"{TEXT}p")))
        name = attribute(cell, "style-name") or row_style or self._column_style(col)
        kind = cell.get(f"{OFFICE}value-type", "")
        look = self.looks.get(name, Style())
        if kind in FORMATS:
            look = replace(look, number_format=FORMATS[kind])
        formula = excel_formula(attribute(cell, "formula")) or None
        self.raw.add(row, col, _value(cell, kind, text), look, formula, shown=text or formula or "")
        note, link = cell.find(f"{OFFICE}annotation"), cell.find(f".//{TEXT}a")
        if note is not None:
            self.comments[row, col] = "\n".join(paragraph_text(part) for part in note.findall(f"{TEXT}p")).strip()
        if link is not None:
            self.links[row, col] = link.get(f"{XLINK}href", "")

    def _column_style(self, col: int) -> str:
        return next((style for start, end, style in self.columns if start <= col < end), "")


def paragraph_text(element: Element) -> str:
    """The text of a paragraph with its blanks, tabs and line breaks, without the comments in it."""
    parts = [element.text or ""]
    for child in element:
        if child.tag == f"{TEXT}s":
            parts.append(" " * min(int(child.get(f"{TEXT}c", "1")), 32767))
        elif child.tag in (f"{TEXT}tab", f"{TEXT}line-break"):
            parts.append("\t" if child.tag == f"{TEXT}tab" else "\n")
        elif child.tag != f"{OFFICE}annotation":
            parts.append(paragraph_text(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _value(cell: Element, kind: str, text: str) -> object:
    if kind in ("float", "percentage", "currency"):
        return float(cell.get(f"{OFFICE}value", "nan"))
    if kind == "date":
        moment = datetime.fromisoformat(cell.get(f"{OFFICE}date-value", ""))
        return moment if moment.time() != datetime.min.time() else date(moment.year, moment.month, moment.day)
    if kind == "time":
        return duration(cell.get(f"{OFFICE}time-value", ""))
    if kind == "boolean":
        return cell.get(f"{OFFICE}boolean-value") == "true"
    return text or cell.get(f"{OFFICE}string-value")


def duration(text: str) -> timedelta | str:
    """An ISO 8601 duration; the text itself where it is none.

    >>> duration("PT09H30M00S")
    datetime.timedelta(seconds=34200)
    """
    match = DURATION.fullmatch(text)
    if match is None:
        return text
    days, hours, minutes = (int(match[i] or 0) for i in (2, 3, 4))
    span = timedelta(days=days, hours=hours, minutes=minutes, seconds=float(match[5] or 0))
    return -span if match[1] else span


def excel_formula(formula: str) -> str:
    """An OpenFormula expression as Excel writes it (OASIS OpenFormula, 5.8: references in brackets).

    >>> excel_formula("of:=SUM([.B2:.B3];[$'My sheet'.C$1])")
    "=SUM(B2:B3,'My sheet'!C$1)"
    """
    return REFERENCE.sub(_reference, formula.partition(":")[2] if not formula.startswith("=") else formula)


def _reference(match: re.Match[str]) -> str:
    if match[0] == ";":
        return ","
    if match[1] is None:
        return match[0]
    first, colon, last = match[1].partition(":")
    table, _, cell = first.rpartition(".")
    table = table.removeprefix("$")
    return f"{f'{table}!' if table else ''}{cell}{colon}{last.rpartition('.')[2]}"


def _look(style: Element, parent: Style) -> Style:
    """A cell style over the one that it is derived from; what it does not say is inherited."""
    text, box, paragraph = (
        dict(found.attrib) if (found := style.find(STYLE + name)) is not None else {}
        for name in ("text-properties", "table-cell-properties", "paragraph-properties")
    )
    said: dict[str, object] = {}
    for name, key, value in (("bold", "font-weight", "bold"), ("italic", "font-style", "italic")):
        if FO + key in text:
            said[name] = text[FO + key] == value
    if f"{FO}background-color" in box:
        said["fill"] = _rgb(box[f"{FO}background-color"])
    if f"{FO}color" in text:
        said["color"] = _rgb(text[f"{FO}color"])
    if text.get(f"{FO}font-size", "").endswith("pt"):
        said["size"] = float(text[f"{FO}font-size"][:-2])
    if f"{FO}text-align" in paragraph:
        said["align"] = ALIGN.get(paragraph[f"{FO}text-align"], paragraph[f"{FO}text-align"])
    sides = {side: box.get(f"{FO}border-{side}", box.get(f"{FO}border", "none")) for side in SIDES}
    said["border"] = "".join(SIDES[side] for side, line in sides.items() if line != "none")
    return replace(parent, **said)  # type: ignore[arg-type]


def _rgb(color: str) -> str:
    return color[1:].upper() if color.startswith("#") else ""
