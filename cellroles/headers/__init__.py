"""Sheet + roles + tables -> the column and row header path of every cell of a table."""

from __future__ import annotations

import numpy as np

from cellroles.headers.blocks import Block, header_blocks
from cellroles.headers.columns import column_paths
from cellroles.headers.pool import PathPool
from cellroles.headers.rows import row_paths
from cellroles.headers.view import TableView, table_views
from cellroles.sheet import Bytes, HeaderPath, Ints, Sheet, Table

__all__ = ["header_paths"]


def header_paths(
    sheet: Sheet, roles: Bytes, tables: tuple[Table, ...], table_of: Ints
) -> tuple[tuple[HeaderPath, ...], Ints, Ints]:
    """Distinct paths (the first is empty) and, per filled cell, the numbers of its column and its row path.

    `roles` and `table_of` have shape (n,); cells outside tables (-1), column headers and titles have empty paths. The
    row path of a row header is what identifies its record beside it; its column path is the label of its stub column.
    """
    pool = PathPool()
    col_path, row_path = np.zeros(len(sheet), np.int32), np.zeros(len(sheet), np.int32)
    for view in table_views(sheet, roles, tables, table_of):
        if not len(view):
            continue
        blocks = header_blocks(view)
        governed = view.data | view.remark | (view.row_depth > 0)
        col_path[view.index] = np.where(governed, _column_numbers(view, blocks, pool), 0)
        row_path[view.index] = np.where(governed, row_paths(view, blocks, pool), 0)
    return pool.paths(sheet), col_path, row_path


def _column_numbers(view: TableView, blocks: tuple[Block, ...], pool: PathPool) -> Ints:
    """The column path numbers (k,) of the table's cells: those below the blocks that end above each cell."""
    if not blocks:
        return np.zeros(len(view), np.int32)
    columns = np.unique(view.col)
    numbers = column_paths(view, blocks, columns, pool)
    bottoms = np.array([block.bottom for block in blocks], np.int32)
    above = np.searchsorted(bottoms, view.row, side="right")
    result = numbers[above, np.searchsorted(columns, view.col)]
    if blocks[0].below:  # a remark among its own rows is none of what it heads
        result[view.row >= blocks[0].top] = 0
    for p in np.flatnonzero((view.right > view.col + 1) & view.data):
        left, right = np.searchsorted(columns, (view.col[p], view.right[p]))
        result[p] = _common_path(numbers[above[p], left:right].tolist(), pool)
    return result


def _common_path(numbers: list[int], pool: PathPool) -> int:
    """The labels that all columns under a merged value share; columns without labels do not count."""
    paths = [pool.labels[number] for number in numbers if number]
    shared = [label for label in paths[0] if all(label in path for path in paths)] if paths else []
    return pool.number(tuple(shared))
