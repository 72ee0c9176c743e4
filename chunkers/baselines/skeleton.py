"""Cells and what they look like -> which lie near a structural anchor, and the rectangles that equal ones fill."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cellroles.sheet import Bools, Ints

NEAR = 4  # rows or columns; the k of SpreadsheetLLM, section 3.2
Longs = NDArray[np.int64]


def near_anchors(row: Ints, col: Ints, look: Ints) -> Bools:
    """Cells (n,) whose row and column both lie at most `NEAR` from an anchor (SpreadsheetLLM, section 3.2).

    `look` numbers what a cell is like. The paper proposes and filters rectangles; we only look for edges: an edge is
    where more than half of the cells of two neighbouring lines differ, and the lines on both sides of it are anchors.
    """
    return _near(row, col, look) & _near(col, row, look)


def _near(line: Ints, place: Ints, look: Ints) -> Bools:
    lines, at, count = np.unique(line, return_inverse=True, return_counts=True)
    stride = int(place.max()) + 2
    key = line.astype(np.int64) * stride + place
    order = np.argsort(key)
    before = np.minimum(np.searchsorted(key, key - stride, sorter=order), len(key) - 1)
    before = order[before]
    paired = key[before] == key - stride
    same = paired & (look[before] == look)
    follows = np.diff(lines, prepend=-2) == 1
    union = count + np.where(follows, np.roll(count, 1), 0) - np.bincount(at[paired], minlength=len(lines))
    edge = 2 * (union - np.bincount(at[same], minlength=len(lines))) > union
    last_before = np.append(edge[1:], True)  # the line before an edge
    anchors = lines[edge | last_before]
    after = np.minimum(np.searchsorted(anchors, lines), len(anchors) - 1)
    distance = np.minimum(np.abs(anchors[after] - lines), np.abs(lines - anchors[np.maximum(after - 1, 0)]))
    near: Bools = (distance <= NEAR)[at]
    return near


class Rectangles(NamedTuple):
    """Rectangles of cells of one group: `boxes` (r, 4), half-open, top, left, bottom, right; `of` (n,) numbers them."""

    boxes: Ints
    of: Ints


def rectangles(row: Ints, col: Ints, group: Ints) -> Rectangles:
    """Cells (n,), sorted by (row, col), as rectangles of equal group: runs of a row, joined to equal runs below.

    >>> boxes, of = rectangles(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.array([1, 1, 1, 1]))
    >>> boxes.tolist(), of.tolist()
    ([[0, 0, 2, 2]], [0, 0, 0, 0])
    """
    same_run = (np.diff(row) == 0) & (np.diff(col) == 1) & (np.diff(group) == 0)
    run_of = np.concatenate(([0], np.cumsum(~same_run)))
    first = np.flatnonzero(np.concatenate(([True], ~same_run)))
    last = np.append(first[1:], len(row)) - 1
    top, left, right, kind = row[first], col[first], col[last] + 1, group[first]
    order = np.lexsort((top, right, left, kind))
    joined = np.ones(max(len(order) - 1, 0), np.bool_)
    for values, step in ((kind, 0), (left, 0), (right, 0), (top, 1)):
        joined &= np.diff(values[order]) == step
    number = np.concatenate(([0], np.cumsum(~joined)))
    starts = order[np.concatenate(([True], ~joined))]
    ends = order[np.concatenate((~joined, [True]))]
    boxes = np.stack([top[starts], left[starts], top[ends] + 1, right[starts]], axis=1).astype(np.int32)
    of_run = np.empty(len(order), np.int32)
    of_run[order] = number
    return Rectangles(boxes, of_run[run_of])
