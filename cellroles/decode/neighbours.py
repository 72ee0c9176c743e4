"""Sheet -> the nearest filled cell of every cell in each direction, within its component."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cellroles.sheet import Ints, Sheet

NONE = -1


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """Indices (n,) of the nearest filled cells in the row and the column, NONE at the border of the component."""

    left: Ints
    right: Ints
    above: Ints
    below: Ints


def neighbours(sheet: Sheet, component: Ints) -> Neighbours:
    """The four neighbours of every filled cell, blank cells skipped."""
    by_row = np.lexsort((sheet.col, sheet.row, component)).astype(np.int32)
    by_col = np.lexsort((sheet.row, sheet.col, component)).astype(np.int32)
    left, right = _linked(by_row, sheet.row, component)
    above, below = _linked(by_col, sheet.col, component)
    return Neighbours(left, right, above, below)


def _linked(order: Ints, line: Ints, component: Ints) -> tuple[Ints, Ints]:
    """Previous and next cell of each cell in `order` that shares its line and component."""
    before, after = np.full(len(order), NONE, np.int32), np.full(len(order), NONE, np.int32)
    first, second = order[:-1], order[1:]
    same = (line[first] == line[second]) & (component[first] == component[second])
    after[first[same]], before[second[same]] = second[same], first[same]
    return before, after
