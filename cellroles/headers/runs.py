"""Row headers of a table -> runs: neighbouring labels of one row that identify the values beside them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cellroles.headers.view import TableView
from cellroles.sheet import Bools, Ints

NO_RUN = -1


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Runs in reading order: `row` (runs,); run i holds the labels `label[start[i]:start[i + 1]]`.

    `label` are positions in the view and `own` says whether the label stands in that very row (a label that spans rows
    is repeated in each of them). `run_of` (k,) is the run of every cell of the view, NO_RUN if its row has none.
    """

    row: Ints
    start: Ints
    label: Ints
    own: Bools
    run_of: Ints


def row_runs(view: TableView, span_top: Ints, span_bottom: Ints) -> Runs:
    """The runs of a table whose cells' labels reach over rows [span_top, span_bottom).

    A value belongs to the nearest run on its left (several key-value pairs in a row: one each, where one may be left
    blank), else on its right.
    """
    row, at, own = _marks(view, span_top, span_bottom)
    is_label = view.row_depth[at] > 0
    begins = is_label.copy()
    begins[1:] &= (row[1:] != row[:-1]) | ~is_label[:-1] | _left_blank(view, at)
    run_row = row[begins]
    start = np.append((np.cumsum(is_label) - 1)[begins], is_label.sum()).astype(np.int32)
    assigned = _nearest_run(np.cumsum(begins, dtype=np.int32) - 1, row, run_row)
    run_of = np.full(len(view), NO_RUN, np.int32)
    run_of[at[own]] = assigned[own]
    return Runs(run_row, start, at[is_label], own[is_label], run_of)


def _left_blank(view: TableView, at: Ints) -> Bools:
    """Whether a column of values lies, blank here, between a mark and the one before it, which is no outer label of it;
    shape (len(at) - 1,)."""
    filled = np.zeros(int(view.col.max(initial=0)) + 2, np.int32)
    filled[view.col[view.data] + 1] = 1
    before = np.cumsum(filled)  # columns of values left of each column
    column, depth = view.col[at], view.row_depth[at]
    return np.asarray((before[column[1:]] > before[column[:-1] + 1]) & (depth[1:] >= depth[:-1]))


def _marks(view: TableView, span_top: Ints, span_bottom: Ints) -> tuple[Ints, Ints, Bools]:
    """Values and labels in reading order, a label in every row that it spans: row, position, if it is its own row."""
    at = np.flatnonzero((view.row_depth > 0) | view.data | view.remark).astype(np.int32)
    header = at[view.row_depth[at] > 0]
    far_row, far = _repeat_over_span(view, header[(span_bottom - span_top)[header] > 1], span_top, span_bottom)
    row, own = view.row[at], np.ones(len(at), bool)
    if not len(far):
        return row, at, own
    row, at, own = np.append(row, far_row), np.append(at, far), np.append(own, np.zeros(len(far), bool))
    order = np.lexsort((view.col[at], row))
    return row[order], at[order], own[order]


def _nearest_run(number: Ints, row: Ints, run_row: Ints) -> Ints:
    """Per mark the last run begun in its row (`number` counts all runs begun so far), else the next in its row."""
    if not len(run_row):
        return np.full(len(number), NO_RUN, np.int32)
    left = (number >= 0) & (run_row[number] == row)
    following = np.minimum(number + 1, len(run_row) - 1)
    right = run_row[following] == row
    return np.where(left, number, np.where(right, following, NO_RUN)).astype(np.int32)


def _repeat_over_span(view: TableView, header: Ints, top: Ints, bottom: Ints) -> tuple[Ints, Ints]:
    """(row, label) for every other row of the table that a row header spans."""
    rows = np.unique(view.row)
    first, last = np.searchsorted(rows, top[header]), np.searchsorted(rows, bottom[header])
    count = last - first
    label = np.repeat(header, count)
    within = np.arange(len(label)) - np.repeat(np.cumsum(count) - count, count)
    row = rows[np.repeat(first, count) + within]
    far = row != view.row[label]
    return row[far], label[far]


def label_spans(view: TableView, body: Ints) -> tuple[Ints, Ints]:
    """Rows [top, bottom) that each label reaches over by its merge, or as the centre of an outer stub's stretch.

    `body` (k,) numbers the stretches between header blocks.
    """
    top, bottom = view.row.copy(), view.bottom.copy()
    outer = np.flatnonzero((view.row_depth >= 2) & (view.bottom == view.row + 1)).astype(np.int32)
    if not len(outer):
        return top, bottom
    side = outer[_has_inner_on_right(view, outer)]
    stretch = np.stack((body[side], view.col[side]))
    for part, col in np.unique(stretch, axis=1).T.tolist():
        labels = outer[(body[outer] == part) & (view.col[outer] == col)]
        inner = (view.row_depth > 0) & (view.row_depth < view.row_depth[labels].max()) & (body == part)
        _centre(view, labels, np.unique(view.row[inner & (view.col > col)]), np.isin(labels, side), top, bottom)
    return top, bottom


def _has_inner_on_right(view: TableView, at: Ints) -> Bools:
    """Whether the next row header of the same row is there and of a smaller depth."""
    header = np.flatnonzero(view.row_depth > 0)
    following = np.searchsorted(header, at, side="right")
    found = following < len(header)
    after = header[np.minimum(following, len(header) - 1)]
    inner: Bools = found & (view.row[after] == view.row[at]) & (view.row_depth[after] < view.row_depth[at])
    return inner


def _centre(view: TableView, labels: Ints, records: Ints, side: Bools, top: Ints, bottom: Ints) -> None:
    """Spread labels that stand beside the middle of their records: each record row takes the nearest label."""
    rows = view.row[labels]
    lead = int((records < rows[0]).sum())
    tail = int((records > rows[-1]).sum())
    if not side.all() or lead == 0 or abs(lead - tail) > 1:
        return
    between = (rows[:-1] + rows[1:] + 1) // 2
    top[labels] = np.concatenate((records[:1], between))
    bottom[labels] = np.concatenate((between, records[-1:] + 1))
