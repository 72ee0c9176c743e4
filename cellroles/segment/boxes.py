"""Rectangles and cells -> which cells lie in which rectangle, at a cost that follows the cells."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cellroles.sheet import Ints

Longs = NDArray[np.int64]


def expand(item: Longs, start: Longs, stop: Longs) -> tuple[Longs, Longs]:
    """Every (item, index) with index in [start, stop) of that item, flattened in the order of the items.

    >>> [x.tolist() for x in expand(np.array([7, 9]), np.array([0, 4]), np.array([2, 5]))]
    [[7, 7, 9], [0, 1, 4]]
    """
    count = stop - start
    within = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
    return np.repeat(item, count), np.repeat(start, count) + within


def cells_in(row: Ints, col: Ints, boxes: Ints) -> tuple[Longs, Longs]:
    """Every (box, cell inside it), ordered by box and then cell.

    `row` and `col` (n,) are sorted by (row, col); `boxes` (b, 4) are half-open: top, left, bottom, right.
    """
    top, left, bottom, right = boxes.T.astype(np.int64)
    lines = np.unique(row).astype(np.int64)
    stride = int(max(col.max(initial=0) + 1, right.max(initial=0))) + 1
    place = row.astype(np.int64) * stride + col
    box, line = expand(np.arange(len(boxes)), np.searchsorted(lines, top), np.searchsorted(lines, bottom))
    start = lines[line] * stride
    return expand(box, np.searchsorted(place, start + left[box]), np.searchsorted(place, start + right[box]))


def first_box(row: Ints, col: Ints, boxes: Ints) -> Ints:
    """The first of `boxes` that holds each cell, shape (n,), or -1."""
    box, cell = cells_in(row, col, boxes)
    found = np.full(len(row), len(boxes), np.int32)
    np.minimum.at(found, cell, box.astype(np.int32))
    return np.where(found < len(boxes), found, -1).astype(np.int32)
