"""xlsx or xlsm file -> sheets, by a direct read; what that cannot read, other libraries are asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import IO

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

FORBIDDEN = re.compile(
    rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|x0*(?:[0-8BbCcEeFf]|1[0-9A-Fa-f]));"
    rb"|&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9A-Fa-f]{1,6});)"
)


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
        notes += tuple(f"{part} belongs to no sheet of the workbook and is left out" for part in package.unlisted)
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
    """A sheet by the first reader that can read it; XML that only holds forbidden characters needs no other one."""
    name = part.part
    if not name:
        raise CorruptWorkbook(f"{package.path}: sheet {part.name!r} has no part in the package")
    try:
        return _read_directly(package, part, lambda: package.archive.open(name), styles)
    except CorruptWorkbook as error:
        cause = _cause(package.path, error)
    with suppress(CorruptWorkbook):
        sheet = _read_directly(package, part, lambda: BytesIO(mended(package.archive.whole(name))), styles)
        return replace(sheet, warnings=(f"characters that XML forbids are left out, because {cause}", *sheet.warnings))
    return next(rescued(package.path, part.name, cause, limits))


def mended(content: bytes) -> bytes:
    """XML without the characters that it forbids (XML 1.0, 2.2) and with bare ampersands escaped.

    Raises: ValueError where there is nothing to mend.

    >>> mended(b"<v>R&D \\x02&#x1F;&#xE9;&lt;</v>")
    b'<v>R&amp;D &#xE9;&lt;</v>'
    """
    better, count = FORBIDDEN.subn(lambda match: b"&amp;" if match[0] == b"&" else b"", content)
    if not count:
        raise ValueError("the XML holds no forbidden characters")
    return better


def _read_directly(
    package: Package, part: SheetPart, opened: Callable[[], IO[bytes]], styles: tuple[Style, ...]
) -> Sheet:
    with faults(package.path, f"sheet {part.name!r}"):
        with opened() as source:
            parser = SheetParser(source, package.strings, package.date1904, package.limits)
            parser.parse()
        sheet = sheet_of(parser, package.path, part.name, styles, package.date1904)
        links = relations(package.archive, part.part or "")
        return without_covered(with_extras(sheet, parser, package, part, links))
