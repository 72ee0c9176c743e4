"""Pieces of a sheet + what their roles are -> pieces joined into whole tables.

A blank row or column often cuts a table: spanners from names, names from values, the stub from the values, a body in
two. Every join below needs a reason in the roles; geometry alone joins only rectangles that overlap.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from cellroles.segment.boxes import Longs, expand
from cellroles.sheet import COLUMN_HEADERS, DATA_ROLES, ROW_HEADERS, Bools, Bytes, Ints

MAX_BLANK_ROWS = 3
MAX_BLANK_COLS = 2
MAX_REACH = 10  # blank columns between row labels and values that have none at all
LAST_ROW = 1 << 20
HEADED = 0.75  # share of the columns with data that need a name for a piece to need no other
SAME_LINES = 0.8  # share of the rows or columns of two pieces from which on they are the same

Grid = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class PieceFacts:
    """Per piece its box (p, 4) and whether it holds column headers, row headers and data, each (p,).

    `named` and `valued` are pairs (piece, column), shape (2, k): columns under a column header of the piece's head, and
    columns with data.
    """

    boxes: Ints
    names: Bools
    stubs: Bools
    data: Bools
    named: Longs
    valued: Longs

    def __len__(self) -> int:
        return len(self.boxes)

    @classmethod
    def of(cls, boxes: Ints, piece: Ints, roles: Bytes, row: Ints, col: Ints, right: Ints) -> PieceFacts:
        """Facts from the cells' piece numbers, roles, rows, columns and (exclusive) right ends, each (n,)."""
        names, stubs, data = (np.isin(roles, wanted) for wanted in (COLUMN_HEADERS, ROW_HEADERS, DATA_ROLES))
        first_data = boxes[:, 2].copy()
        np.minimum.at(first_data, piece[data], row[data])
        head = names & (row <= first_data[piece])
        named = expand(piece[head].astype(np.int64), col[head].astype(np.int64), right[head].astype(np.int64))
        has_names, has_stubs, has_data = (
            np.bincount(piece[cells], minlength=len(boxes)) > 0 for cells in (names, stubs, data)
        )
        return cls(boxes, has_names, has_stubs, has_data, _pairs(*named), _pairs(piece[data], col[data]))

    def joined(self, group: Ints) -> PieceFacts:
        """The facts of groups of pieces; `group` (p,) numbers them from 0."""
        count = int(group.max()) + 1
        boxes = np.empty((count, 4), np.int32)
        boxes[:, :2], boxes[:, 2:] = np.iinfo(np.int32).max, 0
        np.minimum.at(boxes[:, :2], group, self.boxes[:, :2])
        np.maximum.at(boxes[:, 2:], group, self.boxes[:, 2:])
        names, stubs, data = (
            np.bincount(group[each], minlength=count) > 0 for each in (self.names, self.stubs, self.data)
        )
        named, valued = (_pairs(group[piece], col) for piece, col in (self.named, self.valued))
        return PieceFacts(boxes, names, stubs, data, named, valued)

    @property
    def headed(self) -> Bools:
        """Whether most columns with data stand under a column header of the piece."""
        valued, named = (piece << 32 | col for piece, col in (self.valued, self.named))
        under = np.bincount(self.valued[0][np.isin(valued, named)], minlength=len(self))
        return self.names & (under >= HEADED * np.bincount(self.valued[0], minlength=len(self)))


def _pairs(piece: NDArray[np.integer], col: NDArray[np.integer]) -> Longs:
    """The distinct pairs, shape (2, k)."""
    keys = np.unique(piece.astype(np.int64) << 32 | col.astype(np.int64))
    return np.stack([keys >> 32, keys & 0xFFFFFFFF])


def join_pieces(facts: PieceFacts, titles: Ints) -> tuple[Ints, tuple[tuple[str, ...], ...]]:
    """The table number of every piece (p,), and per table what was done to it, in words.

    `titles` are the rows that hold a title, ascending.
    """
    table = np.arange(len(facts), dtype=np.int32)
    done: list[set[str]] = [set() for _ in range(len(facts))]
    while len(facts) > 1:
        words, links = next(((words, links) for words, links in _reasons(facts, titles) if links.any()), ("", None))
        if links is None:
            break
        group = connected_components(coo_array(links), directed=False)[1]
        merged: list[set[str]] = [set() for _ in range(int(group.max()) + 1)]
        sizes = np.bincount(group)
        for at, old in zip(group, done, strict=True):
            merged[at] |= old | ({words} if sizes[at] > 1 else set())
        table, done, facts = group[table].astype(np.int32), merged, facts.joined(group)
    return table, tuple(tuple(sorted(words)) for words in done)


def _reasons(facts: PieceFacts, titles: Ints) -> list[tuple[str, Grid]]:
    """Reasons to join, the surest first, each with the pairs (p, p) of pieces that it joins."""
    return [
        ("merged overlapping boxes", _overlaps(facts)),
        ("joined row labels to their values over blank columns", _stubs_beside(facts)),
        ("joined headers to what they head over blank rows", _headers_above(facts, titles)),
        ("joined headers over empty columns to those beside them", _headers_beside(facts)),
        ("joined a body without column headers to the table above it", _continued_bodies(facts, titles)),
    ]


