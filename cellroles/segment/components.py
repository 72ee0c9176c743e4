"""Sheet -> connected pieces of filled cells, and their bounding rectangles.

The rule is that of Docling's Excel backend: a cell has content if it holds a value (here also: a formula) or lies in a
merge; two such cells belong together if they stand in one row or column at most `gap_tolerance` blanks apart; a
table is the bounding rectangle of such a piece, and what else lies inside that rectangle starts no table of its own.
Cost grows with the number of filled cells and merges, never with the used range or the area of a merge.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from cellroles.segment.boxes import Longs, cells_in, expand
from cellroles.sheet import Ints, Region, Sheet


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The connected pieces of a sheet: `cell` (n,) and `merge` (m,) number them; `boxes` (p, 4) are half-open.

    Pieces are numbered by their first filled cell in row-major order; a merge that connects to no filled cell has -1.
    """

    cell: Ints
    merge: Ints
    boxes: Ints


def component_labels(sheet: Sheet, gap_tolerance: int = 0) -> Ints:
    """The piece of every filled cell, shape (n,), numbered by row-major order of the pieces' first cells."""
    return connected_pieces(sheet.row, sheet.col, sheet.merges, gap_tolerance).cell


def components(sheet: Sheet, gap_tolerance: int = 0) -> list[Region]:
    """The bounding rectangles of the pieces, in the row-major order of the cells that start them.

    A piece whose filled cells all lie inside rectangles found before it yields none, as in Docling.
    """
    pieces = connected_pieces(sheet.row, sheet.col, sheet.merges, gap_tolerance)
    return [Region(*map(int, pieces.boxes[piece])) for piece in _starting_pieces(sheet, pieces)]


def connected_pieces(row: Ints, col: Ints, merges: Ints, gap_tolerance: int = 0) -> Pieces:
    """The pieces of cells (n,), sorted by (row, col), and merges (m, 4) with at most this many blanks between."""
    if gap_tolerance < 0:
        raise ValueError(f"gap_tolerance is a number of blank cells, at least 0 (got {gap_tolerance})")
    n, m = len(row), len(merges)
    if not n:
        return Pieces(np.zeros(0, np.int32), np.full(m, -1, np.int32), np.zeros((0, 4), np.int32))
    top, left, bottom, right = merges.T.astype(np.int64)
    row_runs, row_merge = _runs(row, col, top, bottom, left, right, gap_tolerance)
    col_runs, col_merge = _runs(col, row, left, right, top, bottom, gap_tolerance)
    # A cell ties the run in its row to the run in its column; a merge ties all runs that it lies in.
    rows = int(row_runs.max(initial=-1)) + 1
    runs = rows + int(col_runs.max(initial=-1)) + 1
    starts = np.concatenate([row_runs, rows + col_runs[n:]])
    ends = np.concatenate([rows + col_runs[:n], runs + row_merge, runs + col_merge])
    graph = coo_array((np.ones(len(starts), np.int8), (starts, ends)), shape=(runs + m, runs + m))
    labels = connected_components(graph.tocsr(), directed=False)[1]
    return _numbered(row, col, merges, labels[row_runs[:n]], labels[runs:])


def _runs(
    line: Ints, place: Ints, top: Longs, bottom: Longs, left: Longs, right: Longs, gap_tolerance: int
) -> tuple[Longs, Longs]:
    """Runs of content along each line (row or column) without a gap larger than the tolerance.

    Returns the run of each filled cell (n,) followed by that of each stretch of a merge (s,), and those stretches'
    merges (s,). A merge has one stretch per line that matters: a line with a filled cell or where a merge starts. That
    is enough, because two merges side by side share the line where the later one starts.
    """
    lines = np.unique(np.concatenate([line, top])) if len(top) else np.zeros(0, np.int64)
    merge, at = expand(np.arange(len(top)), np.searchsorted(lines, top), np.searchsorted(lines, bottom))
    stride = int(max(place.max(), right.max(initial=0))) + gap_tolerance + 2
    base = np.concatenate([line, lines[at]]).astype(np.int64) * stride
    start = base + np.concatenate([place, left[merge]])
    end = base + np.concatenate([place + 1, right[merge]])
    order = np.argsort(start, kind="stable")
    reach = np.maximum.accumulate(end[order])
    breaks = np.ones(len(order), np.int64)
    breaks[0], breaks[1:] = 0, start[order[1:]] - reach[:-1] > gap_tolerance
    runs = np.empty(len(order), np.int64)
    runs[order] = np.cumsum(breaks)
    return runs, merge


def _numbered(row: Ints, col: Ints, merges: Ints, cell: Ints, merge: Ints) -> Pieces:
    """Renumber arbitrary labels by first filled cell, and measure the pieces."""
    count = int(max(cell.max(), merge.max(initial=-1))) + 1
    first = np.full(count, len(cell), np.int64)
    np.minimum.at(first, cell, np.arange(len(cell)))
    found = np.flatnonzero(first < len(cell))
    number = np.full(count, -1, np.int32)
    number[found[np.argsort(first[found])]] = np.arange(len(found), dtype=np.int32)
    cell, merge = number[cell], number[merge]
    boxes = np.empty((len(found), 4), np.int32)
    boxes[:, :2], boxes[:, 2:] = np.iinfo(np.int32).max, 0
    tied = merge >= 0
    for side, at in enumerate((row, col, row + 1, col + 1)):
        pick = np.minimum if side < 2 else np.maximum
        pick.at(boxes[:, side], cell, at)
        pick.at(boxes[:, side], merge[tied], merges[tied, side])
    return Pieces(cell, merge, boxes)


def _starting_pieces(sheet: Sheet, pieces: Pieces) -> list[int]:
    """The pieces that start a table when the sheet is scanned in row-major order, in that order.

    Without a rectangle that holds cells of another piece these are all of them.
    """
    owner, cell = _foreign_cells(sheet, pieces)
    if not len(owner):
        return list(range(len(pieces.boxes)))
    by_piece = np.argsort(pieces.cell, kind="stable")
    bounds = np.searchsorted(pieces.cell[by_piece], np.arange(len(pieces.boxes) + 1))
    owner_bounds = np.searchsorted(owner, np.arange(len(pieces.boxes) + 1))
    visited = np.zeros(len(sheet), np.bool_)
    queue = [(int(by_piece[start]), piece) for piece, start in enumerate(bounds[:-1])]
    heapify(queue)
    found = []
    while queue:
        start, piece = heappop(queue)
        if not visited[start]:
            found.append(piece)
            visited[cell[owner_bounds[piece] : owner_bounds[piece + 1]]] = True
            continue
        members = by_piece[bounds[piece] : bounds[piece + 1]]
        if len(rest := members[~visited[members]]):
            heappush(queue, (int(rest[0]), piece))
    return found


def _foreign_cells(sheet: Sheet, pieces: Pieces) -> tuple[Longs, Longs]:
    """Pairs (piece, filled cell inside its rectangle that is not its own), sorted by piece."""
    top, left, bottom, right = pieces.boxes.T.astype(np.int64)
    size = np.bincount(pieces.cell, minlength=len(pieces.boxes))
    porous = np.flatnonzero(size < (bottom - top) * (right - left))
    at, cell = cells_in(sheet.row, sheet.col, pieces.boxes[porous])
    piece = porous[at]
    foreign = pieces.cell[cell] != piece
    return piece[foreign], cell[foreign]
