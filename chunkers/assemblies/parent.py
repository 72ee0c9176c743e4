"""Annotated sheet -> small chunks of one record each, under the table that they belong to: for parent retrievers.

A parent says title, columns, notes and records; a table over the budget has several, each with title and columns, and a
record belongs to the parent that says it. Parents own titles and headers; records own their values and labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cellroles.sheet import AnnotatedSheet, Chunk
from chunkers.assemblies.flat import table_pieces
from chunkers.assemblies.tables import TablePart, assemble
from chunkers.budget import Item, clip
from chunkers.form import is_form
from chunkers.record_lines import RecordItem
from chunkers.record_text import RecordWriter

NOTES_SHARE = 4  # notes take at most this part of a parent's budget; their own chunks have them in full


def parent_chunks(annotated: AnnotatedSheet, *, max_tokens: int = 512, repeat_headers: bool = True) -> Iterator[Chunk]:
    """Tables in reading order, then the sheet's notes; a sheet whose model failed is cut by the STC baseline."""
    return assemble(annotated, "parent", _table, max_tokens=max_tokens, repeat_headers=repeat_headers)


def _table(part: TablePart) -> Iterator[Chunk]:
    return part.form() if is_form(part.view, part.cells) else _family(part)


def _family(part: TablePart) -> Iterator[Chunk]:
    """Each parent, then the records that it is the first to say."""
    writer = RecordWriter(part.view, part.maker, part.cells, part.scope, part.max_tokens)
    for piece in table_pieces(part, _notes(part), owns=False):
        parent = part.maker.packed("table", piece, part.scope)
        yield parent
        writer.scope = replace(part.scope, parent=parent.id)
        records = (item.record for item in piece.items if isinstance(item, RecordItem) and item.record)
        yield from (chunk for record in records for chunk in writer.chunks(record))


def _notes(part: TablePart) -> list[Item]:
    """The notes that the head does not say, as one item that owns none of them."""
    lines = {i: part.view.shown(i) for i in part.notes}
    unsaid = {i: line for i, line in lines.items() if line and line not in part.scope.head}
    text = "\n".join(f"Note: {line}" for line in dict.fromkeys(unsaid.values()))
    return [Item(clip(text, part.max_tokens // NOTES_SHARE), tuple(unsaid))] if unsaid else []
