"""Annotated sheet -> one self-contained chunk per record row, and the texts, forms, lists and notes around them.

`row` packs the records of a simple flat table to the budget; `record` gives each of them a chunk as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from cellroles.annotate import FAILED
from cellroles.sheet import AnnotatedSheet, Chunk
from chunkers.base import ChunkMaker
from chunkers.context import Scope, sheet_scope, table_scope
from chunkers.flat import is_flat, packed_records
from chunkers.form import form_chunks, is_form
from chunkers.notes import note_chunks
from chunkers.record_text import RecordWriter
from chunkers.records import Records, table_cells
from chunkers.schema import schema_chunks
from chunkers.view import View


def row_chunks(annotated: AnnotatedSheet, *, max_tokens: int = 512, repeat_headers: bool = True) -> Iterator[Chunk]:
    """Tables in reading order, then the sheet's notes; a sheet whose model failed is cut by the STC baseline."""
    return _chunks(annotated, "row", max_tokens, repeat_headers)


def record_chunks(annotated: AnnotatedSheet, *, max_tokens: int = 512, repeat_headers: bool = True) -> Iterator[Chunk]:
    """As `row_chunks`, but the records of a flat table have a chunk each."""
    return _chunks(annotated, "record", max_tokens, repeat_headers)


def _chunks(annotated: AnnotatedSheet, chunker: str, max_tokens: int, repeat_headers: bool) -> Iterator[Chunk]:
    failure = next((warning for warning in annotated.warnings if warning.startswith(FAILED)), None)
    if failure:
        from chunkers.stc import stc_chunks

        yield from stc_chunks(
            annotated, max_tokens=max_tokens, repeat_headers=repeat_headers, chunker=chunker, fallback=failure
        )
        return
    view = View(annotated, repeat_headers)
    maker = ChunkMaker(view, chunker)
    told: set[int] = set()  # titles that an earlier table of the sheet owns
    order = np.argsort(annotated.table, kind="stable").astype(np.int32)
    bounds = np.searchsorted(annotated.table[order], np.arange(len(annotated.tables) + 1)).tolist()
    scopes = [table_scope(view, table, max_tokens) for table in annotated.tables]
    for t, table in enumerate(annotated.tables):
        titles = [i for i in table.title if i not in told]
        told.update(titles)
        members = np.setdiff1d(order[bounds[t] : bounds[t + 1]], np.array(table.title, np.int32)).astype(np.int32)
        yield from _table_chunks(view, maker, members, titles, scopes[t], max_tokens)
    yield from note_chunks(view, maker, told, sheet_scope(view), max_tokens)


def _table_chunks(
    view: View, maker: ChunkMaker, members: np.ndarray, titles: list[int], scope: Scope, max_tokens: int
) -> Iterator[Chunk]:
    """Schema text first, then the records in the form that fits the table."""
    cells = table_cells(view, members)
    records = Records(view, cells)
    if is_form(view, cells):
        yield from form_chunks(view, maker, cells, titles, scope, max_tokens)
        return
    for chunk in schema_chunks(view, maker, records, titles, scope, max_tokens):
        scope = scope if scope.parent else replace(scope, parent=chunk.id)
        yield chunk
    if maker.chunker == "row" and is_flat(view, records):
        yield from packed_records(view, maker, records, scope, max_tokens)
        return
    writer = RecordWriter(view, maker, cells, scope, max_tokens)
    for record in records:
        yield from writer.chunks(record)
