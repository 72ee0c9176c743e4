"""Header blocks of a table -> the column path of every (block, column)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cellroles.headers.blocks import Block
from cellroles.headers.fill import fill_labels, inherit_from_anchor
from cellroles.headers.pool import Labels, PathPool
from cellroles.headers.view import TableView
from cellroles.sheet import Bools, Ints

BLOCKED = -2
FREE = -1


@dataclass(frozen=True, slots=True, eq=False)
class LabelGrid:
    """The labels of one block: `label` (rows, columns) holds positions in the view, FREE or BLOCKED.

    `columns` are the table's columns; `stub` and `values` (both per column) say which of them hold row headers and
    values in the block's body.
    """

    label: Ints
    columns: Ints
    stub: Bools
    values: Bools


def column_paths(view: TableView, blocks: tuple[Block, ...], columns: Ints, pool: PathPool) -> Ints:
    """Path numbers of shape (blocks + 1, columns); row b holds below b blocks (row 0: above all of them)."""
    paths = np.zeros((len(blocks) + 1, len(columns)), np.int32)
    state: list[Labels] = [()] * len(columns)
    for b, block in enumerate(blocks):
        grid = label_grid(view, blocks, b, columns)
        for c in range(len(columns)):
            state[c] = _next_path(view, state[c], grid.label[:, c])
            paths[b + 1, c] = pool.number(tuple([int(view.index[p]) for p in state[c]]))
        if block.below:
            paths[0] = paths[b + 1]
    return paths


def _next_path(view: TableView, before: Labels, column: Ints) -> Labels:
    """The path below a block: what the block says, and what it leaves standing of the blocks above it.

    A block with innermost labels starts anew, below the outer labels that it has no level for; one without them
    replaces just the levels it has.
    """
    own = {int(p) for p in column if p >= 0}
    if not own:
        return before
    depths = {int(view.col_depth[p]) for p in own}
    deepest = max(depths)
    if 1 in depths:
        kept = [p for p in before if view.col_depth[p] > deepest]
    else:
        kept = [p for p in before if view.col_depth[p] not in depths]
    return tuple(sorted([*own, *kept], key=lambda p: (-view.col_depth[p], p)))


def label_grid(view: TableView, blocks: tuple[Block, ...], b: int, columns: Ints) -> LabelGrid:
    """The labels of block `b` per header row and column: own cells and merges, then filled to the right."""
    block = blocks[b]
    stub, values = _column_kinds(view, blocks, b, columns)
    label = _own_labels(view, block, columns)
    label = fill_labels(view, label, stub, values, bottom_up=block.below)
    return LabelGrid(inherit_from_anchor(view, label, columns), columns, stub, values)


def _own_labels(view: TableView, block: Block, columns: Ints) -> Ints:
    """Every header row x column with the cell or merge that covers it; BLOCKED where that is no column header."""
    label = np.full((len(block.rows), len(columns)), FREE, np.int32)
    start, end = np.searchsorted(view.row, (block.top, block.bottom))
    reaches = np.flatnonzero(view.bottom[:start] > block.top)
    for p in (*reaches.tolist(), *range(start, end)):
        top, bottom = np.searchsorted(block.rows, (view.row[p], view.bottom[p]))
        left, right = np.searchsorted(columns, (view.col[p], view.right[p]))
        label[top:bottom, left:right] = p if view.col_depth[p] else BLOCKED
    return label


def _column_kinds(view: TableView, blocks: tuple[Block, ...], b: int, columns: Ints) -> tuple[Bools, Bools]:
    """Which columns are stubs (mostly row headers) and which hold values in the block's body."""
    if blocks[b].below:
        start, end = 0, int(np.searchsorted(view.row, blocks[b].top))
    else:
        below = blocks[b + 1].top if b + 1 < len(blocks) else view.row[-1] + 1
        start, end = np.searchsorted(view.row, (blocks[b].bottom, below))
    where = np.searchsorted(columns, view.col[start:end])
    headers = np.bincount(where[view.row_depth[start:end] > 0], minlength=len(columns))
    data = np.bincount(where[view.data[start:end]], minlength=len(columns))
    stub = headers > data
    return stub, (data > 0) & ~stub
