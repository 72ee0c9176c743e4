"""Notes, remarks and loose text of a sheet -> chunks of lines in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

import numpy as np

from cellroles.sheet import Chunk, Role
from chunkers.base import ChunkMaker
from chunkers.budget import Item, Piece, pack
from chunkers.context import Scope
from chunkers.records import REMARKS
from chunkers.view import View


def note_chunks(view: View, maker: ChunkMaker, told: set[int], scope: Scope, max_tokens: int) -> Iterator[Chunk]:
    """Everything that no table owns: metadata and comments anywhere, and cells outside the tables.

    A piece with a note in it is of kind `notes`, others of kind `text`.
    """
    annotated = view.annotated
    note = np.isin(annotated.roles, REMARKS) & ~(view.is_field & (annotated.table >= 0))
    loose = (annotated.table < 0) & (annotated.roles != Role.JUNK)
    indices = [i for i in np.flatnonzero(note | loose).tolist() if i not in told]
    lines = (_line(view, tuple(row)) for _, row in groupby(indices, lambda i: int(view.sheet.row[i])))
    for piece in pack(_once(lines), max_tokens, lambda _: scope.head):
        yield maker.packed("notes" if _has_note(piece, note) else "text", piece, scope)


def _once(lines: Iterable[Item]) -> list[Item]:
    """Lines that say the same as one, where the first of them stands."""
    cells: dict[str, list[int]] = {}
    for line in lines:
        cells.setdefault(line.text, []).extend(line.cells)
    return [Item(text, tuple(found), tuple(found)) for text, found in cells.items()]


def _line(view: View, cells: tuple[int, ...]) -> Item:
    """One row of loose cells: a long text keeps its lines, several cells are set side by side."""
    if len(cells) == 1 and not view.has_extra(cells[0]):
        return Item(str(view.sheet.text[cells[0]]).strip(), cells, cells)
    return Item(" | ".join(text for text in view.shown_all(cells) if text), cells, cells)


def _has_note(piece: Piece, note: np.ndarray) -> bool:
    return any(note[i] for item in piece.items for i in item.cells)
