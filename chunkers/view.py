"""Annotated sheet -> cheap look-ups of its cells: references, shown texts, paths and citations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
from openpyxl.utils.cell import get_column_letter

from cellroles.sheet import DATA_ROLES, ROLE_LABELS, AnnotatedSheet, Bools, CitedCell, HeaderPath, Region, Role, a1

_UNTIDY = re.compile(r"[\t-\r]|  |\x1f | \x1f|^ | $")
_ROW_STRIDE = 1 << 15  # more than the 16,384 columns of a sheet


class View:
    """One annotated sheet while it is chunked; indices `i` are those of its filled cells, `p` those of its paths.

    `repeat_headers` is whether every record says the names of its columns.
    """

    def __init__(self, annotated: AnnotatedSheet, repeat_headers: bool = True) -> None:
        self.annotated = annotated
        self.repeat_headers = repeat_headers
        self.sheet = annotated.sheet
        self._letters = [get_column_letter(col + 1) for col in range(int(self.sheet.col.max(initial=-1)) + 1)]
        self._entries = _PathEntries(annotated.paths)

    @cached_property
    def _keys(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return self.sheet.row.astype(np.int64) * _ROW_STRIDE + self.sheet.col

    @cached_property
    def is_field(self) -> Bools:
        """Cells that are values of a record: data, and remarks that stand in a column of their own with a header."""
        annotated = self.annotated
        remark = (annotated.roles == Role.COMMENT) & (annotated.table >= 0) & (annotated.col_path > 0)
        field: Bools = np.isin(annotated.roles, DATA_ROLES) | remark
        return field

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

    def path_cells(self, paths: Iterable[int]) -> dict[int, tuple[int, ...]]:
        """Path number -> indices of its header cells, outermost first; many paths at the cost of one search."""
        numbers = list(paths)
        cells = [self.annotated.paths[p].cells for p in numbers]
        flat = np.array([row * _ROW_STRIDE + col for path in cells for row, col in path], np.int64)
        at = np.minimum(np.searchsorted(self._keys, flat), len(self._keys) - 1)
        found = np.where(self._keys[at] == flat, at, -1).tolist()
        ends = np.cumsum([len(path) for path in cells], dtype=np.int64).tolist()
        return {
            p: tuple(i for i in found[start:end] if i >= 0)
            for p, start, end in zip(numbers, [0, *ends], ends, strict=False)
        }

    def letter(self, col: int) -> str:
        """Excel's letters of a zero-based column."""
        return str(get_column_letter(col + 1))

    def ref(self, row: int, col: int) -> str:
        """A1 reference of a zero-based place."""
        return f"{get_column_letter(col + 1)}{row + 1}"

    def range(self, indices: Sequence[int]) -> str | None:
        """The smallest A1 range around some filled cells."""
        if not len(indices):
            return None
        rows, cols = self.sheet.row[list(indices)], self.sheet.col[list(indices)]
        return Region(int(rows.min()), int(cols.min()), int(rows.max()) + 1, int(cols.max()) + 1).a1

    def row_range(self, row: int, indices: Sequence[int]) -> str | None:
        """The A1 range, within a zero-based row, of the filled cells among `indices` that lie in it."""
        sheet, part = self.sheet, self.part(indices)
        if isinstance(part, slice) and sheet.row[part.start] == row == sheet.row[part.stop - 1]:
            low, high = sheet.col[part.start], sheet.col[part.stop - 1]
        else:
            cols = sheet.col[part][sheet.row[part] == row]
            if not len(cols):
                return self.range(indices)
            low, high = cols.min(), cols.max()
        first, last = self._letters[low], self._letters[high]
        return f"{first}{row + 1}" if first == last else f"{first}{row + 1}:{last}{row + 1}"

    def plain(self, i: int) -> str:
        """The display text of a cell on one line."""
        return one_line(str(self.sheet.text[i]))

    def shown(self, i: int) -> str:
        """What a cell says in running text: its display text on one line, with its link and note."""
        return self.plain(i) + self._extras.get(i, "")

    def has_extra(self, i: int) -> bool:
        """Whether a cell carries a note or a web link that is said with it."""
        return i in self._extras

    def role(self, i: int) -> str:
        """The role label of a cell."""
        return ROLE_LABELS[int(self.annotated.roles[i])]

    def shown_all(self, indices: Sequence[int]) -> list[str]:
        """`shown` of many cells."""
        return [self.shown(i) for i in indices] if self._extras else self.plain_all(indices)

    def plain_all(self, indices: Sequence[int]) -> list[str]:
        """`plain` of many cells."""
        texts: list[str] = self.sheet.text[self.part(indices)].tolist()
        all_of_them = "\x1f".join(texts)  # one look at all texts is cheaper than one at each
        if _UNTIDY.search(all_of_them):
            return [one_line(text) for text in texts]
        return texts

    def cite(self, indices: Sequence[int], owner: bool = True) -> list[CitedCell]:
        """Citations with the header paths of the annotation."""
        part, entries = self.part(indices), self._entries
        columns = map(entries.__getitem__, self.annotated.col_path[part].tolist())
        rows = map(entries.__getitem__, self.annotated.row_path[part].tolist())
        return [
            CitedCell(ref, text, value, role, owner, *column, *row)
            for (ref, text, value, role), column, row in zip(self._shared(part), columns, rows, strict=True)
        ]

    def cite_under(self, indices: Sequence[int], heads: Mapping[int, int], owner: bool = True) -> list[CitedCell]:
        """Citations of a baseline: the only header of a cell is `heads[column]` (an index), if that is another cell."""
        part, text, ref = self.part(indices), self.sheet.text, self.sheet.ref
        entries = {col: ((text[i],), (ref(i),)) for col, i in heads.items()}
        own, nothing = set(heads.values()), ((), ())
        return [
            CitedCell(*cell[:4], owner, *(nothing if i in own else entries.get(col, nothing)))
            for i, col, cell in zip(indices, self.sheet.col[part].tolist(), self._shared(part), strict=True)
        ]

    def _shared(self, part: slice | list[int]) -> Iterator[tuple[str, str, object, str]]:
        """Reference, text, value and role label of cells."""
        sheet, letters = self.sheet, self._letters
        rows, cols = sheet.row[part].tolist(), sheet.col[part].tolist()
        return zip(
            [f"{letters[col]}{row + 1}" for row, col in zip(rows, cols, strict=True)],
            sheet.text[part].tolist(),
            sheet.value[part].tolist(),
            [ROLE_LABELS[role] for role in self.annotated.roles[part].tolist()],
            strict=True,
        )

    @staticmethod
    def part(indices: Sequence[int]) -> slice | list[int]:
        """A slice where the indices are consecutive (a row mostly is), which numpy reads ten times faster."""
        count = len(indices)
        if (
            count
            and indices[-1] - indices[0] == count - 1
            and (count < 3 or indices == [*range(indices[0], indices[0] + count)])
        ):
            return slice(indices[0], indices[0] + count)
        return list(indices)


class _PathEntries(dict[int, tuple[tuple[str, ...], tuple[str, ...]]]):
    """Path number -> (labels, A1 references), filled on first use; emptied when large, as row paths rarely return."""

    MOST = 4096

    def __init__(self, paths: Sequence[HeaderPath]) -> None:
        super().__init__()
        self._paths = paths

    def __missing__(self, p: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if len(self) >= self.MOST:
            self.clear()
        path = self._paths[p]
        entry = self[p] = (path.labels, tuple(a1(row, col) for row, col in path.cells))
        return entry


def one_line(text: str) -> str:
    """A text without line breaks and runs of white space.

    >>> one_line("Total\\n credit")
    'Total credit'
    """
    return " ".join(text.split()) if _UNTIDY.search(text) else text


def bare(label: str) -> str:
    """A label without the colon at its end, where a colon or a mark follows.

    >>> bare("Department：")
    'Department'
    """
    return label.rstrip(" :：")


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
