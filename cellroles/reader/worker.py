"""Path and library -> pickled RawSheets on standard output; runs as a process that may crash or hang without harm."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from cellroles.reader.raw import RawSheet
from cellroles.sheet import Style

VALUES_ONLY = ("styles", "number formats", "formulas", "error values", "comments", "links", "hidden rows and columns")


def read_calamine(path: str, only: str | None) -> Iterator[RawSheet]:
    """The sheets of an xlsx, xlsb, xls or ods file as python-calamine gives them: values and, of some, merges."""
    from python_calamine import SheetTypeEnum, SheetVisibleEnum, load_workbook

    states = ((SheetVisibleEnum.Hidden, "hidden"), (SheetVisibleEnum.VeryHidden, "veryHidden"))
    # Of a file object the library looks at the content, of a path at the suffix.
    with open(path, "rb") as source, load_workbook(source) as workbook:  # noqa: PTH123 (the library wants this type)
        for index, entry in enumerate(workbook.sheets_metadata):
            if entry.typ != SheetTypeEnum.WorkSheet or only not in (None, entry.name):
                continue
            raw = RawSheet(entry.name, lost=VALUES_ONLY)
            raw.state = next((state for visible, state in states if entry.visible == visible), "visible")
            try:
                _fill(raw, workbook.get_sheet_by_index(index))
            except Exception as error:  # one broken sheet must not cost the others
                raw = RawSheet(entry.name, raw.state, fault=f"{type(error).__name__}: {error}")
            yield raw


def _fill(raw: RawSheet, sheet: Any) -> None:
    top, left = sheet.start or (0, 0)
    for row, cells in enumerate(sheet.to_python(skip_empty_area=True), top):
        for col, value in enumerate(cells, left):
            if value != "":
                raw.add(row, col, value, Style())
    if sheet.merged_cell_ranges is None:
        raw.lost = ("merges", *VALUES_ONLY)
    for (top, left), (bottom, right) in sheet.merged_cell_ranges or ():
        raw.merges.append((top, left, bottom + 1, right + 1))


def read_openpyxl(path: str, only: str | None) -> Iterator[RawSheet]:
    """The worksheets of an xlsx file as openpyxl gives them: once with stored results, once with formulas."""
    from openpyxl import load_workbook

    with open(path, "rb") as source:  # noqa: PTH123
        stored, written = load_workbook(source, data_only=True), load_workbook(source)
    for sheet in stored.worksheets:
        if only in (None, sheet.title):
            yield _of_openpyxl(sheet, written[sheet.title])


def _of_openpyxl(sheet: Any, written: Any) -> RawSheet:
    raw = RawSheet(sheet.title, sheet.sheet_state, lost=("theme colours", "Excel tables", "print titles"))
    comments, links, looks = {}, {}, {}
    # The cells that exist, not the rectangle around them, which may be the whole grid.
    for (row, col), cell in sorted(written._cells.items()):
        place = row - 1, col - 1
        if cell.style_id not in looks:
            looks[cell.style_id] = _style(cell)
        formula = cell.value if cell.data_type == "f" else None
        raw.add(
            *place,
            sheet._cells[row, col].value,
            looks[cell.style_id],
            formula and str(getattr(formula, "text", formula)),
        )
        if cell.comment:
            comments[place] = cell.comment.text.strip()
        if cell.hyperlink:
            links[place] = cell.hyperlink.target or f"#{cell.hyperlink.location}"
    raw.merges = [(box.min_row - 1, box.min_col - 1, box.max_row, box.max_col) for box in written.merged_cells.ranges]
    raw.extras = {"comments": comments, "hyperlinks": links, **_dimensions(written)}
    return raw


def _dimensions(sheet: Any) -> dict[str, object]:
    """Hidden and grouped rows and columns; a column entry of openpyxl may stand for several."""
    columns = [(col - 1, look) for look in sheet.column_dimensions.values() for col in range(look.min, look.max + 1)]
    rows = [(row - 1, look) for row, look in sheet.row_dimensions.items()]
    return {
        "hidden_rows": frozenset(row for row, look in rows if look.hidden),
        "hidden_cols": frozenset(col for col, look in columns if look.hidden),
        "row_levels": {row: look.outlineLevel for row, look in rows if look.outlineLevel},
        "col_levels": {col: look.outlineLevel for col, look in columns if look.outlineLevel},
    }


def _style(cell: Any) -> Style:
    font, align, border, fill = cell.font, cell.alignment, cell.border, cell.fill
    drawn = (("t", border.top), ("b", border.bottom), ("l", border.left), ("r", border.right))
    return Style(
        bool(font.b),
        bool(font.i),
        bool(font.u),
        bool(font.strike),
        float(font.sz or 0),
        _rgb(font.color),
        _rgb(fill.fgColor) if fill.fill_type == "solid" else "",
        int(align.indent or 0),
        "" if align.horizontal in (None, "general") else align.horizontal,
        align.vertical or "",
        bool(align.wrap_text),
        "".join(letter for letter, side in drawn if side and side.style),
        cell.number_format or "General",
    )


def _rgb(color: Any) -> str:
    return color.rgb[-6:] if color is not None and color.type == "rgb" and isinstance(color.rgb, str) else ""


LIBRARIES: dict[str, Callable[[str, str | None], Iterator[RawSheet]]] = {
    "openpyxl": read_openpyxl,
    "calamine": read_calamine,
}


def answer(library: str, path: str, only: str | None) -> tuple[str, object]:
    """What the parent gets: `sheets` and the list of them, `password`, or `fault` and its cause."""
    try:
        sheets = list(LIBRARIES[library](path, only))
    except Exception as error:  # what a library may raise on broken input has no bounds
        name = type(error).__name__
        return ("password", "") if name == "PasswordError" else ("fault", f"{name}: {str(error)[:300]}")
    if not sheets:
        return "fault", "no sheets" if only is None else f"no sheet {only!r}"
    return "sheets", sheets


def main() -> None:
    """Arguments: library, path, bytes of memory that may be taken and, for one sheet alone, its name."""
    library, path, memory, *only = sys.argv[1:]
    with suppress(ImportError, ValueError, OSError):  # not every system can bound the memory of a process
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)  # libraries print to standard output, which is for the answer alone
        out.write(pickle.dumps(answer(library, path, only[0] if only else None)))


if __name__ == "__main__":
    main()
