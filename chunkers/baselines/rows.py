"""Sheet -> its populated rows, and the sheet name and title that each is printed under: what the baselines share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cellroles.sheet import Chunk, Ints
from chunkers.base import ChunkMaker
from chunkers.budget import Piece, clip, count_tokens
from chunkers.context import Scope, sheet_scope, title_scope
from chunkers.view import View, one_line


def populated_rows(view: View, cells: Ints) -> list[list[int]]:
    """Filled cells (indices in reading order, at least one), row by row."""
    breaks = np.flatnonzero(np.diff(view.sheet.row[cells])) + 1
    indices = cells.tolist()
    return [indices[lo:hi] for lo, hi in zip([0, *breaks.tolist()], [*breaks.tolist(), len(cells)], strict=True)]


def by_column(view: View, cells: list[int]) -> dict[int, int]:
    """Column -> cell, for the cells of a header row."""
    return dict(zip(view.sheet.col[cells].tolist(), cells, strict=True))


def column_name(names: dict[int, str], col: int) -> str:
    """What a field of a zero-based column is called: its header, or `col_3` for a column without one."""
    return names.get(col) or f"col_{col + 1}"


def names_of(view: View, heads: dict[int, int]) -> dict[int, str]:
    """Column -> its name as printed before a value."""
    return {col: view.shown(i).rstrip(" :") for col, i in heads.items()}


def raw_text(view: View, i: int) -> str:
    """A cell's display text with its line breaks, and its link and note."""
    text = str(view.sheet.text[i])
    extra = view.shown(i).removeprefix(one_line(text)) if view.has_extra(i) else ""
    return "\n".join(text.splitlines()) + extra


def block_chunk(
    maker: ChunkMaker, kind: str, piece: Piece, scope: Scope, heads: dict[int, int], first: Sequence[int] = ()
) -> Chunk:
    """Packed rows as a chunk whose values have the headers `heads` (column -> cell); it owns the cells `first` too."""
    owned = [i for item in piece.items for i in item.owned]
    others = {i for item in piece.items if item.cells is not item.owned for i in item.cells}
    shown = sorted(others.difference(owned))
    cells = maker.view.cite_under([*first, *owned], heads) + maker.view.cite_under(shown, heads, owner=False)
    return maker.chunk(kind, piece.text, cells, scope, maker.view.range(owned or shown or first))


class Scopes:
    """What a row's chunk opens with: the sheet name and the title of the table that the row lies in.

    `region` is the A1 range that all chunks name; the filled part of the sheet by default.
    """

    def __init__(self, view: View, max_tokens: int) -> None:
        self._table = view.annotated.table
        extent = view.sheet.extent
        region = extent.a1 if extent else None
        scopes = [*(title_scope(view, table, max_tokens) for table in view.annotated.tables), sheet_scope(view)]
        self._scopes = [
            replace(scope, region=region, head=clip(scope.head, max_tokens // 2)) for scope in scopes
        ]  # the sheet's own scope comes last, where table -1 finds it
        self._sizes = [count_tokens(scope.head) for scope in self._scopes]
        self.most_tokens = max(self._sizes)

    def at(self, i: int) -> Scope:
        """The scope of a filled cell."""
        return self._scopes[int(self._table[i])]

    def size(self, i: int) -> int:
        """Tokens of the head over a filled cell."""
        return self._sizes[int(self._table[i])]
