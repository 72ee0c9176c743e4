"""Own labels of a header block -> labels of every column: filled to the right, centred, or inherited.

A spanner that is not merged says where it starts, not where it ends. The rules were found on real statistical sheets;
each has a test with the sheet that it is for.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cellroles.headers.view import TableView
from cellroles.sheet import Bools, Ints

DENSE_SHARE = 0.75
DENSE_COLUMNS = 4


def fill_labels(view: TableView, label: Ints, stub: Bools, values: Bools, *, bottom_up: bool) -> Ints:
    """Give free cells of a header row the spanner that reaches over them, outer rows first.

    `label` has shape (header rows, columns) and holds positions in `view` (negative: none; -2 stops the fill).
    """
    filled = label.copy()
    parent = np.zeros(label.shape[1], np.int64)  # columns with one number have the same labels in all outer rows
    rows = range(len(label) - 1, -1, -1) if bottom_up else range(len(label))
    for r in rows:
        centred = _centred(view, label[r], values, always=bottom_up) if r == rows[0] else None
        if centred is not None:
            filled[r] = centred
        elif not _dense(label[r], values):
            filled[r] = _fill_row(view, label[r], parent, stub)
        pair = parent * (len(view) + 2) + np.maximum(filled[r], -1) + 1
        parent = np.unique(pair, return_inverse=True)[1]
    return filled


def _dense(label: Ints, values: Bools) -> bool:
    """One label per column: no spanners here."""
    columns = int(values.sum())
    own = len(np.unique(label[values & (label >= 0)]))
    return columns >= DENSE_COLUMNS and own >= DENSE_SHARE * columns


def _fill_row(view: TableView, label: Ints, parent: NDArray[np.int64], stub: Bools) -> Ints:
    """Forward fill of one header row, bounded by spans, stubs and the parents' reach."""
    ordinal = np.arange(len(label))
    source = np.maximum.accumulate(np.where(label != -1, ordinal, -1))
    origin = label[source]
    spreads = (source >= 0) & (label == -1) & (origin >= 0) & ~stub & ~stub[source]
    spreads &= (view.col_depth[origin] >= 2) & (view.right[origin] == view.col[origin] + 1)
    spreads &= parent == parent[source]
    return np.where(spreads, origin, label).astype(np.int32)


def _centred(view: TableView, label: Ints, values: Bools, *, always: bool) -> Ints | None:
    """Labels that stand over the middle (or the end) of what they span: every column takes the nearest.

    None where the row is not of that kind: a merged or innermost label, a label over the first value column, or
    margins that differ by more than one column.
    """
    columns = np.flatnonzero(values)
    own = np.flatnonzero(label[columns] >= 0)
    if not len(own):
        return None
    labels = label[columns[own]]
    if (view.col_depth[labels] < 2).any() or (view.right[labels] > view.col[labels] + 1).any():
        return None
    left, right = int(own[0]), len(columns) - 1 - int(own[-1])
    ends = len(own) == 1 and right == 0
    if not (always or (left > 0 and (abs(left - right) <= 1 or ends))):
        return None
    distance = np.abs(np.arange(len(columns))[:, None] - own[None, ::-1])
    nearest = own[::-1][distance.argmin(axis=1)]
    result = label.copy()
    free = label[columns] == -1
    result[columns[free]] = label[columns[nearest]][free]
    return result


def inherit_from_anchor(view: TableView, label: Ints, columns: Ints) -> Ints:
    """A column under a merged label, with nothing above it, takes what lies above the merge's first column.

    This is the author's outer merge that ends a column short.
    """
    result = label.copy()
    bare = result[:1].max(axis=0, initial=-1) < 0
    for r in range(1, len(label)):
        own = label[r]
        merged = (own >= 0) & (view.right[own] > view.col[own] + 1)
        heirs = np.flatnonzero(bare & merged)
        anchor = np.searchsorted(columns, view.col[own[heirs]])
        heirs, anchor = heirs[~bare[anchor]], anchor[~bare[anchor]]
        if len(heirs):
            result[:r, heirs] = result[:r, anchor]
        bare &= own < 0
        bare[heirs] = False
    return result
