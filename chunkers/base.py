"""Texts and cited cells of one sheet -> chunks with stable ids."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from cellroles.sheet import Chunk, CitedCell, Sheet
from chunkers.budget import Piece, count_tokens
from chunkers.context import Scope
from chunkers.view import View


class ChunkMaker:
    """Makes the chunks of one sheet in order; the ordinal goes into the id, so that equal texts keep different ids."""

    def __init__(self, view: View, chunker: str, fallback: str | None = None) -> None:
        self.view, self.chunker, self.fallback = view, chunker, fallback
        sheet = view.sheet
        self._workbook, self._sheet = sheet.workbook, sheet.name
        self._checkpoint = view.annotated.checkpoint or None
        self._reader = reader_note(sheet)
        self._ordinal = 0

    def chunk(
        self,
        kind: str,
        text: str,
        cells: Sequence[CitedCell],
        scope: Scope,
        range_: str | None,
        *,
        tokens: int | None = None,
        row_path: tuple[str, ...] = (),
        repeats: str = "",
        fallback: str | None = None,
    ) -> Chunk:
        """The next chunk; `repeats` is what `context` says once more after the text."""
        self._ordinal += 1
        identity = f"{self._workbook}\0{self._sheet}\0{self._ordinal}\0{text}"
        return Chunk(
            blake2b(identity.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest(),
            text,
            text + repeats,
            self.chunker,
            kind,
            self._workbook,
            self._sheet,
            scope.region,
            range_,
            scope.title,
            scope.notes,
            row_path,
            tuple(cells),
            count_tokens(text) if tokens is None else tokens,
            scope.parent,
            self._checkpoint,
            fallback or self.fallback,
            self._reader,
        )

    def packed(
        self,
        kind: str,
        piece: Piece,
        scope: Scope,
        *,
        row: int | None = None,
        row_path: tuple[str, ...] = (),
        repeats: str = "",
        fallback: str | None = None,
    ) -> Chunk:
        """The next chunk, made of packed items; `row` is the zero-based row of the one record that they say."""
        owned = [i for item in piece.items for i in item.owned]
        shown = sorted({i for item in piece.items if item.cells is not item.owned for i in item.cells} - set(owned))
        cells = [*self.view.cite(owned), *self.view.cite(shown, owner=False)]
        range_ = self.view.range(owned or shown) if row is None else self.view.row_range(row, [*owned, *shown])
        return self.chunk(kind, piece.text, cells, scope, range_, row_path=row_path, repeats=repeats, fallback=fallback)


def reader_note(sheet: Sheet) -> str | None:
    """What the reader of a sheet's format could not give, in words; None for a direct read of an Excel workbook."""
    if sheet.source == "xlsx" and not sheet.lost:
        return None
    return f"{sheet.source}: no {', '.join(sheet.lost)}" if sheet.lost else sheet.source
