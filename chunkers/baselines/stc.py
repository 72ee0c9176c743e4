"""Sheet -> STC chunks: `col: value; …` blocks under the sheet's first row, merged greedily (a baseline without roles).

Structure-Aware Chunking for Tabular Data, arXiv 2605.00318, section III and algorithm 1. Where we differ: exact cl100k
counts instead of an approximation, and every chunk opens with the sheet name and title that the other chunkers print.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from cellroles.sheet import AnnotatedSheet, Chunk
from chunkers.base import ChunkMaker
from chunkers.budget import Item, Piece, count_tokens, pack
from chunkers.context import Scope, sheet_scope, title_scope
from chunkers.lists import field_items
from chunkers.view import View


def stc_chunks(
    annotated: AnnotatedSheet,
    *,
    max_tokens: int = 512,
    repeat_headers: bool = True,
    chunker: str = "stc",
    fallback: str | None = None,
) -> Iterator[Chunk]:
    """Algorithm 1 on one sheet; the header row is owned by the first chunk, and a header alone is one text chunk."""
    if not len(annotated.sheet):
        return
    view = View(annotated, repeat_headers)
    maker = ChunkMaker(view, chunker, fallback)
    bounds = _row_bounds(view)
    header = range(*bounds[0])
    scopes = _Scopes(view, max_tokens)
    keys = {int(view.sheet.col[i]): i for i in header}
    items = _blocks(view, bounds[1:], keys, scopes, max_tokens)
    first = True
    for piece in pack(items, max_tokens, lambda item: scopes.of(item).head):
        yield _chunk(maker, view, piece, scopes.of(piece.items[0]), keys, list(header) if first else [])
        first = False
    if first:
        line = Item("; ".join(view.shown_all(list(header))), tuple(header), tuple(header))
        for piece in pack([line], max_tokens, lambda item: scopes.of(item).head):
            yield maker.packed("text", piece, scopes.of(line))


def _row_bounds(view: View) -> list[tuple[int, int]]:
    """Index ranges of the sheet's populated rows."""
    starts = np.flatnonzero(np.diff(view.sheet.row, prepend=-1)).tolist()
    return list(zip(starts, [*starts[1:], len(view.sheet)], strict=True))


def _blocks(
    view: View, bounds: list[tuple[int, int]], keys: dict[int, int], scopes: _Scopes, max_tokens: int
) -> Iterator[Item]:
    """Rows as key-value blocks (section III-A), cut at key-value boundaries if over the budget (III-C)."""
    names = {col: view.shown(i).rstrip(" :") for col, i in keys.items()}
    for lo, hi in bounds:
        cells = list(range(lo, hi))
        cols = view.sheet.col[lo:hi].tolist()
        fields = view.shown_all(cells)
        if view.repeat_headers:
            fields = [f"{names.get(col) or f'col_{col + 1}'}: {text}" for col, text in zip(cols, fields, strict=True)]
        yield from field_items(fields, cells, frozenset(), max_tokens - scopes.size(lo) - 1)


class _Scopes:
    """The sheet name and title that a row of the sheet is printed under: those of the table it lies in."""

    def __init__(self, view: View, max_tokens: int) -> None:
        self._table = view.annotated.table
        extent = view.sheet.extent
        region = extent.a1 if extent else None
        tables = view.annotated.tables
        self._scopes = [replace(title_scope(view, table, max_tokens), region=region) for table in tables]
        self._sheet = replace(sheet_scope(view), region=region)
        self._sizes: dict[str, int] = {}

    def at(self, i: int) -> Scope:
        t = int(self._table[i])
        return self._scopes[t] if t >= 0 else self._sheet

    def of(self, item: Item) -> Scope:
        return self.at(item.cells[0])

    def size(self, i: int) -> int:
        head = self.at(i).head
        if head not in self._sizes:
            self._sizes[head] = count_tokens(head)
        return self._sizes[head]


def _chunk(maker: ChunkMaker, view: View, piece: Piece, scope: Scope, keys: dict[int, int], header: list[int]) -> Chunk:
    owned = [i for item in piece.items for i in item.owned]
    shown = [i for item in piece.items for i in item.cells if not item.owned]
    cells = view.cite_under([*header, *owned], keys) + view.cite_under(shown, keys, owner=False)
    return maker.chunk("stc", piece.text, cells, scope, view.range(owned or shown))
