"""Annotated sheet -> small chunks of one record each, under the table that they belong to: for parent retrievers.

A parent says title, columns, notes and records; a table over the budget has several, each with title and columns, and a
record belongs to the parent that says it. Where a parent had room for hardly more than one record, it says none and is
the parent of all. Parents own titles and headers; records own their values and labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice

from cellroles.sheet import AnnotatedSheet, Chunk
from chunkers.assemblies.flat import TableLines
from chunkers.assemblies.tables import TablePart, assemble
from chunkers.budget import Item, Piece, clip, count_tokens
from chunkers.form import is_form
from chunkers.record_lines import RecordItem
from chunkers.record_text import RecordWriter
from chunkers.records import Record

NOTES_SHARE = 4  # notes take at most this part of a parent's budget; their own chunks have them in full
LEAST_RECORDS = 3  # that a parent says on average, or it says none
RECORDS_WEIGHED = 8


def parent_chunks(annotated: AnnotatedSheet, *, max_tokens: int = 512, repeat_headers: bool = True) -> Iterator[Chunk]:
    """Tables in reading order, then the sheet's notes; a sheet whose model failed is cut by the STC baseline."""
    return assemble(annotated, "parent", _table, max_tokens=max_tokens, repeat_headers=repeat_headers)


def _table(part: TablePart) -> Iterator[Chunk]:
    return part.form() if is_form(part.view, part.cells) else _family(part)


def _family(part: TablePart) -> Iterator[Chunk]:
    """Parents and, after each, its children."""
    writer = RecordWriter(part.view, part.maker, part.cells, part.scope, part.max_tokens)
    table = TableLines(part, _notes(part))
    lines = table.records()
    first = [*islice(lines, RECORDS_WEIGHED)]
    if _are_wide(first, table.room):
        parents = [_parent(part, piece) for piece in table.pieces(())]
        yield from parents
        yield from _children(writer, part.records, parents[:1])
        return
    for piece in table.pieces(replace(line, owned=()) for line in chain(first, lines)):
        parent = _parent(part, piece)
        yield parent
        said = (item.record for item in piece.items if isinstance(item, RecordItem) and item.record)
        yield from _children(writer, said, [parent])


def _children(writer: RecordWriter, records: Iterable[Record], parents: list[Chunk]) -> Iterator[Chunk]:
    """The chunks of records under their parent, if there is one."""
    writer.scope = replace(writer.scope, parent=parents[0].id if parents else None)
    return (chunk for record in records for chunk in writer.chunks(record))


def _parent(part: TablePart, piece: Piece) -> Chunk:
    """A parent whose range is what it shows of its table: its notes lie anywhere, and it owns the headers alone."""
    cells = {i for item in piece.items for i in item.cells}
    shown = sorted(cells.difference(part.notes)) or sorted(cells)
    return replace(part.maker.packed("table", piece, part.scope), range=part.view.range(shown))


def _are_wide(lines: list[RecordItem], room: int) -> bool:
    """Whether a parent would say fewer than `LEAST_RECORDS` records, judged by the first of a table."""
    tokens = sum(count_tokens(line.text) for line in lines)
    return tokens > room and tokens * LEAST_RECORDS > room * len(lines)


def _notes(part: TablePart) -> list[Item]:
    """The notes that the head does not say, as one item that owns none of them."""
    lines = {i: part.view.shown(i) for i in part.notes}
    unsaid = {i: line for i, line in lines.items() if line and line not in part.scope.head}
    text = "\n".join(f"Note: {line}" for line in dict.fromkeys(unsaid.values()))
    return [Item(clip(text, part.max_tokens // NOTES_SHARE), tuple(unsaid))] if unsaid else []
