"""xlsx or xlsm file -> sheets, by a direct read; what that cannot read, other libraries are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from cellroles.errors import CorruptWorkbook, WorkbookError
from cellroles.limits import Limits
from cellroles.reader.extras import with_extras
from cellroles.reader.package import Package, SheetPart, faults, open_package, relations
from cellroles.reader.raw import each_readable
from cellroles.reader.rescue import rescued
from cellroles.reader.sheets import sheet_of, without_covered
from cellroles.reader.styles import read_styles
from cellroles.reader.xlsx import SheetParser
from cellroles.sheet import Sheet, Style

# Kinds of sheets without a grid of cells, and entries that point to no sheet at all (left by some macros).
CELLLESS = ("chartsheet", "dialogsheet", "xlMacrosheet", "entry")


def read_excel(path: str, limits: Limits) -> Iterator[Sheet]:
    """The worksheets one at a time; one that no reader can read is there without cells, with a warning.

    Raises: a WorkbookError where the workbook as a whole, or every sheet of it, cannot be read.
    """
    try:
        package = open_package(path, limits)
    except CorruptWorkbook as error:
        yield from rescued(path, None, _cause(path, error), limits)
        return
    with package.archive:
        styles, notes, lost = _styles(package)
        notes += tuple(
            f"{part.kind} {part.name!r} has no cells and is left out"
            for part in package.sheets
            if part.kind in CELLLESS
        )
        attempts = (
            (part.name, part.state, partial(_read_sheet, package, part, styles, limits))
            for part in package.sheets
            if part.kind not in CELLLESS
        )
        for sheet in each_readable(path, attempts):
            missing = lost if sheet.source == "xlsx" else ()
            yield replace(sheet, warnings=notes + sheet.warnings, lost=missing + sheet.lost)
            notes = ()


def _cause(path: str, error: WorkbookError) -> str:
    return str(error).removeprefix(f"{path}: ")


def _styles(package: Package) -> tuple[tuple[Style, ...], tuple[str, ...], tuple[str, ...]]:
    """The looks of the workbook, or a plain one with a warning why, and what is lost by that."""
    try:
        with faults(package.path, "the styles"):
            return read_styles(package), (), ()
    except CorruptWorkbook as error:
        cause = f"{_cause(package.path, error)}; cells are plain and dates are numbers"
        return (Style(),), (cause,), ("styles", "number formats")


def _read_sheet(package: Package, part: SheetPart, styles: tuple[Style, ...], limits: Limits) -> Sheet:
    """A sheet by the first reader that can read it."""
    if not part.part:
        raise CorruptWorkbook(f"{package.path}: sheet {part.name!r} has no part in the package")
    try:
        return _read_directly(package, part, part.part, styles)
    except CorruptWorkbook as error:
        return next(rescued(package.path, part.name, _cause(package.path, error), limits))


def _read_directly(package: Package, part: SheetPart, name: str, styles: tuple[Style, ...]) -> Sheet:
    with faults(package.path, f"sheet {part.name!r}"):
        with package.archive.open(name) as source:
            parser = SheetParser(source, package.strings, package.date1904, package.limits)
            parser.parse()
        sheet = sheet_of(parser, package.path, part.name, styles, package.date1904)
        return without_covered(with_extras(sheet, parser, package, part, relations(package.archive, name)))
