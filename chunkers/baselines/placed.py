"""A text written from cells, and windows of it -> which window holds, and which owns, each cell."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from cellroles.sheet import Ints
from chunkers.budget import Item, count_tokens, fits

Span = tuple[int, int]
"""Character offsets [start, end) in a text."""


@dataclass(slots=True)
class Placed:
    """A text while it is written, and where in it each cell stands; starts and ends never decrease.

    `records` are the offsets at which rows of the sheet start.
    """

    parts: list[str] = field(default_factory=list)
    cells: list[int] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    records: list[int] = field(default_factory=list)
    length: int = 0

    def start_record(self) -> None:
        """Say that a row starts here."""
        self.records.append(self.length)

    def write(self, text: str) -> int:
        """Add text; gives the offset at which it starts."""
        self.parts.append(text)
        self.length += len(text)
        return self.length - len(text)

    def mark(self, cell: int, start: int, end: int | None = None) -> None:
        """Say that the text from `start` (to the end so far) stands for a filled cell."""
        self.cells.append(cell)
        self.spans.append((start, self.length if end is None else end))

    @property
    def text(self) -> str:
        """All that was written."""
        return "".join(self.parts)


def row_items(placed: Placed, max_tokens: int) -> list[Item]:
    """A row as one item, or cut between its cells into items of at most `max_tokens`; a cell over that stays whole."""
    text = placed.text
    if fits(text, max_tokens):
        return [Item(text, tuple(placed.cells), tuple(placed.cells))]
    items, inside = list[Item](), list[int]()
    begin = last = size = 0
    for cell, (start, end) in zip(placed.cells, placed.spans, strict=True):
        cost = count_tokens(text[last:end]) + 1
        if size + cost > max_tokens:
            if inside:
                items.append(Item(text[begin:last], tuple(inside), tuple(inside)))
            inside, begin, size, cost = [], start, 0, count_tokens(text[start:end]) + 1
        inside.append(cell)
        size, last = size + cost, end
    return [*items, Item(text[begin:last], tuple(inside), tuple(inside))]


def located(text: str, pieces: list[str], at: int = 0) -> list[Span]:
    """Where pieces of a text stand, which follow each other from `at` on.

    >>> located("one two one", ["one", "two one"])
    [(0, 3), (4, 11)]
    """
    spans = []
    for piece in pieces:
        at = text.index(piece, at)
        spans.append((at, at + len(piece)))
        at += len(piece)
    return spans


@dataclass(frozen=True, slots=True)
class Holding:
    """What one window holds: positions in `Placed.cells` that it owns, and that it shows without owning them."""

    owned: Ints
    shown: Ints


def holdings(windows: list[Span], spans: list[Span]) -> list[Holding]:
    """The first window that holds a cell's whole text owns it, else the first that holds a part, else the one before.

    >>> [(held.owned.tolist(), held.shown.tolist()) for held in holdings([(0, 5), (3, 9)], [(0, 2), (2, 4), (4, 8)])]
    [([0, 1], [2]), ([2], [1])]
    """
    starts, ends = np.array(spans, np.int64).reshape(-1, 2).T
    begins, stops = np.array(windows, np.int64).T
    low, high = np.searchsorted(ends, begins, "right"), np.searchsorted(starts, stops)
    owner = np.full(len(starts), -1, np.int32)
    for whole in (True, False):
        for w, (lo, hi) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
            part = owner[lo:hi]
            inside = (starts[lo:hi] >= begins[w]) & (ends[lo:hi] <= stops[w])
            part[(part < 0) & (inside if whole else True)] = w
    before = np.maximum(np.searchsorted(begins, starts, "right") - 1, 0)
    owner = np.where(owner < 0, before, owner).astype(np.int32)
    order = np.argsort(owner, kind="stable").astype(np.int32)
    owned = np.split(order, np.searchsorted(owner[order], np.arange(1, len(windows))))
    held = [np.arange(lo, hi, dtype=np.int32) for lo, hi in zip(low.tolist(), high.tolist(), strict=True)]
    return [Holding(own, some[owner[some] != w]) for w, (own, some) in enumerate(zip(owned, held, strict=True))]
