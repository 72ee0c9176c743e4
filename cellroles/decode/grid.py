"""Sheet -> the lines that vote together: rows and columns of a component, and each cell's neighbours in them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cellroles.segment.components import component_labels
from cellroles.sheet import Ints, Sheet

NONE = -1
GAP = 1  # blank rows or columns inside one component, for the purpose of voting


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Arrays (n,) over the filled cells: their component, the number of the row and of the column of that component,
    and the indices of the nearest filled cells in those, NONE at the border of the component."""

    component: Ints
    row: Ints
    column: Ints
    left: Ints
    right: Ints
    above: Ints
    below: Ints


def grid_of(sheet: Sheet) -> Grid:
    """The rows and columns of the sheet's components; blank cells are skipped."""
    component = component_labels(sheet, GAP)
    row, left, right = _lines(np.lexsort((sheet.col, sheet.row, component)), sheet.row, component)
    column, above, below = _lines(np.lexsort((sheet.row, sheet.col, component)), sheet.col, component)
    return Grid(component, row, column, left, right, above, below)


def _lines(order: np.ndarray[tuple[int], np.dtype[np.intp]], line: Ints, component: Ints) -> tuple[Ints, Ints, Ints]:
    """Line number, previous and next cell of each cell; `order` sorts the cells by component, line and place."""
    number, before, after = (np.full(len(order), NONE, np.int32) for _ in range(3))
    first, second = order[:-1], order[1:]
    same = (line[first] == line[second]) & (component[first] == component[second])
    after[first[same]], before[second[same]] = second[same], first[same]
    number[order] = np.concatenate(([0], np.cumsum(~same)))
    return number, before, after
