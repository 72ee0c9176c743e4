"""Runs of row headers -> the row path of every cell of a table."""

from __future__ import annotations

import numpy as np

from cellroles.headers.blocks import Block
from cellroles.headers.pool import Labels, PathPool
from cellroles.headers.runs import NO_RUN, Runs, label_spans, row_runs
from cellroles.headers.stack import Label, Outer, enter
from cellroles.headers.view import TableView
from cellroles.sheet import Bools, Ints


def row_paths(view: TableView, blocks: tuple[Block, ...], pool: PathPool) -> Ints:
    """Path numbers (k,) of the table's cells; a row header has the rest of its run and its parents."""
    if not view.row_depth.any():
        return np.zeros(len(view), np.int32)
    tops = np.array([block.top for block in blocks], np.int32)
    body = np.searchsorted(tops, view.row, side="right").astype(np.int32)
    top, bottom = label_spans(view, body)
    runs = row_runs(view, top, bottom)
    scan = _Scan(view, runs, bottom - top > 1, blocks, pool)
    scan.read()
    path = np.array(scan.run_path, np.int32)[runs.run_of]
    bare = np.flatnonzero((runs.run_of == NO_RUN) & (view.data | view.remark))
    path[bare] = np.array(scan.carried, np.int32)[np.searchsorted(runs.row, view.row[bare]) - 1]
    path[runs.label[runs.own]] = np.array(scan.label_path, np.int32)[runs.own]
    return path


class _Scan:
    """One pass over the rows that hold labels, from the top, with the outer labels in force.

    The results are path numbers: `run_path` per run, `label_path` per label, `carried` per run for the values of
    later rows without a label. `run_path` and `carried` end with an entry 0 for cells before any run.
    """

    def __init__(self, view: TableView, runs: Runs, spans: Bools, blocks: tuple[Block, ...], pool: PathPool) -> None:
        at = runs.label
        header_rows = np.concatenate([np.zeros(0, np.int32), *(block.rows for block in blocks)])
        fields = (view.index, view.col, view.row_depth, view.indent, spans, np.isin(view.row, header_rows))
        self._fields = (*(field[at].tolist() for field in fields), runs.own.tolist())
        self._start, self._pool = runs.start.tolist(), pool
        self._first = np.flatnonzero(np.diff(runs.row, prepend=-1, append=-1)).tolist()
        self._plain_until = _plain_stretches(view, runs)
        self._stack: list[Outer] = []
        self._parents: Labels = ()
        self._parents_number = 0
        self.run_path = [0] * (len(runs.row) + 1)
        self.label_path = [0] * len(at)
        self.carried = [0] * (len(runs.row) + 1)

    def read(self) -> None:
        """Read all rows; stretches of plain rows without parents at once."""
        i, rows = 0, len(self._first) - 1
        while i < rows:
            end = self._plain_until[i] if not self._stack else i
            if end > i:
                self._read_plain(self._first[i], self._first[end])
                i = end
            else:
                self._read_row(self._first[i], self._first[i + 1])
                i += 1

    def _read_plain(self, first: int, last: int) -> None:
        """Read runs [first, last), one a row, each of equally many innermost labels."""
        start, end = self._start[first], self._start[last]
        count = (end - start) // (last - first)
        labels = [self._fields[0][start + place : end : count] for place in range(count)]
        self.run_path[first:last] = self._pool.extend(zip(*labels, strict=True))
        for place in range(count if count > 1 else 0):
            others = labels[:place] + labels[place + 1 :]
            self.label_path[start + place : end : count] = self._pool.extend(zip(*others, strict=True))

    def _read_row(self, first: int, last: int) -> None:
        """Read runs [first, last), which share a row."""
        start, end = self._start[first], self._start[last]
        in_row = [Label(*[field[i] for field in self._fields]) for i in range(start, end)]
        if self._stack:
            self._set_stack(enter(self._stack, [label for label in in_row if label.own]))
        for run in range(first, last):
            low, high = self._start[run], self._start[run + 1]
            self._read_run(run, in_row[low - start : high - start])
        outer = [label for label in in_row if label.depth > 1 and label.own and not label.spans]
        if outer:
            self._set_stack(self._stack + [Outer(label, _is_beside(label, in_row)) for label in outer])
        self.carried[first:last] = [self._parents_number] * (last - first)

    def _read_run(self, run: int, labels: list[Label]) -> None:
        self.run_path[run] = self._number(labels)
        for i, label in enumerate(labels, self._start[run]):
            self.label_path[i] = self._number([other for other in labels if other is not label])

    def _set_stack(self, stack: list[Outer]) -> None:
        if stack != self._stack:
            self._stack = stack
            self._parents = _ordered([outer.label for outer in stack])
            self._parents_number = self._pool.number(self._parents)

    def _number(self, labels: list[Label]) -> int:
        if not labels:
            return self._parents_number
        if len(labels) == 1 and labels[0].depth == 1:
            return self._pool.number((*self._parents, labels[0].cell))
        return self._pool.number(_ordered([outer.label for outer in self._stack] + labels))


def _ordered(labels: list[Label]) -> Labels:
    """Outermost first: depth descending, then row, then column."""
    return tuple([label.cell for label in sorted(labels, key=lambda label: (-label.depth, label.cell))])


def _is_beside(label: Label, in_row: list[Label]) -> bool:
    """Whether an inner label stands on its right: a side stub."""
    return any(other.depth < label.depth and other.col > label.col for other in in_row)


def _plain_stretches(view: TableView, runs: Runs) -> list[int]:
    """Per row of runs the end of the stretch of plain rows that it begins or continues: of one run of innermost labels
    each, equally many in all."""
    first = np.flatnonzero(np.diff(runs.row, prepend=-1, append=-1))
    start = runs.start[first]
    inner = runs.own & (view.row_depth[runs.label] == 1)
    plain = (np.diff(first) == 1) & (np.diff(np.append(0, np.cumsum(inner))[start]) == np.diff(start))
    size = np.where(plain, np.diff(start), -np.arange(1, len(plain) + 1))
    ends = np.append(np.flatnonzero(np.diff(size) != 0) + 1, len(size))
    until = ends[np.searchsorted(ends, np.arange(len(size)), side="right")] if len(size) else ends[:0]
    result: list[int] = np.where(plain, until, np.arange(len(plain))).tolist()
    return result
