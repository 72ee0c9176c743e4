"""Cells of a table -> its records: which values and labels each row shows, and which it owns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np

from cellroles.sheet import COLUMN_HEADERS, ROW_HEADERS, Bools, Ints, Role
from chunkers.view import View, bare

REMARKS = (Role.METADATA, Role.COMMENT)


class Run(NamedTuple):
    """Values of one row that share their row labels (both are indices of filled cells)."""

    labels: tuple[int, ...]
    values: list[int]


class Record(NamedTuple):
    """One row of a table.

    `copies` are values merged into this row from above; `owned_labels` the row headers that this record owns: its own
    and those of the group rows above that it is the first to follow; `others` its row headers outside every run;
    `remarks` the notes that stand in the row and are owned by the notes chunk.
    """

    row: int
    runs: list[Run]
    copies: frozenset[int]
    owned_labels: list[int]
    others: list[int]
    remarks: list[int]


@dataclass(frozen=True, slots=True)
class TableCells:
    """The filled cells of one table by what they are (arrays of indices in reading order)."""

    data: Ints
    labels: Ints
    columns: Ints
    titles: Ints
    remarks: Ints


def table_cells(view: View, cells: Ints) -> TableCells:
    """Sort a table's cells by role; junk is in none of the groups."""
    roles, field = view.annotated.roles[cells], view.is_field[cells]

    def of(*wanted: Role) -> Ints:
        return cells[np.isin(roles, wanted) & ~field]

    return TableCells(cells[field], of(*ROW_HEADERS), of(*COLUMN_HEADERS), of(Role.HEADER), of(*REMARKS))


class Records:
    """The records of a table and the row headers that head none of them (`leftover`)."""

    def __init__(self, view: View, cells: TableCells) -> None:
        self.view, self.cells = view, cells
        self._row = view.sheet.row
        self._copies = _copies(view, cells)
        self.rows: Ints = distinct(np.concatenate((self._row[cells.data], np.array([*self._copies], np.int32))))
        self._owned, self.leftover = self._label_owners()
        used = distinct(view.annotated.row_path[np.concatenate((cells.data, cells.labels))])
        self._path_cells = view.path_cells(used.tolist())

    @property
    def has_copies(self) -> bool:
        """Whether a value is merged over several rows."""
        return bool(self._copies)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Record]:
        data, labels, remarks = self.cells.data, self.cells.labels, self.cells.remarks
        spans = [self._spans(part) for part in (data, labels, remarks)]
        paths = self.view.annotated.row_path[data]
        for row, (lo, hi), (label_lo, label_hi), (remark_lo, remark_hi) in zip(self.rows.tolist(), *spans, strict=True):
            own = labels[label_lo:label_hi].tolist()
            runs = self._runs(data[lo:hi].tolist(), paths[lo:hi].tolist())
            copies = self._copies.get(row, ())
            if copies:
                runs = self._with_copies(runs, copies, own)
            told = {i for run in runs for i in run.labels} if own else ()
            yield Record(
                row,
                runs,
                frozenset(copies),
                self._owned.get(row, []),
                [i for i in own if i not in told],
                remarks[remark_lo:remark_hi].tolist(),
            )

    def _spans(self, part: Ints) -> list[tuple[int, int]]:
        rows = self._row[part]
        lo, hi = np.searchsorted(rows, self.rows), np.searchsorted(rows, self.rows, side="right")
        return list(zip(lo.tolist(), hi.tolist(), strict=True))

    def _runs(self, values: list[int], paths: list[int]) -> list[Run]:
        if paths and paths.count(paths[0]) == len(paths):
            return [Run(self._path_cells[paths[0]], values)]
        runs = groupby(zip(paths, values, strict=True), lambda pair: pair[0])
        return [Run(self._path_cells[p], [i for _, i in pairs]) for p, pairs in runs]

    def _with_copies(self, runs: list[Run], copies: Sequence[int], own: list[int]) -> list[Run]:
        """Add values merged into the row from above to the run that stands nearest to them (R13)."""
        col = self.view.sheet.col
        if not runs:
            parents = [self._path_cells[int(self.view.annotated.row_path[i])] for i in own]
            runs = [Run(tuple(dict.fromkeys((*(i for path in parents for i in path), *own))), [])]
        for copy in copies:
            gaps = [min((abs(int(col[i] - col[copy])) for i in run.values), default=0) for run in runs]
            nearest = runs[gaps.index(min(gaps))]
            nearest.values.append(copy)
            nearest.values.sort(key=lambda i: int(col[i]))
        return runs

    def _label_owners(self) -> tuple[dict[int, list[int]], list[int]]:
        """Row headers by the record row that owns them: their own row, else the first record that they head."""
        labels, row, col = self.cells.labels, self._row, self.view.sheet.col
        at_home = np.isin(row[labels], self.rows)
        orphans = {(int(row[i]), int(col[i])): int(i) for i in labels[~at_home]}
        owned: dict[int, list[int]] = {}
        for cell, owner in self._first_followers(orphans).items():
            owned.setdefault(owner, []).append(orphans.pop(cell))
        for i, owner in zip(labels[at_home].tolist(), row[labels[at_home]].tolist(), strict=True):
            owned.setdefault(owner, []).append(i)
        return owned, sorted(orphans.values())

    def _first_followers(self, orphans: dict[tuple[int, int], int]) -> dict[tuple[int, int], int]:
        """First record row whose row path holds the label at (row, col), for labels in rows without values."""
        found: dict[tuple[int, int], int] = {}
        if not orphans:
            return found
        used, first = np.unique(self.view.annotated.row_path[self.cells.data], return_index=True)
        rows = self._row[self.cells.data[first]].tolist()
        for p, row in sorted(zip(used.tolist(), rows, strict=True), key=lambda pair: pair[1]):
            for cell in self.view.annotated.paths[p].cells:
                if cell in orphans:
                    found.setdefault(cell, row)
        return dict(sorted(found.items()))


def _copies(view: View, cells: TableCells) -> dict[int, list[int]]:
    """Row -> values whose merged area reaches down into it, for rows that hold values or row headers."""
    sheet = view.sheet
    tall = sheet.merges[sheet.merges[:, 2] - sheet.merges[:, 0] > 1]
    if not len(tall):
        return {}
    data = set(cells.data.tolist())
    filled = np.unique(np.concatenate((sheet.row[cells.data], sheet.row[cells.labels])))
    copies: dict[int, list[int]] = {}
    for top, left, bottom, _ in tall.tolist():
        anchor = view.index(top, left)
        if anchor in data and anchor is not None:
            for row in filled[(filled > top) & (filled < bottom)].tolist():
                copies.setdefault(row, []).append(anchor)
    return copies


def distinct(numbers: Ints) -> Ints:
    """The distinct values of non-negative numbers, sorted: `np.unique` by counting, many times faster here."""
    return np.flatnonzero(np.bincount(numbers)).astype(np.int32)


def stub_names(view: View, cells: TableCells) -> dict[int, str]:
    """Column -> innermost column header over it, for row headers that come without a column path."""
    sheet = view.sheet
    depth_one: Bools = view.annotated.roles[cells.columns] == Role.COL_HEADER_1
    return {int(sheet.col[i]): bare(view.plain(int(i))) for i in cells.columns[depth_one][::-1]}
