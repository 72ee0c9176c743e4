"""Annotated sheet -> row chunks of several records: the records of `row`, packed greedily to the budget."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from cellroles.sheet import AnnotatedSheet, Chunk
from chunkers.assemblies.row import list_chunks
from chunkers.assemblies.tables import TablePart, after_schema, assemble
from chunkers.budget import count_tokens, fits, pack
from chunkers.form import is_form
from chunkers.lists import is_flat
from chunkers.record_text import RecordWriter


def packed_chunks(annotated: AnnotatedSheet, *, max_tokens: int = 512, repeat_headers: bool = True) -> Iterator[Chunk]:
    """Tables in reading order, then the sheet's notes; a sheet whose model failed is cut by the STC baseline."""
    return assemble(annotated, "packed", _table, max_tokens=max_tokens, repeat_headers=repeat_headers)


def _table(part: TablePart) -> Iterator[Chunk]:
    if is_form(part.view, part.cells):
        return part.form()
    return after_schema(part, list_chunks if is_flat(part.view, part.records) else _packed_rows)


def _packed_rows(part: TablePart) -> Iterator[Chunk]:
    """Neighbouring records together while they fit; a record over the budget is cut as `row` cuts it."""
    writer = RecordWriter(part.view, part.maker, part.cells, part.scope, part.max_tokens)
    head = part.scope.head
    room = part.max_tokens - count_tokens(head) - 1
    written = ((record, writer.item(record)) for record in part.records)
    for whole, group in groupby(written, lambda pair: fits(pair[1].text, room)):
        if whole:
            pieces = pack((item for _, item in group), part.max_tokens, lambda _: head)
            yield from (part.maker.packed("row", piece, part.scope) for piece in pieces)
        else:
            yield from (chunk for record, _ in group for chunk in writer.chunks(record))
