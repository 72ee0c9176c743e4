"""Workbook file of any format -> sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from os import PathLike, fspath

from cellroles.limits import DEFAULT, Limits
from cellroles.reader.excel import read_excel
from cellroles.reader.sheets import without_hidden
from cellroles.reader.sniff import sniff
from cellroles.sheet import Sheet

__all__ = ["iter_sheets", "read_workbook"]


def read_workbook(
    path: str | PathLike[str], *, include_hidden: bool = False, limits: Limits = DEFAULT
) -> tuple[Sheet, ...]:
    """All worksheets of a workbook, in its order; the format is told by the content, whatever the file's name.

    Read are xlsx and xlsm, xls, xlsb, ods, csv and tsv, and HTML tables. Cells of hidden sheets, rows and columns are
    in `excluded` unless `include_hidden`. Raises: a WorkbookError of `cellroles.errors`, or OSError where the file
    cannot be opened.
    """
    return tuple(iter_sheets(path, include_hidden=include_hidden, limits=limits))


def iter_sheets(
    path: str | PathLike[str], *, include_hidden: bool = False, limits: Limits = DEFAULT
) -> Iterator[Sheet]:
    """The same sheets one at a time: of an Excel workbook no more than one is held here."""
    file = fspath(path)
    for sheet in READERS[sniff(file, limits)](file, limits):
        yield sheet if include_hidden else without_hidden(sheet)


def _legacy(path: str, limits: Limits) -> Iterator[Sheet]:
    from cellroles.reader.xls import read_xls

    return read_xls(path, limits)


def _binary(path: str, limits: Limits) -> Iterator[Sheet]:
    from cellroles.reader.xlsb import read_xlsb

    return read_xlsb(path, limits)


def _open_document(path: str, limits: Limits) -> Iterator[Sheet]:
    from cellroles.reader.ods import read_ods

    return read_ods(path, limits)


def _html(path: str, limits: Limits) -> Iterator[Sheet]:
    from cellroles.reader.html import read_html

    return read_html(path, limits)


def _delimited(path: str, limits: Limits) -> Iterator[Sheet]:
    from cellroles.reader.delimited import read_delimited

    return read_delimited(path, limits)


# Formats, and their readers, whose libraries are imported when a file needs them.
READERS: dict[str, Callable[[str, Limits], Iterator[Sheet]]] = {
    "xlsx": read_excel,
    "xlsb": _binary,
    "ods": _open_document,
    "xls": _legacy,
    "html": _html,
    "text": _delimited,
}
