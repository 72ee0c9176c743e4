"""Annotated sheet -> one self-contained chunk per record row, and the texts, forms, lists and notes around them.

`row` packs the records of a simple flat table to the budget; `record` gives each of them a chunk as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from cellroles.sheet import AnnotatedSheet, Chunk
from chunkers.assemblies.tables import TablePart, after_schema, assemble
from chunkers.form import is_form
from chunkers.lists import is_flat, packed_records
from chunkers.record_text import RecordWriter


def row_chunks(annotated: AnnotatedSheet, *, max_tokens: int = 512, repeat_headers: bool = True) -> Iterator[Chunk]:
    """Tables in reading order, then the sheet's notes; a sheet whose model failed is cut by the STC baseline."""
    return assemble(annotated, "row", _table, max_tokens=max_tokens, repeat_headers=repeat_headers)


def record_chunks(annotated: AnnotatedSheet, *, max_tokens: int = 512, repeat_headers: bool = True) -> Iterator[Chunk]:
    """As `row_chunks`, but the records of a flat table have a chunk each."""
    return assemble(annotated, "record", _table, max_tokens=max_tokens, repeat_headers=repeat_headers)


def _table(part: TablePart) -> Iterator[Chunk]:
    """Schema text first, then the records in the form that fits the table."""
    if is_form(part.view, part.cells):
        return part.form()
    if part.maker.chunker == "row" and is_flat(part.view, part.records):
        return after_schema(part, list_chunks)
    return after_schema(part, record_rows)


def list_chunks(part: TablePart) -> Iterator[Chunk]:
    """Record lines packed to the budget."""
    return packed_records(part.view, part.maker, part.records, part.scope, part.max_tokens)


def record_rows(part: TablePart) -> Iterator[Chunk]:
    """One chunk per record, with the full path of every value."""
    writer = RecordWriter(part.view, part.maker, part.cells, part.scope, part.max_tokens)
    return (chunk for record in part.records for chunk in writer.chunks(record))
