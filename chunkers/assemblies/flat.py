"""Annotated sheet -> one chunk per table: title, columns, then every record as a line with the full path of each value.

The Flat assembly of the paper (section 2.3: it "serializes each table region into a single chunk"). We differ where a
table is over the budget: it is then cut between records, and every further chunk repeats title and columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from cellroles.sheet import AnnotatedSheet, Chunk
from chunkers.assemblies.tables import TablePart, assemble
from chunkers.budget import Item, Piece, count_tokens, fits, pack
from chunkers.form import is_form
from chunkers.naming import column_names, group_repeats
from chunkers.record_lines import FIELDS, LineWriter, RecordItem
from chunkers.schema import heading_items, leftover_items


def flat_chunks(annotated: AnnotatedSheet, *, max_tokens: int = 512, repeat_headers: bool = True) -> Iterator[Chunk]:
    """Tables in reading order, then the sheet's notes; a sheet whose model failed is cut by the STC baseline."""
    return assemble(annotated, "flat", _table, max_tokens=max_tokens, repeat_headers=repeat_headers)


def _table(part: TablePart) -> Iterator[Chunk]:
    return part.form() if is_form(part.view, part.cells) else whole_table(part)


def whole_table(part: TablePart) -> Iterator[Chunk]:
    """The table in one chunk, in several if it is over the budget; they own all of its cells but its notes."""
    table = TableLines(part)
    for piece in table.pieces(table.records()):
        repeats = group_repeats(part.view, piece, part.scope.title, column_names(part.view, piece))
        yield part.maker.packed("table", piece, part.scope, repeats=repeats)


class TableLines:
    """A table as lines to be packed: titles and columns, notes if given, labels of no record, then the records."""

    def __init__(self, part: TablePart, notes: Sequence[Item] = ()) -> None:
        self.part = part
        heading = [*heading_items(part.view, part.records, part.titles, part.scope)]
        self._opening = [*heading, *notes, *leftover_items(part.view, part.records)]
        self._again = _repeated(part, heading)
        self.room = part.max_tokens - count_tokens(self._again) - 1

    def records(self) -> Iterator[RecordItem]:
        """The lines of the records; they own their values and labels."""
        writer = LineWriter(self.part.view, self.part.cells, FIELDS)
        return (item for record in self.part.records for item in writer.items(record, self.room))

    def pieces(self, records: Iterable[Item]) -> Iterator[Piece]:
        """What comes before the records, then these lines of them, packed greedily."""
        head, opening = self.part.scope.head, self._opening
        return pack(
            chain(opening, records), self.part.max_tokens, lambda item: head if item in opening else self._again
        )


def _repeated(part: TablePart, heading: list[Item]) -> str:
    """What opens a further chunk of the table: the head, and the columns unless both take a quarter of the budget."""
    text = "\n".join([part.scope.head, *(item.text for item in heading if item.text)])
    return text if part.view.repeat_headers and fits(text, part.max_tokens // 4) else part.scope.head
