"""Annotated sheet -> cheap look-ups of its cells: references, shown texts, paths and citations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from openpyxl.utils.cell import get_column_letter

from cellroles.sheet import ROLE_LABELS, AnnotatedSheet, CitedCell, Region

_ROW_STRIDE = 1 << 15  # more than the 16,384 columns of a sheet


class View:
    """One annotated sheet while it is chunked; indices `i` are those of its filled cells, `p` those of its paths."""

    def __init__(self, annotated: AnnotatedSheet) -> None:
        self.annotated = annotated
        self.sheet = annotated.sheet
        self._letters = [get_column_letter(col + 1) for col in range(int(self.sheet.col.max(initial=-1)) + 1)]
        self._path_refs: dict[int, tuple[str, ...]] = {0: ()}

    @cached_property
    def _keys(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return self.sheet.row.astype(np.int64) * _ROW_STRIDE + self.sheet.col

    @cached_property
    def _extras(self) -> dict[int, str]:
        """Index -> what is written after a cell's text: its web link and its note."""
        extras: dict[int, str] = {}
        for cell, link in self.sheet.hyperlinks.items():
            i = self.index(*cell)
            if i is not None and link.startswith("http") and link not in self.sheet.text[i]:
                extras[i] = f" ({link})"
        for cell, note in self.sheet.comments.items():
            i = self.index(*cell)
            if i is not None and note.strip():
                extras[i] = extras.get(i, "") + f" [note: {one_line(note)}]"
        return extras

    def index(self, row: int, col: int) -> int | None:
        """Index of the filled cell at a zero-based place, or None."""
        key = row * _ROW_STRIDE + col
        i = int(np.searchsorted(self._keys, key))
        return i if i < len(self._keys) and self._keys[i] == key else None

    def indices(self, cells: Iterable[tuple[int, int]]) -> list[int]:
        """Indices of the filled cells among zero-based (row, col) places."""
        return [i for cell in cells if (i := self.index(*cell)) is not None]

    def letter(self, col: int) -> str:
        """Excel's letters of a zero-based column."""
        return get_column_letter(col + 1)

    def ref(self, row: int, col: int) -> str:
        """A1 reference of a zero-based place."""
        return f"{get_column_letter(col + 1)}{row + 1}"

    def range(self, indices: Sequence[int]) -> str | None:
        """The smallest A1 range around some filled cells."""
        if not len(indices):
            return None
        rows, cols = self.sheet.row[list(indices)], self.sheet.col[list(indices)]
        return Region(int(rows.min()), int(cols.min()), int(rows.max()) + 1, int(cols.max()) + 1).a1

    def row_range(self, row: int, cells: Sequence[CitedCell]) -> str | None:
        """The A1 range, within a zero-based row, of the cited cells that lie in it."""
        number = str(row + 1)
        inside = [cell.ref.partition(number) for cell in cells if cell.ref.endswith(number)]
        letters = [before for before, _, after in inside if before.isalpha() and not after]
        if not letters:
            return cells[0].ref if cells else None
        first, last = min(letters, key=_column_order), max(letters, key=_column_order)
        return f"{first}{number}" if first == last else f"{first}{number}:{last}{number}"

    def shown(self, i: int) -> str:
        """What a cell says in running text: its display text on one line, with its link and note."""
        return one_line(str(self.sheet.text[i])) + self._extras.get(i, "")

    def has_extra(self, i: int) -> bool:
        """Whether a cell carries a note or a web link that is said with it."""
        return i in self._extras

    def role(self, i: int) -> str:
        """The role label of a cell."""
        return ROLE_LABELS[int(self.annotated.roles[i])]

    def shown_all(self, indices: Sequence[int]) -> list[str]:
        """`shown` of many cells."""
        text, extras = self.sheet.text, self._extras
        if extras:
            return [self.shown(i) for i in indices]
        return [one_line(text[i]) for i in indices]

    def path_refs(self, p: int) -> tuple[str, ...]:
        """A1 references of a path's header cells, outermost first."""
        refs = self._path_refs.get(p)
        if refs is None:
            refs = self._path_refs[p] = tuple(self.ref(row, col) for row, col in self.annotated.paths[p].cells)
        return refs

    def cite(self, indices: Sequence[int], owner: bool = True) -> list[CitedCell]:
        """Citations with the header paths of the annotation."""
        sheet, annotated, paths = self.sheet, self.annotated, self.annotated.paths
        letters, path_refs = self._letters, self.path_refs
        rows = list(indices)
        return [
            CitedCell(
                f"{letters[col]}{row + 1}", text, value, ROLE_LABELS[role], owner,
                paths[cp].labels, path_refs(cp), paths[rp].labels, path_refs(rp),
            )
            for row, col, text, value, role, cp, rp in zip(
                sheet.row[rows].tolist(), sheet.col[rows].tolist(), sheet.text[rows].tolist(),
                sheet.value[rows].tolist(), annotated.roles[rows].tolist(),
                annotated.col_path[rows].tolist(), annotated.row_path[rows].tolist(),
                strict=True,
            )
        ]  # fmt: skip


def _column_order(letters: str) -> tuple[int, str]:
    return len(letters), letters


def one_line(text: str) -> str:
    """A text without line breaks and runs of white space.

    >>> one_line("Total\\n credit")
    'Total credit'
    """
    return " ".join(text.split()) if "\n" in text or "  " in text or text[:1] == " " or text[-1:] == " " else text


def collapse(labels: Iterable[str]) -> tuple[str, ...]:
    """Labels on one line each, without blanks and without equal neighbours.

    >>> collapse(["Total", "Total", "Long"])
    ('Total', 'Long')
    """
    out: list[str] = []
    for label in map(one_line, labels):
        if label and label != (out[-1] if out else None):
            out.append(label)
    return tuple(out)
