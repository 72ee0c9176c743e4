"""Sheet -> where its cells stand: components, their rows and columns, and the order of cells down each column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cellroles.segment.components import component_labels
from cellroles.sheet import Bools, Ints, Sheet

COMPONENT_GAP = 1


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """A partition of the filled cells: group id of each cell (n,), and each group's size (g,)."""

    id: Ints
    size: Ints

    @classmethod
    def of(cls, key: NDArray[np.int64]) -> Groups:
        """Number the distinct keys in ascending order."""
        distinct, group = np.unique(key, return_inverse=True)
        size = np.bincount(group, minlength=len(distinct))
        return cls(group.astype(np.int32), size.astype(np.int32))

    def sums(self, values: NDArray[np.generic]) -> NDArray[np.float64]:
        """Sum of the per-cell `values` in each group, shape (g,)."""
        return np.asarray(np.bincount(self.id, weights=values, minlength=len(self.size)), np.float64)

    def shares(self, values: Bools) -> NDArray[np.float64]:
        """Share of each group's cells where `values` holds, shape (g,), in [0, 1]."""
        return self.sums(values) / np.maximum(self.size, 1)


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Components at gap 1 (role-free tables) and their rows and columns, over n filled cells.

    `box` holds each component's top, left, bottom, right (half-open, zero-based), shape (components, 4).
    `down` is the permutation that sorts cells by (component, column, row), `across` by (component, row, column).
    `column_top` and `row_lead` (n,) are the first cell of each cell's column and row in its component; a merge stands
    in every column of its first row and every row of its first column.
    """

    component: Ints
    box: Ints
    rows: Groups
    cols: Groups
    down: Ints
    across: Ints
    column_top: Ints
    row_lead: Ints

    @property
    def column_in_order(self) -> Ints:
        """Column group of each cell in `down` order."""
        return self.cols.id[self.down]

    @property
    def row_in_order(self) -> Ints:
        """Row group of each cell in `across` order."""
        return self.rows.id[self.across]


def component_boxes(sheet: Sheet, component: Ints) -> Ints:
    """Bounding rectangles of the components' filled cells, shape (components, 4), half-open."""
    count = int(component.max()) + 1 if len(component) else 0
    box = np.empty((count, 4), np.int32)
    box[:, :2], box[:, 2:] = np.iinfo(np.int32).max, 0
    np.minimum.at(box[:, 0], component, sheet.row)
    np.minimum.at(box[:, 1], component, sheet.col)
    np.maximum.at(box[:, 2], component, sheet.row + 1)
    np.maximum.at(box[:, 3], component, sheet.col + 1)
    return box


def layout_of(sheet: Sheet) -> Layout:
    """Label the components and index their rows and columns."""
    component = component_labels(sheet, COMPONENT_GAP)
    cell, row, col = covered_places(sheet)
    rows = Groups.of(component.astype(np.int64) << 32 | sheet.row)
    cols = Groups.of(component.astype(np.int64) << 32 | sheet.col)
    return Layout(
        component=component,
        box=component_boxes(sheet, component),
        rows=rows,
        cols=cols,
        down=np.lexsort((sheet.row, cols.id)).astype(np.int32),
        across=np.lexsort((sheet.col, rows.id)).astype(np.int32),
        column_top=_firsts(cell, row, component, col),
        row_lead=_firsts(cell, col, component, row),
    )


def covered_places(sheet: Sheet) -> tuple[Ints, Ints, Ints]:
    """(cell, row, col) of every filled cell, and of places that its merge covers along its first row and column."""
    cells, rows, cols = [np.arange(len(sheet), dtype=np.int32)], [sheet.row], [sheet.col]
    place = sheet.row.astype(np.int64) << 32 | sheet.col
    merges = sheet.merges[: len(sheet) * 2]
    at = np.searchsorted(place, merges[:, 0].astype(np.int64) << 32 | merges[:, 1])
    for (top, left, bottom, right), anchor in zip(merges.tolist(), at.tolist(), strict=True):
        if anchor < len(place) and sheet.row[anchor] == top and sheet.col[anchor] == left:
            across = np.arange(left + 1, min(right, left + 256), dtype=np.int32)
            down = np.arange(top + 1, min(bottom, top + 256), dtype=np.int32)
            cells.append(np.full(len(across) + len(down), anchor, np.int32))
            rows.append(np.r_[np.full(len(across), top, np.int32), down])
            cols.append(np.r_[across, np.full(len(down), left, np.int32)])
    return np.concatenate(cells), np.concatenate(rows), np.concatenate(cols)


def _firsts(cell: Ints, along: Ints, component: Ints, line: Ints) -> Ints:
    """For every filled cell the first cell of its component on its line (its column's top, its row's lead)."""
    count = len(component)
    lines = Groups.of(component[cell].astype(np.int64) << 32 | line)
    order = np.lexsort((along, lines.id))
    starts = np.searchsorted(lines.id[order], np.arange(len(lines.size)))
    return cell[order][starts][lines.id[:count]].astype(np.int32)


def running_before(values: NDArray[np.float64], group: Ints) -> NDArray[np.float64]:
    """Sum of the values before each place within its group; `group` is non-decreasing along the array.

    >>> running_before(np.array([1.0, 2.0, 4.0, 8.0]), np.array([0, 0, 0, 1], np.int32)).tolist()
    [0.0, 1.0, 3.0, 0.0]
    """
    if not len(values):
        return values.astype(np.float64)
    before = np.cumsum(values, dtype=np.float64) - values
    starts = np.r_[True, group[1:] != group[:-1]]
    return before - before[np.maximum.accumulate(np.where(starts, np.arange(len(values)), 0))]
