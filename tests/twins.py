"""One sheet written in every format that is read; each writer says all that its format can."""

from __future__ import annotations

import csv
import datetime as dt
import struct
import zipfile
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import Any

import openpyxl
import xlwt
from openpyxl.styles import Font

from cellroles.sheet import Kind, Sheet, Style
from tests.builders import links_xml

ROWS: list[list[object]] = [
    ["Credit swaps, gross notional"],
    [],
    ["Product", "Buyside", None, "Sellside", None, None],
    [None, dt.datetime(2024, 2, 1), dt.datetime(2024, 2, 8), dt.datetime(2024, 2, 1), dt.datetime(2024, 2, 8), "Share"],
    [None, "Long", "Short", "Long", "Short", None],
    ["CDX IG", 51.5, 48.2, 61.5, 58.25, 0.0213],
    ["CDX HY", 1234.5, 12, 0.75, 7, 0.5],
    ["iTraxx; Main", 3, 4, 5, 6, 0.125],
    ["Total", 1289, 64.2, 67.25, 71.25, "#N/A"],
    [],
    ["Source: clearing houses", "007"],
]
MERGES = ("A1:F1", "A3:A5", "B3:C3", "D3:F3", "F4:F5")
FORMATS = {4: "d-mmm-yy", 6: "#,##0.00", 7: "#,##0.00"}


