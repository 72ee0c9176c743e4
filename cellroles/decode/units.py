"""Column headers that only say in what the columns below count -> metadata.

A row of nothing but units (`Million dollars | Percent`) among header rows is a units line where the columns have
different headers without it, and a header where it tells them apart (`Number | Percent` under one year).
"""

from __future__ import annotations

import numpy as np

from cellroles.decode.evidence import COLUMN, DATA, KIND_OF_ROLE
from cellroles.decode.grid import Grid
from cellroles.features.words import UNIT_ALONE
from cellroles.headers.view import merge_ends
from cellroles.sheet import Bytes, Ints, Role, Sheet


def settle_unit_rows(sheet: Sheet, roles: Bytes, grid: Grid) -> Bytes:
    """The roles (n,) with the column headers of units lines as metadata, and the levels above them closed up."""
    header = KIND_OF_ROLE[roles] == COLUMN
    unit = header.copy()
    unit[header] = [UNIT_ALONE.fullmatch(text) is not None for text in sheet.text[header]]
    rows = np.bincount(grid.row, header)
    alone = header & unit & ((np.bincount(grid.row, unit) == rows) & (rows > 0))[grid.row]
    result = roles.copy()
    order = np.argsort(grid.component, kind="stable")
    ends = np.searchsorted(grid.component[order], np.arange(int(grid.component.max(initial=-1)) + 2))
    for component in np.unique(grid.component[alone]).tolist():
        at = order[ends[component] : ends[component + 1]]
        line = at[alone[at]]
        columns = np.unique(sheet.col[at[KIND_OF_ROLE[roles[at]] == DATA]])
        named = _texts_over(sheet, at[header[at] & ~alone[at]], columns)
        if len(set(named)) > 1 and len(set(named)) == len(
            set(zip(named, _texts_over(sheet, line, columns), strict=True))
        ):
            result[line] = Role.METADATA
            _close_up(result, at[header[at] & ~alone[at]])
    return result


def _texts_over(sheet: Sheet, headers: Ints, columns: Ints) -> list[tuple[str, ...]]:
    """The texts of the rows of `headers` over each of `columns`: of the merge, or the last one left of it."""
    right = merge_ends(sheet)[1]
    texts: list[list[str]] = [[] for _ in columns]
    for row in np.unique(sheet.row[headers]):
        cells = headers[sheet.row[headers] == row]
        last = np.searchsorted(sheet.col[cells], columns, side="right") - 1
        for text, i, col in zip(texts, last.tolist(), columns.tolist(), strict=True):
            merged = i >= 0 and right[cells[i]] > sheet.col[cells[i]] + 1
            text.append(str(sheet.text[cells[i]]) if i >= 0 and (not merged or col < right[cells[i]]) else "")
    return [tuple(text) for text in texts]


def _close_up(roles: Bytes, headers: Ints) -> None:
    """Give the levels of `headers` the lowest depths that keep their order, in place."""
    levels = np.unique(roles[headers])
    roles[headers] = Role.COL_HEADER_1 + np.searchsorted(levels, roles[headers])
