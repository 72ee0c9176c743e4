"""Annotated sheet -> subject | predicate | object triples, one chunk per record.

The KG assembly of the paper (section 2.3: it "decomposes tables into subject–predicate–object triples"); the subject is
the row path, the predicate the column path, the object what the cell shows. Titles and headers keep a chunk of text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cellroles.sheet import AnnotatedSheet, Chunk
from chunkers.assemblies.tables import TablePart, after_schema, assemble, record_by_record
from chunkers.form import is_form
from chunkers.layout import full_name
from chunkers.record_lines import LineWriter, Named, Wording
from chunkers.view import bare


def kg_chunks(annotated: AnnotatedSheet, *, max_tokens: int = 512, repeat_headers: bool = True) -> Iterator[Chunk]:
    """Tables in reading order, then the sheet's notes; a sheet whose model failed is cut by the STC baseline."""
    return assemble(annotated, "kg", _table, max_tokens=max_tokens, repeat_headers=repeat_headers)


def _table(part: TablePart) -> Iterator[Chunk]:
    return part.form() if is_form(part.view, part.cells) else after_schema(part, _triples)


def _triples(part: TablePart) -> Iterator[Chunk]:
    return record_by_record(part, LineWriter(part.view, part.cells, TRIPLES), "triples")


def triples(lead: str, values: Sequence[Named]) -> str:
    """One line per value: `Product: CDX IG | Buyside > Long | 51.5`."""
    names = [(bare(full_name(field)), text) for field, text in values]
    return "\n".join(" | ".join(filter(None, (lead, *named))) for named in names) or lead


TRIPLES = Wording(triples, nameless="Row {}")
