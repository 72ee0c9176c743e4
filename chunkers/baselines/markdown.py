"""Sheet -> a Markdown table of it, whole if it fits, else groups of rows that each repeat the header row.

What converters to Markdown feed to a splitter that knows tables: the first populated row is the header row. Where we
differ: every chunk opens with the sheet name and title that the other chunkers print; columns without any cell are left
out; a header row that would take more than half of the budget is a row like the others and not repeated; a row over the
budget is cut between its cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np

from cellroles.sheet import AnnotatedSheet, Chunk
from chunkers.base import ChunkMaker
from chunkers.baselines.placed import Placed, row_items
from chunkers.baselines.rows import Scopes, block_chunk, by_column, populated_rows
from chunkers.budget import Item, count_tokens, pack
from chunkers.view import View


def markdown_chunks(
    annotated: AnnotatedSheet, *, max_tokens: int = 512, repeat_headers: bool = True
) -> Iterator[Chunk]:
    """Row groups in order; the first owns the header row."""
    if not len(annotated.sheet):
        return
    view = View(annotated, repeat_headers)
    maker, scopes = ChunkMaker(view, "markdown"), Scopes(view, max_tokens)
    columns, places = np.unique(view.sheet.col, return_inverse=True)
    header, *body = populated_rows(view, np.arange(len(view.sheet), dtype=np.int32))
    lines = (_line(view, row, places[row].tolist(), len(columns)) for row in (header, *body))
    top = next(lines)
    top.write(f"\n|{'---|' * len(columns)}")
    table = top.text
    repeated = bool(body) and view.repeat_headers and count_tokens(table) + scopes.most_tokens < max_tokens // 2
    said = lines if repeated else chain([top], lines)
    room = max_tokens - scopes.most_tokens - (count_tokens(table) + 1 if repeated else 0) - 1
    items = (item for line in said for item in row_items(line, room))
    heads, unowned = by_column(view, header), header if repeated else []
    for piece in pack(items, max_tokens, lambda item: _head(scopes, item, table if repeated else "")):
        under = heads if repeated or header[0] in piece.items[0].cells else {}
        yield block_chunk(maker, "table", piece, scopes.at(piece.items[0].cells[0]), under, unowned)
        unowned = []


def _line(view: View, row: list[int], places: list[int], columns: int) -> Placed:
    """One row of the table; `places` are its cells' columns among the populated ones."""
    placed, at = Placed(), 0
    placed.write("| ")
    for i, place, text in zip(row, places, view.shown_all(row), strict=True):
        placed.write(" | " * (place - at))
        placed.mark(i, placed.write(text.replace("|", "\\|")))
        at = place
    placed.write(" | " * (columns - 1 - at) + " |")
    return placed


def _head(scopes: Scopes, item: Item, table: str) -> str:
    head = scopes.at(item.cells[0]).head
    return f"{head}\n{table}" if table else head
