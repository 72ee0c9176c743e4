"""Sheet -> STC chunks: `col: value; …` blocks under the sheet's first row, merged greedily (a baseline without roles).

Structure-Aware Chunking for Tabular Data, arXiv 2605.00318, section III and algorithm 1. Where we differ: exact cl100k
counts instead of an approximation; every chunk opens with the sheet name and title that the other chunkers print; a
single field over the budget, which the paper leaves open, is cut at sentence or word ends; the names of columns
without values are said once, before the first row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from cellroles.sheet import AnnotatedSheet, Chunk, Ints
from chunkers.base import ChunkMaker
from chunkers.baselines.rows import Scopes, block_chunk, by_column, column_name, names_of, populated_rows
from chunkers.budget import Item, Piece, count_tokens, fits, pack
from chunkers.context import Scope
from chunkers.view import View


def stc_chunks(
    annotated: AnnotatedSheet,
    *,
    max_tokens: int = 512,
    repeat_headers: bool = True,
    chunker: str = "stc",
    fallback: str | None = None,
) -> Iterator[Chunk]:
    """Algorithm 1 on one sheet; each header is owned by the first chunk that says it."""
    if not len(annotated.sheet):
        return
    view = View(annotated, repeat_headers)
    block = Block(view, ChunkMaker(view, chunker, fallback), Scopes(view, max_tokens), max_tokens)
    yield from block.chunks(np.arange(len(annotated.sheet), dtype=np.int32))


class Block:
    """Cuts rows that share a header row, the first of them; `region` is what its chunks name instead of the sheet's."""

    def __init__(
        self, view: View, maker: ChunkMaker, scopes: Scopes, max_tokens: int, region: str | None = None
    ) -> None:
        self.view, self.maker, self.scopes, self.max_tokens = view, maker, scopes, max_tokens
        self.region = region

    def chunks(self, cells: Ints) -> Iterator[Chunk]:
        """The chunks of filled cells (indices in reading order), which own all of them."""
        header, *body = populated_rows(self.view, cells)
        heads = by_column(self.view, header)
        said = set(np.unique(self.view.sheet.col[cells[len(header) :]]).tolist()) if self.view.repeat_headers else set()
        unsaid = [i for col, i in heads.items() if col not in said]
        yield from self._names(unsaid)
        left = {col: i for col, i in heads.items() if i not in unsaid}
        for piece in pack(self._items(body, heads), self.max_tokens, lambda item: self._scope(item).head):
            yield self._chunk(piece, heads, left)

    def _names(self, cells: list[int]) -> Iterator[Chunk]:
        """Headers that no record says, as a text."""
        if cells:
            line = Item("; ".join(self.view.shown_all(cells)), tuple(cells), tuple(cells))
            for piece in pack([line], self.max_tokens, lambda item: self._scope(item).head):
                yield self.maker.packed("text", piece, self._scope(line))

    def _items(self, rows: list[list[int]], heads: dict[int, int]) -> Iterator[Item]:
        """Rows as key-value blocks (section III-A), cut at key-value boundaries if over the budget (III-C)."""
        view, names = self.view, names_of(self.view, heads)
        for cells in rows:
            fields = view.shown_all(cells)
            if view.repeat_headers:
                cols = view.sheet.col[view.part(cells)].tolist()
                fields = [f"{column_name(names, col)}: {text}" for col, text in zip(cols, fields, strict=True)]
            yield from _field_items(fields, cells, self.max_tokens - self.scopes.size(cells[0]) - 1)

    def _scope(self, item: Item) -> Scope:
        scope = self.scopes.at(item.cells[0])
        return replace(scope, region=self.region) if self.region else scope

    def _chunk(self, piece: Piece, heads: dict[int, int], left: dict[int, int]) -> Chunk:
        """One chunk; it takes the headers that it is the first to say out of `left`."""
        owned = [i for item in piece.items for i in item.owned] if left else []
        named = [left.pop(col) for col in np.unique(self.view.sheet.col[owned]).tolist() if col in left]
        return block_chunk(self.maker, "stc", piece, self._scope(piece.items[0]), heads, named)


def _field_items(fields: list[str], cells: list[int], room: int) -> Iterator[Item]:
    """Fields joined to one line, or to several of at most `room` tokens, cut between fields (STC, section III-C)."""
    text = "; ".join(fields)
    if fits(text, room):
        yield Item(text, tuple(cells), tuple(cells))
        return
    line, inside, size = "", list[int](), 0
    for field, cell in zip(fields, cells, strict=True):
        cost = count_tokens(field) + 1
        if inside and size + cost > room:
            yield Item(line, tuple(inside), tuple(inside))
            line, inside, size = "", [], 0
        line = f"{line}; {field}" if inside else field
        inside.append(cell)
        size += cost
    yield Item(line, tuple(inside), tuple(inside))