def write_xlsx_twin(path: Path) -> Path:
    """The workbook that the others must equal: a title, nested merged headers, dates, percents, totals, a note."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Credit"
    for row, values in enumerate(ROWS, 1):
        for col, value in enumerate(values, 1):
            cell = sheet.cell(row, col, value)
            cell.number_format = "0.0%" if col == 6 and isinstance(value, float) else FORMATS.get(row, "General")
            cell.font = Font(bold=row <= 5 or row == 9)
    for merge in MERGES:
        sheet.merge_cells(merge)
    book.save(path)
    return path


def cells_of(sheet: Sheet) -> Iterator[tuple[int, int, int, Any, str, Style]]:
    """Row, column, kind, value, text and look of every cell."""
    for i in range(len(sheet)):
        place = int(sheet.row[i]), int(sheet.col[i])
        yield *place, int(sheet.kind[i]), sheet.value[i], str(sheet.text[i]), sheet.styles[sheet.style[i]]


def write_xls(sheet: Sheet, path: Path) -> None:
    """Excel 97, by xlwt."""
    book = xlwt.Workbook()
    page = book.add_sheet(sheet.name)
    covers = {(int(top), int(left)): (int(bottom), int(right)) for top, left, bottom, right in sheet.merges}
    for row, col, kind, value, _, style in cells_of(sheet):
        form = xlwt.easyxf(f"font: bold {'on' if style.bold else 'off'}", num_format_str=style.number_format)
        bottom, right = covers.get((row, col), (row + 1, col + 1))
        if kind == Kind.ERROR:
            page.row(row).set_cell_error(col, 0x2A, form)
        elif (bottom, right) != (row + 1, col + 1):
            page.write_merge(row, bottom - 1, col, right - 1, value, form)
        else:
            page.write(row, col, value, form)
    book.save(str(path))


def write_csv(sheet: Sheet, path: Path, delimiter: str = ",", encoding: str = "utf-8") -> None:
    """What the sheet shows."""
    shown = {(row, col): text for row, col, _, _, text, _ in cells_of(sheet)}
    extent = sheet.extent
    assert extent is not None
    with path.open("w", encoding=encoding, newline="") as out:
        csv.writer(out, delimiter=delimiter).writerows(
            [[shown.get((row, col), "") for col in range(extent.right)] for row in range(extent.bottom)]
        )


def grid(sheet: Sheet, cell: Callable[[int, int, str], str], row: Callable[[str], str], covered: str) -> str:
    """The cells of a sheet as markup; `cell` gets the place and how far its merge goes, as rows and columns."""
    extent = sheet.extent
    assert extent is not None
    spans = {(int(t), int(c)): (int(b - t), int(r - c)) for t, c, b, r in sheet.merges}
    hidden = {(r, c) for (t, left), (h, w) in spans.items() for r in range(t, t + h) for c in range(left, left + w)}
    lines = []
    for at in range(extent.bottom):
        parts = []
        for col in range(extent.right):
            height, width = spans.get((at, col), (1, 1))
            shown = (at, col) in spans or (at, col) not in hidden
            parts.append(cell(at, col, f"{height} {width}") if shown else covered)
        lines.append(row("".join(parts)))
    return "".join(lines)


def write_html(sheet: Sheet, path: Path) -> None:
    """A page with one table, as web applications export it."""
    known = {(row, col): (text, style) for row, col, _, _, text, style in cells_of(sheet)}

    def cell(row: int, col: int, span: str) -> str:
        text, style = known.get((row, col), ("", Style()))
        tag = "th" if style.bold else "td"
        height, width = span.split()
        return f'<{tag} rowspan="{height}" colspan="{width}">{escape(text)}</{tag}>'

    table = grid(sheet, cell, lambda cells: f"<tr>{cells}</tr>\n", "")
    path.write_text(f"<html><body><table>{table}</table></body></html>", encoding="utf-8")


def write_ods(sheet: Sheet, path: Path) -> None:
    """An OpenDocument spreadsheet with the texts that LibreOffice would write."""
    known = {(row, col): rest for row, col, *rest in cells_of(sheet)}

    def cell(row: int, col: int, span: str) -> str:
        height, width = span.split()
        spanned = f' table:number-rows-spanned="{height}" table:number-columns-spanned="{width}"'
        if (row, col) not in known:
            return f"<table:table-cell{spanned}/>"
        kind, value, text, style = known[row, col]
        look = ' table:style-name="b"' if style.bold else ""
        said = 'office:value-type="string"'
        if kind == Kind.NUMBER:
            said = (
                f'office:value-type="{"percentage" if "%" in style.number_format else "float"}" office:value="{value}"'
            )
        elif kind == Kind.DATE:
            said = f'office:value-type="date" office:date-value="{value:%Y-%m-%d}"'
        return f"<table:table-cell{spanned}{look} {said}><text:p>{escape(text)}</text:p></table:table-cell>"

    table = grid(
        sheet, cell, lambda cells: f"<table:table-row>{cells}</table:table-row>", "<table:covered-table-cell/>"
    )
    write_ods_table(path, sheet.name, table)


def write_ods_table(path: Path, name: str, table: str) -> Path:
    """An OpenDocument spreadsheet of one table; style `b` is bold."""
    names = "office table text style"
    spaces = " ".join(f'xmlns:{n}="urn:oasis:names:tc:opendocument:xmlns:{n}:1.0"' for n in names.split())
    spaces += ' xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"'
    bold = '<style:style style:name="b" style:family="table-cell"><style:text-properties fo:font-weight="bold"/>'
    content = (
        f"<office:document-content {spaces}><office:automatic-styles>{bold}</style:style></office:automatic-styles>"
        f'<office:body><office:spreadsheet><table:table table:name="{escape(name)}">{table}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
    return path


def record(kind: int, content: bytes = b"") -> bytes:
    """A record of [MS-XLSB]: type, size, content."""
    head = bytes([kind]) if kind < 128 else bytes([kind & 127 | 128, kind >> 7])
    assert len(content) < 1 << 14
    size = bytes([len(content)]) if len(content) < 128 else bytes([len(content) & 127 | 128, len(content) >> 7])
    return head + size + content


def wide(text: str) -> bytes:
    """A counted UTF-16 string."""
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def write_xlsb(sheet: Sheet, path: Path) -> None:
    """A binary workbook with what its records say about values, number formats, bold and merges."""
    formats = sorted({style.number_format for style in sheet.styles})
    fonts = [record(43, struct.pack("<HHH", 220, 0, weight) + b"\0" * 29) for weight in (400, 700)]
    forms = [record(44, struct.pack("<H", 170 + i) + wide(form)) for i, form in enumerate(formats)]
    xfs = [
        record(47, struct.pack("<HHHHH6x", 0, 170 + formats.index(style.number_format), int(style.bold), 0, 0))
        for style in sheet.styles
    ]
    styles = [record(278), *forms, *fonts, record(617, struct.pack("<I", len(xfs))), *xfs, record(618), record(279)]
    cells, current = [], -1
    extent = sheet.extent
    assert extent is not None
    for (row, col, kind, value, _, _), style, number in zip(cells_of(sheet), sheet.style, sheet.number, strict=True):
        if row != current:
            cells.append(record(0, struct.pack("<IIHBBB", row, 0, 300, 0, 0, 0) + struct.pack("<I", 0)))
            current = row
        place = struct.pack("<II", col, int(style))
        if kind == Kind.ERROR:
            cells.append(record(3, place + bytes([42])))
        elif kind == Kind.TEXT:
            cells.append(record(6, place + wide(value)))
        else:
            cells.append(record(5, place + struct.pack("<d", number)))
    merges = [record(176, struct.pack("<IIII", t, b - 1, left, r - 1)) for t, left, b, r in sheet.merges.tolist()]
    dimension = record(148, struct.pack("<IIII", 0, extent.bottom - 1, 0, extent.right - 1))
    page = [record(129), dimension, record(145), *cells, record(146), record(177), *merges, record(178), record(130)]
    bundle = record(156, struct.pack("<II", 0, 1) + wide("rId1") + wide(sheet.name))
    book = [record(131), record(153, b"\0" * 12), record(143), bundle, record(144), record(132)]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("_rels/.rels", links_xml(("officeDocument", "xl/workbook.bin")))
        archive.writestr("xl/workbook.bin", b"".join(book))
        archive.writestr("xl/_rels/workbook.bin.rels", links_xml(("worksheet", "worksheets/sheet1.bin")))
        archive.writestr("xl/styles.bin", b"".join(styles))
        archive.writestr("xl/worksheets/sheet1.bin", b"".join(page))


WRITERS: dict[str, Callable[[Sheet, Path], None]] = {
    "xls": write_xls,
    "xlsb": write_xlsb,
    "ods": write_ods,
    "csv": write_csv,
    "tsv": lambda sheet, path: write_csv(sheet, path, "\t"),
    "html": write_html,
}
