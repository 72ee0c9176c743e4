"""Synthetic sheet -> columnar sheet with roles, without a workbook in between."""

from __future__ import annotations

from datetime import datetime, time
from functools import lru_cache

import numpy as np
from openpyxl.utils.datetime import to_excel

from cellroles.reader.display import display_text
from cellroles.sheet import Kind, Objects, Sheet, Style
from data.labelled import ALL_ROLES, LabelledSheet
from data.synthetic.grid import CellValue, SyntheticSheet


@lru_cache(maxsize=65536)
def _shown(value: CellValue, number_format: str, _kind: str) -> str:
    return display_text(value, number_format)


def _kind(value: CellValue) -> Kind:
    if isinstance(value, bool):
        return Kind.BOOL
    if isinstance(value, str):
        return Kind.TEXT
    return Kind.DATE if isinstance(value, datetime | time) else Kind.NUMBER


def _number(value: CellValue) -> float:
    if isinstance(value, str):
        return float("nan")
    return float(to_excel(value)) if isinstance(value, datetime | time) else float(value)


def _objects(items: list[object]) -> Objects:
    array = np.empty(len(items), object)
    array[:] = items
    return array


def to_sheet(source: SyntheticSheet) -> Sheet:
    """The sheet that reading its workbook would give (formulas with their cached values)."""
    cells = list(source.cells.values())
    styles: dict[Style, int] = {}
    style = np.array([styles.setdefault(cell.style, len(styles)) for cell in cells], np.int32)
    positions = np.array(list(source.cells), np.int32).reshape(-1, 2)
    merges = [(box.top, box.left, box.bottom, box.right) for box in source.merges]
    return Sheet(
        workbook=f"synthetic/{source.family}.xlsx",
        name=source.name,
        row=positions[:, 0].copy(),
        col=positions[:, 1].copy(),
        kind=np.array([_kind(cell.value) for cell in cells], np.uint8),
        value=_objects([cell.value for cell in cells]),
        number=np.array([_number(cell.value) for cell in cells], np.float64),
        text=_objects([_shown(cell.value, cell.style.number_format, type(cell.value).__name__) for cell in cells]),
        formula=_objects([cell.formula for cell in cells]),
        uncached=np.zeros(len(cells), bool),
        style=style,
        styles=tuple(styles),
        merges=np.array(merges, np.int32).reshape(-1, 4),
        hyperlinks=dict(source.links),
    )


def to_labelled(source: SyntheticSheet) -> LabelledSheet:
    """The sheet with its gold roles; every label is certain and all 13 roles are candidates."""
    roles = np.array([cell.role for cell in source.cells.values()], np.uint8)
    targets = np.left_shift(np.uint16(1), roles.astype(np.uint16))
    return LabelledSheet(to_sheet(source), roles, targets, ALL_ROLES, "synthetic", source.family)
