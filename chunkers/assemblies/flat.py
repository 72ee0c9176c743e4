"""Annotated sheet -> one chunk per table: title, columns, then every record as a line with the full path of each value.

The Flat assembly of the paper (section 2.3: it "serializes each table region into a single chunk"). We differ where a
table is over the budget: it is then cut between records, and every further chunk repeats title and columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from cellroles.sheet import AnnotatedSheet, Chunk
from chunkers.assemblies.tables import TablePart, assemble
from chunkers.budget import Item, Piece, count_tokens, fits, pack
from chunkers.form import is_form
from chunkers.layout import full_name
from chunkers.record_lines import LineWriter, Named, Wording
from chunkers.schema import heading_items, leftover_items


def flat_chunks(annotated: AnnotatedSheet, *, max_tokens: int = 512, repeat_headers: bool = True) -> Iterator[Chunk]:
    """Tables in reading order, then the sheet's notes; a sheet whose model failed is cut by the STC baseline."""
    return assemble(annotated, "flat", _table, max_tokens=max_tokens, repeat_headers=repeat_headers)


def _table(part: TablePart) -> Iterator[Chunk]:
    return part.form() if is_form(part.view, part.cells) else whole_table(part)


def whole_table(part: TablePart, fallback: str | None = None) -> Iterator[Chunk]:
    """The table in one chunk, in several if it is over the budget; they own all of its cells but its notes."""
    return (part.maker.packed("table", piece, part.scope, fallback=fallback) for piece in table_pieces(part))


def fields_line(lead: str, values: Sequence[Named]) -> str:
    """`Product: CDX IG; Buyside > Long: 51.5; Buyside > Short: 48.2`."""
    names = [(full_name(field).removesuffix(":"), text) for field, text in values]
    fields = [f"{name}: {text}" if name else text for name, text in names]
    return "; ".join([lead, *fields] if lead else fields)


FIELDS = Wording(fields_line, between="; ")


def table_pieces(part: TablePart, notes: Sequence[Item] = (), owns: bool = True) -> Iterator[Piece]:
    """Titles, columns, notes, then the records, packed; without `owns` the records' lines own none of their cells."""
    head = part.scope.head
    heading = [*heading_items(part.view, part.records, part.titles, part.scope)]
    opening = [*heading, *notes, *leftover_items(part.view, part.records)]
    again = _repeated(part, heading)
    writer = LineWriter(part.view, part.cells, FIELDS)
    room = part.max_tokens - count_tokens(again) - 1
    lines: Iterator[Item] = (item for record in part.records for item in writer.items(record, room))
    if not owns:
        lines = (replace(item, owned=()) for item in lines)
    return pack(chain(opening, lines), part.max_tokens, lambda item: head if item in opening else again)


def _repeated(part: TablePart, heading: list[Item]) -> str:
    """What opens a further chunk of the table: the head, and the columns unless both take half of the budget."""
    text = "\n".join([part.scope.head, *(item.text for item in heading if item.text)])
    return text if part.view.repeat_headers and fits(text, part.max_tokens // 2) else part.scope.head
