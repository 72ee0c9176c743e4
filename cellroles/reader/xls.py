"""Legacy Excel workbook (BIFF, .xls) -> sheets, with xlrd; where that fails, with calamine."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from typing import Any

from cellroles.errors import CorruptWorkbook, NotASpreadsheet, PasswordProtected
from cellroles.limits import Limits
from cellroles.reader.raw import RawSheet, sheets_from
from cellroles.reader.rescue import read_apart
from cellroles.sheet import Sheet, Style

STATES = ("visible", "hidden", "veryHidden")
HORIZONTAL = ("", "left", "center", "right", "fill", "justify", "centerContinuous", "distributed")
VERTICAL = ("top", "center", "bottom", "justify", "distributed")
WORKSHEET = 0
TEXT, NUMBER, DATE, BOOL, ERROR = 1, 2, 3, 4, 5
# Without formats a date is only known to be one.
ANY_DATE = Style(number_format="yyyy-mm-dd")


def read_xls(path: str, limits: Limits) -> Iterator[Sheet]:
    """The worksheets; looks, merges, comments and links are there from Excel 97 on.

    Raises: PasswordProtected, NotASpreadsheet or CorruptWorkbook with what each library said.
    """
    try:
        reader = _opened(path)
    except CorruptWorkbook as error:
        cause = str(error).removeprefix(f"{path}: ")
        yield from _by_calamine(path, cause, limits)
        return
    with reader.book:
        yield from sheets_from(map(reader.sheet, range(reader.book.nsheets)), path, "xls", limits)


def _by_calamine(path: str, cause: str, limits: Limits) -> Iterator[Sheet]:
    try:
        raws = read_apart(path, "calamine")
    except CorruptWorkbook as error:
        raise CorruptWorkbook(f"{path}: {cause}; calamine: {str(error).removeprefix(f'{path}: ')}") from error
    for raw in raws:
        raw.warnings = (f"read by calamine, because {cause}", *raw.warnings)
    yield from sheets_from(raws, path, "xls via calamine", limits)


def _opened(path: str) -> _Reader:
    """The opened workbook; some old or damaged files open only without their looks."""
    import xlrd

    error: Exception
    for styled in (True, False):
        log = StringIO()  # xlrd writes remarks, to standard output if nowhere else
        try:
            book = xlrd.open_workbook(path, log, formatting_info=styled, on_demand=True, ragged_rows=True)
            return _Reader(book, styled)
        except Exception as fault:  # xlrd raises whatever its arithmetic on broken records raises
            error = fault
        if isinstance(error, xlrd.XLRDError):
            message = str(error)
            if "encrypted" in message:
                raise PasswordProtected(f"{path}: the workbook is encrypted; save it without a password first")
            if "Can't find workbook" in message:
                raise NotASpreadsheet(f"{path}: an OLE container without a workbook inside")
    raise CorruptWorkbook(f"{path}: the workbook cannot be read: {type(error).__name__}: {error}") from error


class _Reader:
    """Sheets of an opened xlrd book; the looks of its cell formats are made once."""

    def __init__(self, book: Any, styled: bool) -> None:
        from xlrd import error_text_from_code

        self.book, self.styled, self.error_text = book, styled, error_text_from_code
        self.looks: list[Style] = [self._style(xf) for xf in book.xf_list] if styled else []
        self.lost = ("formulas", "print titles") if styled else LOST_UNSTYLED

    def sheet(self, index: int) -> RawSheet:
        """The sheet at that place; without cells and with a warning where its records are broken."""
        name, state = self.book.sheet_names()[index], STATES[min(self.book._sheet_visibility[index], 2)]
        try:
            return self._sheet(self.book.sheet_by_index(index), state)
        except Exception as error:  # as above
            return RawSheet(name, state, fault=f"{type(error).__name__}: {error}")
        finally:
            self.book.unload_sheet(index)

    def _sheet(self, sheet: Any, state: str) -> RawSheet:
        raw = RawSheet(sheet.name, state, date1904=self.book.datemode == 1, lost=self.lost)
        for row in range(sheet.nrows):
            for col, (kind, value) in enumerate(zip(sheet.row_types(row), sheet.row_values(row), strict=True)):
                if TEXT <= kind <= ERROR:
                    raw.add(row, col, self._value(kind, value), self._look(sheet, kind, row, col))
        raw.merges = [(top, left, bottom, right) for top, bottom, left, right in sheet.merged_cells]
        raw.extras = _extras(sheet)
        return raw

    def _value(self, kind: int, value: Any) -> object:
        if kind == BOOL:
            return bool(value)
        return self.error_text.get(value, "#ERROR!") if kind == ERROR else value

    def _look(self, sheet: Any, kind: int, row: int, col: int) -> Style:
        if self.styled:
            look: Style = self.looks[sheet.cell_xf_index(row, col)]
            return look
        return ANY_DATE if kind == DATE else Style()

    def _style(self, xf: Any) -> Style:
        font, border = self.book.font_list[xf.font_index], xf.border
        form = self.book.format_map.get(xf.format_key)
        sides = (
            ("t", border.top_line_style),
            ("b", border.bottom_line_style),
            ("l", border.left_line_style),
            ("r", border.right_line_style),
        )
        return Style(
            bool(font.bold),
            bool(font.italic),
            bool(font.underline_type),
            bool(font.struck_out),
            font.height / 20,
            self._color(font.colour_index),
            self._color(xf.background.pattern_colour_index) if xf.background.fill_pattern else "",
            xf.alignment.indent_level,
            HORIZONTAL[xf.alignment.hor_align % len(HORIZONTAL)],
            VERTICAL[xf.alignment.vert_align % len(VERTICAL)],
            bool(xf.alignment.text_wrapped),
            "".join(letter for letter, line in sides if line),
            form.format_str if form else "General",
        )

    def _color(self, index: int) -> str:
        rgb = self.book.colour_map.get(index)
        return "%02X%02X%02X" % rgb if rgb else ""  # noqa: UP031 (a tuple of three)


LOST_UNSTYLED = ("styles", "number formats", "merges", "formulas", "print titles")


def _extras(sheet: Any) -> dict[str, object]:
    """The fields of Sheet that are not cells; rows and columns beyond the cells are left out."""
    rows = {row: look for row, look in sheet.rowinfo_map.items() if row < sheet.nrows}
    columns = {col: look for col, look in sheet.colinfo_map.items() if col < sheet.ncols}
    frozen = sheet.panes_are_frozen and (sheet.horz_split_pos or sheet.vert_split_pos)
    return {
        "hidden_rows": frozenset(row for row, look in rows.items() if look.hidden),
        "hidden_cols": frozenset(col for col, look in columns.items() if look.hidden),
        "row_levels": {row: look.outline_level for row, look in rows.items() if look.outline_level},
        "col_levels": {col: look.outline_level for col, look in columns.items() if look.outline_level},
        "col_widths": {col: look.width / 256 for col, look in columns.items()},
        "comments": {place: note.text.strip() for place, note in sheet.cell_note_map.items() if note.text.strip()},
        "hyperlinks": {place: target for place, link in sheet.hyperlink_map.items() if (target := _target(link))},
        "freeze": (sheet.horz_split_pos, sheet.vert_split_pos) if frozen else None,
    }


def _target(link: Any) -> str:
    target = link.url_or_path.decode("utf-8", "replace") if isinstance(link.url_or_path, bytes) else link.url_or_path
    return (target or "") + (f"#{link.textmark}" if link.textmark else "")
