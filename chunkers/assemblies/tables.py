"""Annotated sheet -> the chunks of its tables in reading order, then of its notes: what every assembly shares."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from cellroles.annotate import FAILED
from cellroles.sheet import AnnotatedSheet, Chunk
from chunkers.base import ChunkMaker
from chunkers.budget import Piece, count_tokens, pack
from chunkers.context import Scope, sheet_scope, table_scope
from chunkers.form import form_chunks
from chunkers.naming import piece_cells
from chunkers.notes import note_chunks
from chunkers.record_lines import LineWriter
from chunkers.records import Record, Records, Run, TableCells, table_cells
from chunkers.schema import schema_chunks
from chunkers.view import View


@dataclass(frozen=True, slots=True)
class TablePart:
    """One table while it is cut: its cells by role, its records, and the titles that no table before it owns.

    `notes` are the cells of its units, notes and remarks; the notes chunks of the sheet own them.
    """

    view: View
    maker: ChunkMaker
    cells: TableCells
    records: Records
    titles: list[int]
    notes: tuple[int, ...]
    scope: Scope
    max_tokens: int

    def form(self) -> Iterator[Chunk]:
        """The table as a form of keys and values; owns every cell of it but its notes."""
        return form_chunks(self.view, self.maker, self.cells, self.titles, self.scope, self.max_tokens)

    def schema(self) -> Iterator[Chunk]:
        """The text that says what is in the table; owns its titles and column headers."""
        return schema_chunks(self.view, self.maker, self.records, self.titles, self.scope, self.max_tokens)

    def under(self, parent: str) -> TablePart:
        """The same table with `parent` as the parent of the chunks to come."""
        return replace(self, scope=replace(self.scope, parent=parent))


TableChunks = Callable[[TablePart], Iterator[Chunk]]
"""Cuts one table: it owns every cell of the table that is neither junk nor a note, each in one chunk."""


def assemble(
    annotated: AnnotatedSheet, chunker: str, table_chunks: TableChunks, *, max_tokens: int, repeat_headers: bool
) -> Iterator[Chunk]:
    """Tables in reading order, then the sheet's notes; a sheet whose model failed is cut by the STC baseline."""
    failure = next((warning for warning in annotated.warnings if warning.startswith(FAILED)), None)
    if failure:
        from chunkers.baselines.stc import stc_chunks

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
        cells = table_cells(view, members)
        records = Records(view, cells)
        yield from table_chunks(TablePart(view, maker, cells, records, titles, table.notes, scopes[t], max_tokens))
    yield from note_chunks(view, maker, told, sheet_scope(view), max_tokens)


def after_schema(part: TablePart, body: TableChunks) -> Iterator[Chunk]:
    """The schema text, then what `body` makes of the records, with the first schema chunk as their parent."""
    for chunk in part.schema():
        part = part if part.scope.parent else part.under(chunk.id)
        yield chunk
    yield from body(part)


def record_by_record(part: TablePart, writer: LineWriter, kind: str, repeat_path: bool = False) -> Iterator[Chunk]:
    """One chunk per record, several if it is over the budget; `repeat_path` weights the row path in `context`."""
    head, naming = part.scope.head, writer.naming
    room = part.max_tokens - count_tokens(head) - 1
    for record in part.records:
        path = naming.row_path(record.runs)
        for piece in pack(writer.items(record, room), part.max_tokens, lambda _: head):
            repeats = naming.repeats(runs_of(record, piece), part.scope.title) if repeat_path else ""
            yield part.maker.packed(kind, piece, part.scope, row=record.row, row_path=path, repeats=repeats)


def runs_of(record: Record, piece: Piece) -> list[Run]:
    """The runs of a record with the values that a piece of it shows."""
    shown = piece_cells(piece)
    runs = [Run(run.labels, [i for i in run.values if i in shown]) for run in record.runs]
    return [run for run in runs if run.values] or record.runs[:1]
