"""Sheet + roles -> its tables, and the table of every cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, cast

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from cellroles.headers.view import merge_ends
from cellroles.registry import SEGMENTERS
from cellroles.segment.boxes import Longs, first_box
from cellroles.segment.components import connected_pieces
from cellroles.segment.context import with_context
from cellroles.segment.repair import PieceFacts, join_pieces
from cellroles.segment.split import split_tables
from cellroles.sheet import Bytes, Ints, Region, Role, Sheet, Table

MAX_PIECES = 500  # a sheet in more pieces is read with larger gaps, and in the end as one table
WIDEST_GAP = 3
CONTEXT = (Role.HEADER, Role.METADATA, Role.COMMENT, Role.JUNK)

Words = tuple[tuple[str, ...], ...]


def find_tables(
    sheet: Sheet,
    roles: Bytes,
    *,
    segmenter: str = "components",
    gap_tolerance: int | Literal["auto"] = "auto",
    repair: bool = True,
) -> tuple[tuple[Table, ...], Ints]:
    """The tables in row-major order, and per filled cell (n,) the number of its table, or -1.

    `roles` has shape (n,). With `repair`, titles, notes and junk belong to no table, remarks only to
    one that they stand in, the pieces that `segmenter` finds
    at this tolerance (`"auto"`: 0) are joined and split where the roles say so, and every other cell has a table.
    Without, tables are the segmenter's rectangles as they are, and a cell belongs to the first that holds it.
    """
    gap = 0 if gap_tolerance == "auto" else gap_tolerance
    if not repair:
        boxes = _segments(sheet, segmenter, gap)
        table_of = first_box(sheet.row, sheet.col, boxes)
        return with_context(sheet, roles, boxes, table_of, ((),) * len(boxes)), table_of
    body = np.flatnonzero(~np.isin(roles, CONTEXT))
    if not len(body):
        return (), np.full(len(sheet), -1, np.int32)
    dense = _without_hidden_lines(sheet)
    piece = _pieces(sheet, dense, body, segmenter, gap)
    right = merge_ends(dense)[1]
    places = (dense.row[body], dense.col[body], right[body])
    facts = PieceFacts.of(_extents(dense, body, piece), piece, roles[body], *places)
    joined, words = join_pieces(facts, dense.row[roles == Role.HEADER])
    table_of = np.full(len(sheet), -1, np.int32)
    table_of[body] = joined[piece]
    table_of, words = _cut(sheet, table_of, words, split_tables(sheet, roles, table_of))
    boxes = _extents(sheet, body, table_of[body])
    order = np.lexsort((boxes[:, 1], boxes[:, 0]))
    table_of[body] = np.argsort(order)[table_of[body]]
    remarks = np.flatnonzero(roles == Role.COMMENT)
    table_of[remarks] = first_box(sheet.row[remarks], sheet.col[remarks], boxes[order])
    return with_context(sheet, roles, boxes[order], table_of, tuple(words[t] for t in order)), table_of


def _segments(sheet: Sheet, segmenter: str, gap: int) -> Ints:
    """The segmenter's rectangles, shape (b, 4)."""
    found = cast(list[Region], SEGMENTERS[segmenter](sheet, gap))
    return np.array([(box.top, box.left, box.bottom, box.right) for box in found], np.int32).reshape(-1, 4)


def _without_hidden_lines(sheet: Sheet) -> Sheet:
    """The sheet moved together where hidden rows and columns hold no cells (any more)."""
    gone_rows, gone_cols = (
        np.setdiff1d(np.fromiter(hidden, np.int64, len(hidden)), used)
        for hidden, used in ((sheet.hidden_rows, sheet.row), (sheet.hidden_cols, sheet.col))
    )
    if not len(gone_rows) and not len(gone_cols):
        return sheet
    merges = [_moved(at, (gone_rows, gone_cols)[side % 2]) for side, at in enumerate(sheet.merges.T)]
    row, col = _moved(sheet.row, gone_rows), _moved(sheet.col, gone_cols)
    return replace(sheet, row=row, col=col, merges=np.stack(merges, axis=1))


def _moved(at: Ints, gone: Longs) -> Ints:
    """Row or column numbers after these lines are gone."""
    return (at - np.searchsorted(gone, at)).astype(np.int32)


def _pieces(sheet: Sheet, dense: Sheet, body: Longs, segmenter: str, gap: int) -> Ints:
    """The piece of each body cell: cells that are connected, and what another segmenter puts into one rectangle.

    Titles and notes tie nothing together here, nor do merges without a body cell.
    """
    row, col = dense.row[body], dense.col[body]
    merges = _anchored_merges(dense, body)
    for wider in range(gap, max(gap, WIDEST_GAP) + 1):
        piece = connected_pieces(row, col, merges, wider).cell
        if piece.max() < MAX_PIECES:
            break
    else:
        return np.zeros(len(body), np.int32)
    if segmenter == "components":
        return piece
    boxes = _segments(sheet, segmenter, gap)
    box = first_box(sheet.row[body], sheet.col[body], boxes)
    held = box >= 0
    size = int(piece.max()) + 1 + len(boxes)
    ties = coo_array((np.ones(held.sum(), np.int8), (piece[held], size - 1 - box[held])), shape=(size, size))
    return np.unique(connected_components(ties, directed=False)[1][piece], return_inverse=True)[1].astype(np.int32)


def _anchored_merges(sheet: Sheet, body: Longs) -> Ints:
    """The merges whose anchor is one of these cells."""
    width = int(max(sheet.col.max(), sheet.merges[:, 1].max(initial=0))) + 1
    anchor = sheet.merges[:, 0].astype(np.int64) * width + sheet.merges[:, 1]
    return sheet.merges[np.isin(anchor, sheet.row[body].astype(np.int64) * width + sheet.col[body])]


def _extents(sheet: Sheet, cells: Longs, group: Ints) -> Ints:
    """The box (g, 4) of each group of cells with the merges that they anchor; `group` numbers them from 0."""
    bottom, right = merge_ends(sheet)
    boxes = np.empty((int(group.max()) + 1, 4), np.int32)
    boxes[:, :2], boxes[:, 2:] = np.iinfo(np.int32).max, 0
    for side, at in enumerate((sheet.row, sheet.col, bottom, right)):
        (np.minimum if side < 2 else np.maximum).at(boxes[:, side], group, at[cells])
    return boxes


def _cut(sheet: Sheet, table_of: Ints, words: Words, starts: Mapping[int, list[int]]) -> tuple[Ints, Words]:
    """Give the rows from each start on a table number of their own."""
    table_of, found = table_of.copy(), list(words)
    for table, rows in starts.items():
        at = np.flatnonzero(table_of == table)
        part = np.searchsorted(rows, sheet.row[at], side="right")
        table_of[at[part > 0]] = len(found) - 1 + part[part > 0]
        found += [(*found[table], f"split off the table above at row {row + 1}") for row in rows]
    return table_of, tuple(found)
