"""Table cells -> header blocks: the groups of rows that hold column headers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cellroles.headers.view import TableView
from cellroles.sheet import Bools, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Neighbouring header rows; `rows` are those that hold a column header, ascending."""

    rows: Ints
    below: bool = False  # the block lies under the values that it heads

    @property
    def top(self) -> int:
        """The first header row."""
        return int(self.rows[0])

    @property
    def bottom(self) -> int:
        """One past the last header row."""
        return int(self.rows[-1]) + 1


def header_blocks(view: TableView) -> tuple[Block, ...]:
    """Header rows grouped into blocks: a row of values or row headers, or values under a label, end a block."""
    header = view.col_depth > 0
    rows = np.unique(view.row[header])
    if not len(rows):
        return ()
    body = view.row[view.data | (view.row_depth > 0)]
    gap = np.searchsorted(body, rows[:-1], side="right") < np.searchsorted(body, rows[1:])
    starts = np.flatnonzero(np.concatenate(([True], gap | _values_under_labels(view, rows)[1:])))
    blocks = [Block(part) for part in np.split(rows, starts[1:])]
    last_value = view.row[view.data].max(initial=-1)
    if len(blocks) == 1 and last_value < blocks[0].top:
        blocks = [Block(blocks[0].rows, below=True)]
    return tuple(blocks)


def _values_under_labels(view: TableView, rows: Ints) -> Bools:
    """Per header row whether it has a value straight under a label of the header row before it."""
    at = np.flatnonzero(np.isin(view.row, rows))
    ordinal = np.searchsorted(rows, view.row[at]).astype(np.int64)
    width = int(view.col.max()) + 1
    key = ordinal * width + view.col[at]
    under = view.data[at] & np.isin(key - width, key[view.col_depth[at] > 0])
    result = np.zeros(len(rows), bool)
    result[ordinal[under]] = True
    return result
