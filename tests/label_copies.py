"""Workbooks exported for correction, and corrections as a person would make them, for tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import openpyxl

from cellroles.annotate import unannotated
from cellroles.label.export import Request, export
from cellroles.reader import read_workbook
from cellroles.sheet import AnnotatedSheet, Role, Sheet, Table

DOUBTFUL = "doubt"


def annotated(sheet: Sheet) -> AnnotatedSheet:
    """First row headers, first column labels, the rest values, one table; cells that show `doubt` are doubtful."""
    roles = np.full(len(sheet), Role.VALUE, np.uint8)
    roles[sheet.col == 0] = Role.ROW_HEADER_1
    roles[sheet.row == 0] = Role.COL_HEADER_1
    confidence = np.where(sheet.text == DOUBTFUL, 0.3, 0.9).astype(np.float32)
    tables = () if sheet.extent is None else (Table(sheet.extent),)
    plain = replace(unannotated(sheet, ""), warnings=())
    return replace(plain, roles=roles, confidence=confidence, tables=tables)


def exported(source: Path, include_hidden: bool = False, suffix: str = ".xlsx") -> tuple[Path, list[str]]:
    """The copy beside a workbook, and what was said of it."""
    said: list[str] = []
    target = source.with_name(f"copy{suffix}")
    sheets = map(annotated, read_workbook(source, include_hidden=include_hidden))
    export(Request(source, target, "none", include_hidden), sheets, said.append)
    return target, said


def edited(path: Path, values: Mapping[tuple[str, str], object]) -> Path:
    """Change cells (sheet, cell) of a workbook in place."""
    return changed(path, lambda book: [book[sheet].__setitem__(ref, value) for (sheet, ref), value in values.items()])


def changed(path: Path, change: Callable[[openpyxl.Workbook], object]) -> Path:
    """Change a workbook in place."""
    book = openpyxl.load_workbook(path)
    change(book)
    book.save(path)
    return path
