"""Sheets of any format -> an xlsx workbook with their values, merges and looks, where no copy of the file will do."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

import openpyxl
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils.cell import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from cellroles.label.sheet_xml import CONTROLS, LIKE_ESCAPE
from cellroles.sheet import Kind, Region, Sheet, Style

LONGEST_NAME = 31
FORBIDDEN = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
SIDES = {"t": "top", "b": "bottom", "l": "left", "r": "right"}
PLAIN = Style()


def sheet_name(wanted: str, taken: Iterable[str]) -> str:
    """A name that Excel allows and that none of `taken` (lower case) has.

    >>> sheet_name("a/b", {"a b"}), sheet_name("x" * 40, ())
    ('a b 2', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx')
    """
    known, clean = frozenset(taken), FORBIDDEN.sub(" ", wanted).strip("' ") or "Sheet"
    name, number = clean[:LONGEST_NAME].rstrip("' "), 1
    while name.casefold() in known:
        number += 1
        name = f"{clean[: LONGEST_NAME - 1 - len(str(number))].rstrip(chr(39) + ' ')} {number}"
    return name


def rebuild(sheets: Sequence[Sheet], path: Path) -> dict[str, str]:
    """Write the sheets, results in place of formulas, and return the name of every copy by the name of its sheet."""
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    names: dict[str, str] = {}
    for sheet in sheets:
        names[sheet.name] = sheet_name(sheet.name, {name.casefold() for name in names.values()})
        _fill(workbook.create_sheet(names[sheet.name]), sheet)
    if not any(sheet.state == "visible" for sheet in sheets):
        workbook.create_sheet(sheet_name("Sheet", {name.casefold() for name in names.values()}))
    workbook.save(path)
    return names


def _fill(worksheet: Worksheet, sheet: Sheet) -> None:
    cells = zip(sheet.row.tolist(), sheet.col.tolist(), sheet.value, sheet.kind.tolist(), sheet.style, strict=True)
    for row, col, value, kind, style in cells:
        cell = worksheet.cell(row + 1, col + 1)
        cell.value = _written(value)
        if kind == Kind.TEXT:
            cell.data_type = "s"  # a text that starts with = is no formula
        if (look := sheet.styles[style]) != PLAIN:
            cell.font, cell.fill, cell.alignment, cell.border = _parts(look)
            cell.number_format = look.number_format
    for top, left, bottom, right in sheet.merges.tolist():
        worksheet.merge_cells(Region(top, left, bottom, right).a1)
    for line in sheet.hidden_rows:
        worksheet.row_dimensions[line + 1].hidden = True
    for line in sheet.hidden_cols:
        worksheet.column_dimensions[get_column_letter(line + 1)].hidden = True
    worksheet.sheet_state = sheet.state
    worksheet.sheet_view.rightToLeft = sheet.right_to_left


def _written(value: object) -> object:
    if isinstance(value, str):
        return LIKE_ESCAPE.sub("_x005F_", CONTROLS.sub("", value))
    if isinstance(value, dt.datetime | dt.date | dt.time | dt.timedelta | bool | int | float):
        return value
    return str(value)


@lru_cache(maxsize=4096)
def _parts(style: Style) -> tuple[Font, PatternFill, Alignment, Border]:
    font = Font(
        bold=style.bold,
        italic=style.italic,
        underline="single" if style.underline else None,
        strike=style.strike,
        size=style.size or None,
        color=f"FF{style.color}" if style.color else None,
    )
    fill = PatternFill("solid", fgColor=f"FF{style.fill}") if style.fill else PatternFill()
    alignment = Alignment(
        horizontal=style.align or None, vertical=style.valign or None, wrap_text=style.wrap, indent=style.indent
    )
    return font, fill, alignment, Border(**{SIDES[side]: Side(style="thin") for side in style.border})
