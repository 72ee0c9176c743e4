"""Runs of row headers -> the row path of every cell of a table."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from cellroles.headers.blocks import Block
from cellroles.headers.pool import PathPool
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
    edges = np.flatnonzero(np.diff(runs.row, prepend=-1, append=-1)).tolist()
    for first, last in pairwise(edges):
        scan.row_of_runs(first, last)
    return scan.paths()


class _Scan:
    """One pass over the rows that hold labels, from the top, with the outer labels in force."""

    def __init__(self, view: TableView, runs: Runs, spans: Bools, blocks: tuple[Block, ...], pool: PathPool) -> None:
        self._view, self._runs, self._pool = view, runs, pool
        self._header_rows = {int(row) for block in blocks for row in block.rows}
        self._index, self._col = view.index.tolist(), view.col.tolist()
        self._depth, self._indent, self._spans = view.row_depth.tolist(), view.indent.tolist(), spans.tolist()
        self._start, self._label, self._own = runs.start.tolist(), runs.label.tolist(), runs.own.tolist()
        self._run_row = runs.row.tolist()
        self._stack: list[Outer] = []
        self._run_path = [0] * (len(runs.row) + 1)  # the last entry is for cells without a run
        self._label_path = [0] * len(runs.label)
        self._carried = [0] * (len(runs.row) + 1)

    def row_of_runs(self, first: int, last: int) -> None:
        """Read runs [first, last), which share a row."""
        row, start, end = self._run_row[first], self._start[first], self._start[last]
        own = [p for p, is_own in zip(self._label[start:end], self._own[start:end], strict=True) if is_own]
        if self._stack:
            self._stack = enter(self._stack, [self._as_label(p) for p in own])
        parents = [outer.position for outer in self._stack]
        for run in range(first, last):
            self._read_run(run, parents)
        for p in own:
            if self._depth[p] >= 2 and not self._spans[p]:
                self._push(p, row, self._label[start:end])
        carried = self._number([outer.position for outer in self._stack]) if self._stack else 0
        self._carried[first:last] = [carried] * (last - first)

    def _read_run(self, run: int, parents: list[int]) -> None:
        start, end = self._start[run], self._start[run + 1]
        labels = self._label[start:end]
        self._run_path[run] = self._number(parents + labels)
        for i, label in enumerate(labels):
            self._label_path[start + i] = self._number(parents + [p for p in labels if p != label])

    def _push(self, p: int, row: int, in_row: list[int]) -> None:
        depth, col = self._depth[p], self._col[p]
        beside = any(self._depth[q] < depth and self._col[q] > col for q in in_row)
        self._stack.append(Outer(p, col, depth, self._indent[p], beside, row in self._header_rows))

    def _as_label(self, p: int) -> Label:
        return Label(self._col[p], self._depth[p], self._indent[p])

    def _number(self, positions: list[int]) -> int:
        if len(positions) > 1:
            depth = self._depth
            positions = sorted(positions, key=lambda p: (-depth[p], p))
        return self._pool.number(tuple([self._index[p] for p in positions]))

    def paths(self) -> Ints:
        """Path numbers of all cells; values of a row without labels keep the outer labels in force."""
        view, runs = self._view, self._runs
        path = np.array(self._run_path, np.int32)[runs.run_of]
        bare = np.flatnonzero((runs.run_of == NO_RUN) & view.data)
        above = np.searchsorted(runs.row, view.row[bare]) - 1
        path[bare] = np.array(self._carried, np.int32)[above]
        path[runs.label[runs.own]] = np.array(self._label_path, np.int32)[runs.own]
        return path
