"""Binary Excel workbook (.xlsb) -> sheets: values from calamine, looks and merges from the records themselves.

Records are those of [MS-XLSB] 2.3: a type and a size of 7 bits a byte, then the content, little-endian.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from openpyxl.styles.numbers import BUILTIN_FORMATS

from cellroles.errors import CorruptWorkbook
from cellroles.limits import Limits
from cellroles.reader.container import LenientZip
from cellroles.reader.package import faults, relations
from cellroles.reader.raw import RawSheet, sheets_from
from cellroles.reader.rescue import read_apart
from cellroles.sheet import Sheet, Style

# Types of records.
ROW, CELLS, COLUMN, MERGE = 0, range(1, 12), 60, 176
FONT, FORMAT, XF, CELL_XFS, CELL_XFS_END, SHEET = 43, 44, 47, 617, 618, 156
ERROR_CELLS = (3, 11)
ERROR_NAMES = {0: "#NULL!", 7: "#DIV/0!", 15: "#VALUE!", 23: "#REF!", 29: "#NAME?", 36: "#NUM!", 42: "#N/A"}
HIDDEN_ROW, HIDDEN_COLUMN, ITALIC, BOLD_WEIGHT = 0x10, 0x1, 0x2, 600
LOST = ("colours", "borders", "formulas", "comments", "links")
COLUMNS = 16384


@dataclass(slots=True)
class Looks:
    """What the records of a sheet say: the style id of each cell, error values, merges, hidden rows and columns."""

    style: dict[tuple[int, int], int] = field(default_factory=dict)
    errors: dict[tuple[int, int], str] = field(default_factory=dict)
    merges: list[tuple[int, int, int, int]] = field(default_factory=list)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_cols: set[int] = field(default_factory=set)


def read_xlsb(path: str, limits: Limits) -> Iterator[Sheet]:
    """The worksheets; where their looks cannot be read, the values alone. Raises: CorruptWorkbook or TooLarge."""
    raws = read_apart(path, "calamine")
    try:
        with faults(path, "the looks"), LenientZip(path, limits) as archive:
            styles, parts = cell_styles(archive), sheet_parts(archive)
            raws = [dressed(raw, sheet_looks(archive, parts[raw.name]), styles) for raw in raws]
    except (CorruptWorkbook, struct.error) as error:
        cause = str(error).removeprefix(f"{path}: the looks cannot be read: ")
        for raw in raws:
            raw.warnings += (f"looks, merges and error values are lost: {cause}",)
    yield from sheets_from(raws, path, "xlsb", limits)


def dressed(raw: RawSheet, looks: Looks, styles: list[Style]) -> RawSheet:
    """The values of a sheet with their looks."""
    out = RawSheet(raw.name, raw.state, merges=looks.merges, warnings=raw.warnings, fault=raw.fault, lost=LOST)
    cells = [*zip(zip(raw.rows, raw.cols, strict=True), raw.values, strict=True), *looks.errors.items()]
    for place, value in cells:
        number = looks.style.get(place, 0)
        out.add(*place, value, styles[number] if number < len(styles) else Style())
    hidden = {"hidden_rows": looks.hidden_rows, "hidden_cols": looks.hidden_cols}
    out.extras = {name: frozenset(places) for name, places in hidden.items()}
    return out


def records(content: bytes) -> Iterator[tuple[int, bytes]]:
    """The records of a part: type and content.

    >>> list(records(bytes([0x91, 0x01, 0x00, 0x03, 0x02, 0x2A, 0x00])))
    [(145, b''), (3, b'*\\x00')]
    """
    at = 0
    while at < len(content):
        kind = content[at]
        at += 1
        if kind & 0x80:
            kind = (kind & 0x7F) | content[at] << 7
            at += 1
        size = shift = 0
        while True:
            byte = content[at]
            at += 1
            size |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80 or shift == 28:
                break
        yield kind, content[at : at + size]
        at += size


def wide_string(content: bytes, at: int) -> tuple[str, int]:
    """A counted UTF-16 string and where it ends; the count of all ones is no string."""
    (count,) = struct.unpack_from("<I", content, at)
    count = 0 if count == 0xFFFFFFFF else count
    return content[at + 4 : at + 4 + 2 * count].decode("utf-16-le", "replace"), at + 4 + 2 * count


def sheet_parts(archive: LenientZip) -> dict[str, str]:
    """The part of every sheet by its name."""
    links, found = relations(archive, "xl/workbook.bin"), {}
    for kind, content in records(archive.read("xl/workbook.bin")):
        if kind == SHEET:
            relation, end = wide_string(content, 8)
            found[wide_string(content, end)[0]] = links[relation].target
    return found


def cell_styles(archive: LenientZip) -> list[Style]:
    """The looks by style id: number format, bold, italic, size."""
    fonts: list[Style] = []
    formats: dict[int, str] = dict(BUILTIN_FORMATS)
    styles: list[Style] = []
    inside = False
    for kind, content in records(archive.read("xl/styles.bin")):
        inside = kind == CELL_XFS or (inside and kind != CELL_XFS_END)
        if kind == FONT:
            height, flags, weight = struct.unpack_from("<HHH", content)
            fonts.append(Style(bold=weight >= BOLD_WEIGHT, italic=bool(flags & ITALIC), size=height / 20))
        elif kind == FORMAT:
            formats[struct.unpack_from("<H", content)[0]] = wide_string(content, 2)[0]
        elif kind == XF and inside:
            form, font = struct.unpack_from("<HH", content, 2)
            look = fonts[font] if font < len(fonts) else Style()
            styles.append(replace(look, number_format=formats.get(form, "General"), indent=content[11]))
    return styles


def sheet_looks(archive: LenientZip, part: str) -> Looks:
    """What the records of a sheet say about its cells."""
    looks, row = Looks(), 0
    for kind, content in records(archive.read(part)):
        if kind == ROW:
            (row,) = struct.unpack_from("<I", content)
            if content[11] & HIDDEN_ROW:
                looks.hidden_rows.add(row)
        elif kind in CELLS:
            col, style = struct.unpack_from("<II", content)
            looks.style[row, col] = style & 0xFFFFFF
            if kind in ERROR_CELLS:
                looks.errors[row, col] = ERROR_NAMES.get(content[8], "#ERROR!")
        elif kind == MERGE:
            top, bottom, left, right = struct.unpack_from("<IIII", content)
            looks.merges.append((top, left, bottom + 1, right + 1))
        elif kind == COLUMN:
            first, last = struct.unpack_from("<II", content)
            if content[16] & HIDDEN_COLUMN:
                looks.hidden_cols.update(range(first, min(last + 1, COLUMNS)))
    return looks
