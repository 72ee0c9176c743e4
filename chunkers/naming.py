"""Paths of a table's cells -> what its records call their rows and their values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from cellroles.sheet import ROW_HEADERS, Kind, Role
from chunkers.budget import Piece
from chunkers.layout import Field
from chunkers.records import Record, Run, TableCells, distinct, stub_names
from chunkers.view import View, bare, collapse

PATH_REPEATS = 3  # in `context`, beside what `text` says: four in all (train/LOG.md)
MAX_COLUMN_NAMES = 1024
NO_DATA = frozenset({"-", "–", "—", ".", "..", "...", "…", ":", "*", "x", "n/a", "N/A", "NA", "n.a."})
"""What stands for a missing number, so that it is set like one."""


def piece_cells(piece: Piece) -> dict[int, None]:
    """The cells that a piece shows or owns, in its order."""
    return dict.fromkeys(i for item in piece.items for i in (*item.cells, *item.owned))


def column_names(view: View, piece: Piece) -> list[str]:
    """The column paths of a piece's values in full."""
    if not view.repeat_headers:
        return []
    cells = np.array(list(piece_cells(piece)), np.int32)
    paths = distinct(view.annotated.col_path[cells[view.is_field[cells]]]).tolist()
    return [" > ".join(collapse(view.annotated.paths[p].labels)) for p in paths]


def group_repeats(view: View, piece: Piece, title: str | None, columns: Iterable[str]) -> str:
    """What `context` says more often of a chunk of many records: the row labels that it owns, title and columns.

    A long chunk says each of them about once, which an index of words counts for less than in a short one.
    """
    owned = np.array([i for item in piece.items for i in item.owned], np.int32)
    labels = owned[np.isin(view.annotated.roles[owned], ROW_HEADERS)].tolist()
    lines = ("; ".join(view.plain_all(labels)), title, "; ".join(dict.fromkeys(filter(None, columns))))
    return "".join(f"\n{line}" for line in lines if line) * PATH_REPEATS


class Naming:
    """The names in the records of one table; `code` gives equal numbers to filled cells that are named alike."""

    def __init__(self, view: View, cells: TableCells) -> None:
        self.view = view
        self._stubs = stub_names(view, cells)
        self._stub_paths: dict[int, str] = {}
        self._column_names: dict[bytes, str] = {}
        self._col = view.sheet.col
        annotated, sheet = view.annotated, view.sheet
        total = annotated.roles == Role.AGGREGATION
        self.totals_are_rows = bool(total[cells.data].mean() < 0.5) if len(cells.data) else False
        number = np.isin(sheet.kind, (Kind.NUMBER, Kind.DATE))
        texts = np.flatnonzero(sheet.kind == Kind.TEXT)
        number[texts] = [text in NO_DATA for text in sheet.text[texts].tolist()]
        named = np.where(annotated.col_path > 0, annotated.col_path, -1 - sheet.col).astype(np.int64)
        self.code = named * 4 + total * 2 + number

    def field(self, code: int) -> Field:
        """How the values of one code are named: by their column path, else a number by the letters of its column."""
        name, flags = code >> 2, code & 3
        number = bool(flags & 1)
        labels: tuple[str, ...]
        if not self.view.repeat_headers:
            labels = ()
        elif name > 0:
            labels = collapse(self.view.annotated.paths[name].labels)
        else:
            labels = (f"Column {self.view.letter(-1 - name)}",) if number else ()
        return Field(labels, bool(flags & 2), number)

    def row_line(self, labels: Sequence[int], total: bool) -> str:
        """`Clearing: Cleared > Product: CDX IG`; the name of a stub column stands before its innermost label."""
        cols = [int(self._col[i]) for i in labels]
        last = dict(zip(cols, labels, strict=True))
        parts: list[str] = []
        previous = None
        for i, col in zip(labels, cols, strict=True):
            label = self.view.shown(i)
            if not label or label == previous:
                continue
            previous = label
            name = self._stub(i, col) if last[col] == i else ""
            parts.append(f"{name}: {label}" if name and name != label else label)
        line = " > ".join(parts)
        return f"{bare(line)} (total)" if line and total else line

    def _stub(self, i: int, col: int) -> str:
        if not self.view.repeat_headers:
            return ""
        p = int(self.view.annotated.col_path[i])
        if p not in self._stub_paths:
            self._stub_paths[p] = bare(" / ".join(collapse(self.view.annotated.paths[p].labels)))
        return self._stub_paths[p] or self._stubs.get(col, "")

    def asides(self, record: Record) -> dict[int, str]:
        """Row headers of no value and remarks that stand in the row, each with its line."""
        lines = {i: self.row_line((i,), False) for i in record.others}
        return lines | {i: f"Note: {self.view.shown(i)}" for i in record.remarks}

    def repeats(self, runs: Sequence[Run], title: str | None) -> str:
        """What `context` says once more after the text: row paths, title, and the column paths in full.

        The text says what columns share once; the index counts a label for each value that it governs.
        """
        spoken = "; ".join(" > ".join(collapse(self.view.plain_all(run.labels))) for run in runs if run.labels)
        lines = [*[spoken] * PATH_REPEATS, title, *(self._columns(run.values) for run in runs)]
        return "".join(f"\n{line}" for line in lines if line)

    def _columns(self, values: Sequence[int]) -> str:
        """The column paths of some values; the names of one set of columns are joined once."""
        key = self.code[self.view.part(values)].tobytes()
        if key not in self._column_names:
            if len(self._column_names) >= MAX_COLUMN_NAMES:
                self._column_names.clear()
            codes = np.frombuffer(key, np.int64).tolist()
            self._column_names[key] = "; ".join(filter(None, (" > ".join(self.field(code).labels) for code in codes)))
        return self._column_names[key]

    def row_path(self, runs: Sequence[Run]) -> tuple[str, ...]:
        """The labels of the first run as the sheet shows them, outermost first."""
        return tuple(self.view.sheet.text[i] for i in runs[0].labels) if runs else ()
