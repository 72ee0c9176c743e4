"""Synthetic sheets -> an .xlsx file, formulas with the values that they evaluate to."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping, Sequence
from datetime import datetime, time
from functools import lru_cache, partial
from io import BytesIO
from pathlib import Path
from xml.sax.saxutils import escape

import openpyxl
from openpyxl.cell.cell import Cell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils.datetime import to_excel
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.worksheet import Worksheet

from cellroles.sheet import Style, a1
from data.synthetic.grid import CellValue, SyntheticSheet

UNCACHED = re.compile(r'(<c r="([A-Z]+[0-9]+)"[^>]*><f>[^<]*</f>)(?:<v ?/>|<v></v>)')
SIDES = {"t": "top", "b": "bottom", "l": "left", "r": "right"}


@lru_cache(maxsize=1024)
def _parts(style: Style) -> tuple[Font, PatternFill | None, Alignment, Border]:
    font = Font(
        name="Calibri",
        bold=style.bold,
        italic=style.italic,
        underline="single" if style.underline else None,
        strike=style.strike,
        size=style.size,
        color=f"FF{style.color}" if style.color else None,
    )
    fill = PatternFill("solid", fgColor=f"FF{style.fill}") if style.fill else None
    alignment = Alignment(
        horizontal=style.align or None, vertical=style.valign or None, wrap_text=style.wrap or None, indent=style.indent
    )
    thin = Side(style="thin")
    return font, fill, alignment, Border(**{SIDES[side]: thin for side in style.border})


def _dress(cell: Cell, style: Style) -> None:
    font, fill, alignment, border = _parts(style)
    cell.font, cell.alignment, cell.border, cell.number_format = font, alignment, border, style.number_format
    if fill is not None:
        cell.fill = fill


def _fill(worksheet: Worksheet, sheet: SyntheticSheet) -> None:
    for (row, col), source in sheet.cells.items():
        cell = worksheet.cell(row + 1, col + 1, source.formula or source.value)
        if source.formula is None and isinstance(source.value, str):
            cell.data_type = "s"  # a rule such as "====" is no formula
        _dress(cell, source.style)
        if (row, col) in sheet.links:
            location = sheet.links[row, col].removeprefix("#")
            cell.hyperlink = Hyperlink(ref=a1(row, col), location=location)
            _dress(cell, source.style)
    for box in sheet.merges:
        worksheet.merge_cells(box.a1)
    worksheet.sheet_view.rightToLeft = sheet.language in ("ar", "he")


def sheet_names(sheets: Sequence[SyntheticSheet]) -> list[str]:
    """Their names, numbered where two are equal."""
    names: list[str] = []
    for sheet in sheets:
        taken = sum(name == sheet.name or name.startswith(f"{sheet.name} (") for name in names)
        names.append(f"{sheet.name} ({taken + 1})" if taken else sheet.name)
    return names


def write_xlsx(sheets: Sequence[SyntheticSheet], path: Path) -> None:
    """Write a workbook with one worksheet per sheet, in order."""
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for name, sheet in zip(sheet_names(sheets), sheets, strict=True):
        _fill(workbook.create_sheet(name), sheet)
    raw = BytesIO()
    workbook.save(raw)
    path.write_bytes(_with_cached_values(raw, sheets))


def _cached(values: Mapping[str, CellValue], cell: re.Match[str]) -> str:
    value = values[cell[2]]
    if isinstance(value, str):
        return cell[1].replace("<c ", '<c t="str" ', 1) + f"<v>{escape(value)}</v>"
    return f"{cell[1]}<v>{to_excel(value) if isinstance(value, datetime | time) else value}</v>"


def _with_cached_values(raw: BytesIO, sheets: Sequence[SyntheticSheet]) -> bytes:
    """Put the known results into the formula cells, which openpyxl writes without any."""
    out = BytesIO()
    with zipfile.ZipFile(raw) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for item in source.infolist():
            data = source.read(item)
            number = re.fullmatch(r"xl/worksheets/sheet([0-9]+)\.xml", item.filename)
            if number:
                sheet = sheets[int(number[1]) - 1]
                values = {a1(*at): cell.value for at, cell in sheet.cells.items() if cell.formula}
                data = UNCACHED.sub(partial(_cached, values), data.decode()).encode()
            target.writestr(item, data)
    return out.getvalue()
