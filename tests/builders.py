"""Small sheets for tests: in memory from a text picture or rows, or as a hand-written .xlsx file."""

from __future__ import annotations

import datetime as dt
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np
from openpyxl.utils.datetime import to_excel

from cellroles.reader.display import display_text
from cellroles.sheet import Kind, Sheet, Style, a1

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
LINKS = "http://schemas.openxmlformats.org/package/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
ERRORS = ("#REF!", "#N/A", "#DIV/0!", "#VALUE!", "#NAME?", "#NULL!", "#NUM!")


def sheet_from_text(picture: str, **options: Any) -> Sheet:
    """A sheet from lines of cells divided by `|`; numbers become numbers and blanks stay empty.

    >>> sheet_from_text("Year | 2020\\nSales | 1.5").text.tolist()
    ['Year', '2020', 'Sales', '1.5']
    """
    lines = picture.strip("\n").splitlines()
    return sheet_from_rows([[_value(part.strip()) for part in line.split("|")] for line in lines], **options)


def sheet_from_rows(
    rows: Sequence[Sequence[object]],
    *,
    merges: Sequence[tuple[int, int, int, int]] = (),
    styles: Mapping[tuple[int, int], Style] | None = None,
    formulas: Mapping[tuple[int, int], str] | None = None,
    name: str = "Sheet1",
    **options: Any,
) -> Sheet:
    """A sheet from rows of values; None and "" are empty, strings with a leading "=" are uncached formulas.

    `merges` are (top, left, bottom, right), half-open; `styles` and `formulas` are by zero-based (row, col); `options`
    are further fields of Sheet.
    """
    looks, written = styles or {}, formulas or {}
    cells = [(r, c, value) for r, row in enumerate(rows) for c, value in enumerate(row) if value not in (None, "")]
    table = tuple(dict.fromkeys([Style(), *looks.values()]))
    chosen = [looks.get((r, c), Style()) for r, c, _ in cells]
    pairs = zip(cells, chosen, strict=True)
    formula = [written.get((r, c), v if isinstance(v, str) and v.startswith("=") else None) for r, c, v in cells]
    return Sheet(
        "book.xlsx",
        name,
        np.array([cell[0] for cell in cells], np.int32),
        np.array([cell[1] for cell in cells], np.int32),
        np.array([_kind(cell[2]) for cell in cells], np.uint8),
        _objects([cell[2] for cell in cells]),
        np.array([_number(cell[2]) for cell in cells], np.float64),
        _objects([display_text(cell[2], style.number_format) for cell, style in pairs]),
        _objects(formula),
        np.array([f is not None and f == cell[2] for f, cell in zip(formula, cells, strict=True)], np.bool_),
        np.array([table.index(style) for style in chosen], np.int32),
        table,
        np.array(sorted(merges), np.int32).reshape(-1, 4),
        **options,
    )


def write_xlsx(
    path: Path,
    rows: Sequence[Sequence[object]] = (),
    *,
    formats: Sequence[str] = (),
    after: str = "",
    before: str = "",
    data: str | None = None,
    parts: Mapping[str, str | bytes | None] | None = None,
) -> Path:
    """A one-sheet workbook written by hand, so that it may hold what no library would write.

    Cells are values, None, or (value, style) with style n > 0 showing `formats[n - 1]`; `data` is the inside of
    `sheetData` instead of `rows`; `before` and `after` are sheet XML around it; `parts` adds or replaces (None: drops)
    parts of the package.
    """
    inside = data if data is not None else "".join(_row_xml(r, row) for r, row in enumerate(rows))
    sheet = f'<worksheet xmlns="{MAIN}" xmlns:r="{LINK}">{before}<sheetData>{inside}</sheetData>{after}</worksheet>'
    package = _frame(formats) | {"xl/worksheets/sheet1.xml": sheet} | dict(parts or {})
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, content in package.items():
            if content is not None:
                archive.writestr(part, content)
    return path


def links_xml(*links: tuple[str, str]) -> str:
    """A .rels part: the links (kind, target) get the ids rId1, rId2, …"""
    items = "".join(
        f'<Relationship Id="rId{i}" Type="{LINK}/{kind}" Target="{target}"/>'
        for i, (kind, target) in enumerate(links, 1)
    )
    return f'<Relationships xmlns="{LINKS}">{items}</Relationships>'


def workbook_xml(
    sheets: Sequence[tuple[str, str]] = (("Sheet1", "visible"),), properties: str = "", after: str = ""
) -> str:
    """xl/workbook.xml with the sheets (name, state), whose parts are rId1, rId2, …"""
    items = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{i}" state="{state}" r:id="rId{i}"/>'
        for i, (name, state) in enumerate(sheets, 1)
    )
    return f'<workbook xmlns="{MAIN}" xmlns:r="{LINK}">{properties}<sheets>{items}</sheets>{after}</workbook>'


def _frame(formats: Sequence[str]) -> dict[str, str | bytes | None]:
    codes = "".join(f'<numFmt numFmtId="{200 + i}" formatCode={quoteattr(code)}/>' for i, code in enumerate(formats))
    uses = "".join(f'<xf numFmtId="{200 + i}"/>' for i in range(len(formats)))
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    return {
        "[Content_Types].xml": f'<Types xmlns="{TYPES}"><Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kind}.worksheet+xml"/></Types>',
        "_rels/.rels": links_xml(("officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": workbook_xml(),
        "xl/_rels/workbook.xml.rels": links_xml(("worksheet", "worksheets/sheet1.xml"), ("styles", "styles.xml")),
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><numFmts>{codes}</numFmts>'
        f"<cellXfs><xf/>{uses}</cellXfs></styleSheet>",
    }


def _row_xml(r: int, row: Sequence[object]) -> str:
    return f'<row r="{r + 1}">{"".join(_cell_xml(r, c, value) for c, value in enumerate(row))}</row>'


def _cell_xml(r: int, c: int, cell: object) -> str:
    value, style = cell if isinstance(cell, tuple) else (cell, 0)
    head = f'<c r="{a1(r, c)}" s="{style}"'
    if value is None:
        return f"{head}/>"
    if isinstance(value, bool):
        return f'{head} t="b"><v>{int(value)}</v></c>'
    if isinstance(value, str) and value.startswith("="):
        return f"{head}><f>{escape(value[1:])}</f></c>"
    if isinstance(value, str):
        return f'{head} t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
    return f"{head}><v>{value!r}</v></c>"


def _value(text: str) -> object:
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            continue
    return text


def _kind(value: object) -> Kind:
    if isinstance(value, bool):
        return Kind.BOOL
    if isinstance(value, int | float):
        return Kind.NUMBER
    if isinstance(value, dt.date | dt.time | dt.timedelta):
        return Kind.DATE
    return Kind.ERROR if value in ERRORS else Kind.TEXT


def _number(value: object) -> float:
    kind = _kind(value)
    if kind in (Kind.NUMBER, Kind.BOOL):
        return float(value)  # type: ignore[arg-type]
    return float(to_excel(value)) if kind == Kind.DATE else float("nan")


def _objects(values: Sequence[object]) -> np.ndarray[Any, np.dtype[np.object_]]:
    out = np.empty(len(values), object)
    out[:] = values
    return out