def _spans(facts: PieceFacts, axis: int) -> tuple[Ints, Ints]:
    """The start and the end of every piece's box along rows (0) or columns (1)."""
    return facts.boxes[:, axis], facts.boxes[:, axis + 2]


def _meets(facts: PieceFacts, axis: int) -> Grid:
    """Whether two pieces share a row (0) or a column (1)."""
    start, end = _spans(facts, axis)
    return (start[:, None] < end) & (start < end[:, None])


def _overlaps(facts: PieceFacts) -> Grid:
    return _meets(facts, 0) & _meets(facts, 1) & ~np.eye(len(facts), dtype=np.bool_)


def _next_to(facts: PieceFacts, axis: int, reach: int) -> Grid:
    """Whether the first piece ends at most `reach` rows (0) or columns (1) before the second, with none between."""
    start, end = _spans(facts, axis)
    gap = start - end[:, None]
    before = _meets(facts, 1 - axis) & (gap >= 0) & (gap <= reach)
    step = before.astype(np.float32)
    between: Grid = (step @ step) > 0
    return before & ~between


def _headers_above(facts: PieceFacts, titles: Ints) -> Grid:
    """A piece of nothing but headers belongs to what stands below it, if far below then only to what has none.

    Rows that were hidden or deleted leave such distances; a title between says otherwise.
    """
    only = (facts.names & ~facts.data)[:, None]
    near = _next_to(facts, 0, MAX_BLANK_ROWS) & ~(facts.stubs[:, None] & facts.names)  # labels alone may be a list
    far = _next_to(facts, 0, LAST_ROW) & ~facts.names & ~_titled(facts, titles)
    return only & (near | far)


def _headers_beside(facts: PieceFacts) -> Grid:
    """Headers over empty columns belong to the headers beside them."""
    only = facts.names & ~facts.data & ~facts.stubs
    return _next_to(facts, 1, MAX_BLANK_COLS) & facts.names[:, None] & facts.names & (only[:, None] | only)


def _stubs_beside(facts: PieceFacts) -> Grid:
    """Values without row labels belong to the labels on their left; bare labels belong to any values beside them."""
    beside = _next_to(facts, 1, MAX_BLANK_COLS)
    bare = facts.data & ~facts.stubs
    labels = facts.stubs & ~facts.data
    far = _next_to(facts, 1, MAX_REACH) & _same_lines(facts, 0) & facts.stubs[:, None] & bare
    return far | beside & ((facts.stubs[:, None] & bare) | (labels[:, None] & facts.data) | (bare[:, None] & labels))


def _continued_bodies(facts: PieceFacts, titles: Ints) -> Grid:
    """A body without (enough) column headers continues what stands above it, if that leads up to a headed table.

    It continues the piece that shares most columns with it. Below a title it must have about the same columns: a form
    under its own title is no continuation.
    """
    headless = ~facts.headed & (facts.data | facts.stubs)
    above = _next_to(facts, 0, MAX_BLANK_ROWS) & (facts.names | headless)[:, None] & headless
    above &= _same_lines(facts, 1) | ~_titled(facts, titles)
    best: Grid = np.arange(len(facts))[:, None] == np.where(above, _shared(facts, 1), 0).argmax(axis=0)
    return above & best & _led_by(facts.names, np.where(above.any(axis=0), best.argmax(axis=0), -1))


def _led_by(names: Bools, parent: NDArray[np.intp]) -> Bools:
    """Whether the chain of parents (-1: none) of each piece comes to one with column headers, shape (p,)."""
    leader = np.where(parent < 0, np.arange(len(parent)), parent)
    for _ in range(len(parent).bit_length()):
        leader = np.where(names[leader], leader, leader[leader])
    led: Bools = names[leader] & (parent >= 0)
    return led


def _titled(facts: PieceFacts, titles: Ints) -> Grid:
    """Whether a title stands between the first piece and the second below it."""
    top, bottom = _spans(facts, 0)
    titled: Grid = np.searchsorted(titles, top) > np.searchsorted(titles, bottom)[:, None]
    return titled


def _shared(facts: PieceFacts, axis: int) -> Ints:
    """How many rows (0) or columns (1) two boxes share, shape (p, p); negative where they are apart."""
    start, end = _spans(facts, axis)
    return np.minimum(end[:, None], end) - np.maximum(start[:, None], start)


def _same_lines(facts: PieceFacts, axis: int) -> Grid:
    """Whether two boxes have about the same rows (0) or columns (1)."""
    start, end = _spans(facts, axis)
    of_both = np.maximum(end[:, None], end) - np.minimum(start[:, None], start)
    same: Grid = _shared(facts, axis) >= SAME_LINES * of_both
    return same
