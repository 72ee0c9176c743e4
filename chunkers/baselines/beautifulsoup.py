"""Sheet -> one chunk per row of its HTML table, as BeautifulSoup reads it.

The quick default for tables in many pipelines: the sheet as an HTML table (merged cells with colspan and rowspan, their
text in the first cell alone), parsed with bs4, the texts of each row joined by ` | ` (`Tag.stripped_strings`, so blank
cells leave no mark). Where we differ: every chunk opens with the sheet name and title that the other chunkers print,
and a row over the budget is cut between its cells. The text attaches no header to a value, so neither do citations.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import islice

import numpy as np

from cellroles.sheet import AnnotatedSheet, Chunk
from chunkers.base import ChunkMaker
from chunkers.baselines.placed import Placed, row_items
from chunkers.baselines.rows import Scopes, block_chunk, populated_rows
from chunkers.budget import pack
from chunkers.view import View

ROWS_AT_ONCE = 256  # a parsed page costs about a kilobyte a cell


def beautifulsoup_chunks(
    annotated: AnnotatedSheet, *, max_tokens: int = 512, repeat_headers: bool = True
) -> Iterator[Chunk]:
    """The populated rows in order; `repeat_headers` changes nothing, as no header is repeated."""
    if not len(annotated.sheet):
        return
    view = View(annotated, repeat_headers)
    maker, scopes = ChunkMaker(view, "beautifulsoup"), Scopes(view, max_tokens)
    rows = populated_rows(view, np.arange(len(view.sheet), dtype=np.int32))
    for row, texts in zip(rows, _parsed(_html_rows(view, rows)), strict=True):
        scope = scopes.at(row[0])
        for item in row_items(_joined(view, row, texts), max_tokens - scopes.size(row[0]) - 1):
            for piece in pack([item], max_tokens, lambda item: scopes.at(item.cells[0]).head):
                yield block_chunk(maker, "row", piece, scope, {})


def _joined(view: View, row: list[int], texts: list[str]) -> Placed:
    """The texts of a parsed row, which are those of its cells but for the cells that show none."""
    placed = Placed()
    left = iter(texts)
    for i, shown in zip(row, view.shown_all(row), strict=True):
        text = next(left, "") if shown.strip() else ""
        if text and placed.length:
            placed.write(" | ")
        placed.mark(i, placed.write(text))
    return placed


def _html_rows(view: View, rows: list[list[int]]) -> Iterator[str]:
    """Each populated row as a `tr`; blank cells between filled ones are one `td`."""
    spans = {(top, left): (bottom - top, right - left) for top, left, bottom, right in view.sheet.merges.tolist()}
    for row in rows:
        cells, at = list[str](), 0
        places = zip(view.sheet.row[row].tolist(), view.sheet.col[row].tolist(), view.shown_all(row), strict=True)
        for r, c, text in places:
            tall, wide = spans.get((r, c), (1, 1))
            gap = f'<td colspan="{c - at}"></td>' if c > at else ""
            cells.append(f'{gap}<td rowspan="{tall}" colspan="{wide}">{escape(text)}</td>')
            at = c + wide
        yield f"<tr>{''.join(cells)}</tr>"


def _parsed(rows: Iterator[str]) -> Iterator[list[str]]:
    """The texts of each row of the table."""
    from bs4 import BeautifulSoup

    while part := list(islice(rows, ROWS_AT_ONCE)):
        page = BeautifulSoup(f"<table>{''.join(part)}</table>", "html.parser")
        yield from (list(row.stripped_strings) for row in page.find_all("tr"))
