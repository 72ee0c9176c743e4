"""Workbook file -> sheets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from os import PathLike, fspath

from cellroles.errors import CorruptWorkbook
from cellroles.reader.extras import with_extras
from cellroles.reader.package import Package, SheetPart, faults, open_package, relations
from cellroles.reader.sheets import sheet_of, without_covered, without_hidden
from cellroles.reader.styles import read_styles
from cellroles.reader.xlsx import SheetParser
from cellroles.sheet import Sheet, Style

__all__ = ["iter_sheets", "read_workbook"]

# Kinds of sheets without a grid of cells, and entries that point to no sheet at all (left by some macros).
CELLLESS = ("chartsheet", "dialogsheet", "xlMacrosheet", "entry")


def read_workbook(path: str | PathLike[str], *, include_hidden: bool = False) -> tuple[Sheet, ...]:
    """All worksheets of an .xlsx or .xlsm workbook, in the workbook's order.

    Cells of hidden sheets, rows and columns are in `excluded` unless `include_hidden`.
    Raises: a WorkbookError of `cellroles.errors`, or OSError where the file cannot be opened.
    """
    return tuple(iter_sheets(path, include_hidden=include_hidden))


def iter_sheets(path: str | PathLike[str], *, include_hidden: bool = False) -> Iterator[Sheet]:
    """The same sheets one at a time: no more than one is held here."""
    package = open_package(fspath(path))
    with package.archive:
        with faults(package.path, "the styles"):
            styles = read_styles(package)
        notes = tuple(f"{part.kind} {part.name!r} {reason}" for part in package.sheets if (reason := _unread(part)))
        readable = [part for part in package.sheets if not _unread(part)]
        if not readable and any(part.kind == "worksheet" for part in package.sheets):
            raise CorruptWorkbook(f"{package.path}: {'; '.join(notes)}")
        for part in readable:
            sheet = _read_sheet(package, part, styles)
            sheet = sheet if include_hidden else without_hidden(sheet)
            yield replace(sheet, warnings=notes + sheet.warnings)
            notes = ()


def _unread(part: SheetPart) -> str:
    """Why a sheet of the workbook is left out; empty if it is read."""
    if part.kind in CELLLESS:
        return "has no cells and is left out"
    return "" if part.part else "has no part in the package and is left out"


def _read_sheet(package: Package, part: SheetPart, styles: tuple[Style, ...]) -> Sheet:
    part_name = part.part or ""
    with faults(package.path, f"sheet {part.name!r}"):
        with package.archive.open(part_name) as source:
            parser = SheetParser(source, package.strings, package.date1904)
            parser.parse()
        sheet = sheet_of(parser, package.path, part.name, styles, package.date1904)
        return without_covered(with_extras(sheet, parser, package, part, relations(package.archive, part_name)))
