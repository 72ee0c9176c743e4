"""Annotated sheet -> each table in the shape that fits it: form, list of records, whole table, or rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from cellroles.sheet import AnnotatedSheet, Chunk
from chunkers.assemblies.row import list_chunks, record_rows
from chunkers.assemblies.small import FALLBACK as SMALL
from chunkers.assemblies.small import is_small, small_table
from chunkers.assemblies.tables import TableChunks, TablePart, after_schema, assemble
from chunkers.form import is_form
from chunkers.lists import is_flat


class Shape(NamedTuple):
    """A way to cut a table, and the tables that are cut so."""

    name: str
    suits: Callable[[TablePart], bool]
    chunks: TableChunks


def adaptive_chunks(
    annotated: AnnotatedSheet, *, max_tokens: int = 512, repeat_headers: bool = True
) -> Iterator[Chunk]:
    """Tables in reading order, then the sheet's notes; a sheet whose model failed is cut by the STC baseline."""
    return assemble(annotated, "adaptive", _table, max_tokens=max_tokens, repeat_headers=repeat_headers)


def _table(part: TablePart) -> Iterator[Chunk]:
    return shape_of(part).chunks(part)


def shape_of(part: TablePart) -> Shape:
    """The first shape that suits the table."""
    return next(shape for shape in SHAPES if shape.suits(part))


SHAPES = (
    Shape("form", lambda part: is_form(part.view, part.cells), TablePart.form),
    Shape("flat table", lambda part: is_flat(part.view, part.records), lambda part: after_schema(part, list_chunks)),
    Shape(SMALL, is_small, small_table),
    Shape("rows", lambda _: True, lambda part: after_schema(part, record_rows)),
)
"""Tried in order; chunks of the shapes that depart from rows say so in `fallback`."""
