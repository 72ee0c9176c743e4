"""Tables + roles -> tables with the titles that scope them and the notes that belong to them."""

from __future__ import annotations

import numpy as np

from cellroles.headers.view import merge_ends
from cellroles.segment.boxes import Longs, cells_in, first_box
from cellroles.segment.components import connected_pieces
from cellroles.sheet import DATA_ROLES, Bools, Bytes, Ints, Region, Role, Sheet, Table

TITLE_LINES = 3
TITLE_CELLS = 64  # more titles than this above one table are a misreading; the nearest are kept
BESIDE_COLS = 2
MAX_TABLES = 5_000  # more are single cells without context


def with_context(
    sheet: Sheet, roles: Bytes, boxes: Ints, table_of: Ints, repairs: tuple[tuple[str, ...], ...]
) -> tuple[Table, ...]:
    """The tables with these boxes (t, 4), each with the title and note cells outside of all tables that concern it."""
    loose = table_of < 0
    titles = np.flatnonzero(loose & (roles == Role.HEADER))
    notes = np.flatnonzero(loose & np.isin(roles, (Role.METADATA, Role.COMMENT)))
    if len(boxes) > MAX_TABLES:
        titles, notes = titles[:0], notes[:0]
    scoping = _titles(sheet, roles, boxes, table_of, titles)
    belonging = _notes(sheet, boxes, notes)
    return tuple(
        Table(Region(*map(int, box)), tuple(scoping[t]), tuple(belonging[t]), repairs[t]) for t, box in enumerate(boxes)
    )


def _titles(sheet: Sheet, roles: Bytes, boxes: Ints, table_of: Ints, titles: Longs) -> list[list[int]]:
    """Per table the sheet's title, the lines above it with no table between, and captions in or beside its head."""
    found: list[list[int]] = [[] for _ in boxes]
    if not len(titles) or not len(boxes):
        return found
    row, start, end = sheet.row[titles], sheet.col[titles], merge_ends(sheet)[1][titles]
    heads = _heads(sheet, roles, boxes, table_of)
    inside = _captions(row, sheet.col[titles], heads)
    beside = _captions(row, sheet.col[titles], heads + np.array((0, -BESIDE_COLS, 0, BESIDE_COLS), np.int32))
    own = first_box(row, sheet.col[titles], boxes)
    for t, top in enumerate(boxes[:, 0]):
        first, last = np.searchsorted(row, (_floor(boxes, t), top))
        above = np.arange(max(first, last - TITLE_CELLS), last)
        above = above[_scopes(boxes, t, row[above], start[above], end[above])]
        lines = np.unique(row[above])[-TITLE_LINES:]
        near = beside[t][own[beside[t]] < 0]
        near = near[_scopes(boxes, t, row[near], start[near], end[near])]
        picked = np.concatenate([above[np.isin(row[above], lines)], inside[t], near]).astype(np.int64)
        found[t] = np.unique(titles[picked]).tolist()
    of_sheet = _sheet_title(row, int(boxes[:, 0].min()), found, titles)
    return [sorted({*of_sheet, *scoping}) for scoping in found]


def _sheet_title(row: Ints, first_table: int, found: list[list[int]], titles: Longs) -> list[int]:
    """The first title line if it stands above all tables and for all of them.

    Several titles in it are captions side by side, and so is one that touches the first table while every other table,
    two at least, has a title of its own.
    """
    line = titles[: np.searchsorted(row, row[0], side="right")].tolist()
    if row[0] >= first_table or (len(line) > 1 and len(found) > 1):
        return []
    others = [scoping for scoping in found if not set(line) & set(scoping)]
    is_caption = row[0] + 1 == first_table and len(others) > 1 and all(others)
    return [] if is_caption else line


def _floor(boxes: Ints, table: int) -> int:
    """The first row below the tables that stand above this one in some of its columns."""
    top, left, _, right = boxes[table]
    above = (boxes[:, 2] <= top) & (boxes[:, 1] < right) & (boxes[:, 3] > left)
    return int(boxes[above, 2].max(initial=0))


def _scopes(boxes: Ints, table: int, row: Ints, start: Ints, end: Ints) -> Bools:
    """Whether titles at `row` and columns [start, end) stand over this table, or over no table that is below them."""
    _, left, _, right = boxes[table]
    over = (start < right) & (end > left)
    meets = (start[:, None] < boxes[:, 3]) & (end[:, None] > boxes[:, 1]) & (row[:, None] < boxes[:, 0])
    scopes: Bools = over | ~meets.any(axis=1)
    return scopes


def _heads(sheet: Sheet, roles: Bytes, boxes: Ints, table_of: Ints) -> Ints:
    """The boxes cut before their first row of data (one row at least)."""
    data = (table_of >= 0) & np.isin(roles, DATA_ROLES)
    bottom = boxes[:, 2].copy()
    np.minimum.at(bottom, table_of[data], sheet.row[data])
    heads = boxes.copy()
    heads[:, 2] = np.maximum(bottom, boxes[:, 0] + 1)
    return heads


def _captions(row: Ints, col: Ints, heads: Ints) -> list[Longs]:
    """Per head the titles that lie in it."""
    table, at = cells_in(row, col, np.maximum(heads, 0))
    return np.split(at, np.searchsorted(table, np.arange(1, len(heads))))


def _notes(sheet: Sheet, boxes: Ints, notes: Longs) -> list[list[int]]:
    """Per table the notes nearest to it: whole blocks of touching notes, after a table rather than before one."""
    found: list[list[int]] = [[] for _ in boxes]
    if not len(notes) or not len(boxes):
        return found
    blocks = connected_pieces(sheet.row[notes], sheet.col[notes], sheet.merges[:0])
    nearest = np.zeros(len(blocks.boxes), np.int32)
    least = np.full(len(blocks.boxes), np.inf)
    for t, box in enumerate(boxes):
        rows, cols = _distance(blocks.boxes, box, 0), _distance(blocks.boxes, box, 1)
        cost = rows + cols + 0.5 * (blocks.boxes[:, 0] < box[0])
        nearest[cost < least] = t
        least = np.minimum(least, cost)
    order = np.argsort(nearest[blocks.cell], kind="stable")
    parts = np.split(notes[order], np.searchsorted(nearest[blocks.cell][order], np.arange(1, len(boxes))))
    return [part.tolist() for part in parts]


def _distance(blocks: Ints, box: Ints, axis: int) -> Ints:
    """Blank rows (0) or columns (1) between each block and the box."""
    gap: Ints = np.maximum(0, np.maximum(box[axis] - blocks[:, axis + 2], blocks[:, axis] - box[axis + 2]))
    return gap
