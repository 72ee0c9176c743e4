"""Annotated sheet -> one self-contained chunk per record row, and the texts, forms, lists and notes around them."""

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

CHUNKER = "row"


def row_chunks(annotated: AnnotatedSheet, *, max_tokens: int = 512) -> Iterator[Chunk]:
    """Tables in reading order, then the sheet's notes; a sheet whose model failed is cut by the STC baseline."""
    failure = next((warning for warning in annotated.warnings if warning.startswith(FAILED)), None)
    if failure:
        from chunkers.stc import stc_chunks

        yield from stc_chunks(annotated, max_tokens=max_tokens, chunker=CHUNKER, fallback=failure)
        return
    view = View(annotated)
    maker = ChunkMaker(view, CHUNKER)
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
    if is_flat(view, records):
        yield from packed_records(view, maker, records, scope, max_tokens)
        return
    writer = RecordWriter(view, maker, cells, scope, max_tokens)
    for record in records:
        yield from writer.chunks(record)
