"""Row headers of several stub columns -> depths that agree with how the columns nest.

A stub column left of another one holds outer labels (`North | Bern`), or names every record together with it
(`7 | Bern`); that is one question per column, not one per label, and repeats and blanks answer it too.
"""

from __future__ import annotations

import numpy as np

from cellroles.decode.evidence import DATA, KIND_OF_ROLE, ROW, Evidence
from cellroles.decode.grid import Grid
from cellroles.sheet import Bools, Bytes, Floats, Ints, Role, Sheet

VOICES = 6  # a column of more labels says no more than so many of them would: its labels err together
NEST_ODDS = 8.0  # odds of nesting where outer labels repeat or leave blanks, and against it where all differ
DEEPEST = 3
FLOOR = 0.02


def agree_in_stub_columns(sheet: Sheet, roles: Bytes, evidence: Evidence, grid: Grid) -> Bytes:
    """Labels beside an inner label share the depth of their column; a heading above such labels is one deeper."""
    label = KIND_OF_ROLE[roles] == ROW
    beside = label & np.append(label, False)[grid.right]
    if not beside.any():
        return roles
    own = np.maximum(evidence.own[:, Role.ROW_HEADER_1 : Role.ROW_HEADER_3 + 1], FLOOR)
    depth = _column_depths(sheet, label, beside, own, grid)
    result = roles.copy()
    result[beside] = Role.ROW_HEADER_1 + depth[grid.column[beside]] - 1
    heading = _headings(roles, label, beside & (depth[grid.column] > 1), grid)
    result[heading] = Role.ROW_HEADER_1 + np.minimum(depth[grid.column[heading]] + 1, DEEPEST) - 1
    return result


def _headings(roles: Bytes, label: Bools, outer: Bools, grid: Grid) -> Ints:
    """Labels with neither labels nor data in their row that have `outer` labels below them in their column, before the
    next of their kind."""
    heading = label & (np.bincount(grid.row, label | (KIND_OF_ROLE[roles] == DATA))[grid.row] == 1)
    at = np.flatnonzero(heading | outer)
    at = at[np.argsort(grid.column[at], kind="stable")]
    leads = heading[at[:-1]] & outer[at[1:]] & (grid.column[at[1:]] == grid.column[at[:-1]])
    return np.asarray(at[:-1][leads], np.int32)


def _column_depths(sheet: Sheet, label: Bools, beside: Bools, own: Floats, grid: Grid) -> Ints:
    """Depth of the labels that stand beside inner ones, per column of a component; 1 where there are none."""
    depth = np.ones(int(grid.column.max()) + 1, np.int32)
    size = np.bincount(grid.column, label, minlength=len(depth))
    at = np.flatnonzero(beside)
    at = at[np.argsort(-grid.column[at], kind="stable")]  # columns are numbered from left to right
    for part in np.split(at, np.flatnonzero(np.diff(grid.column[at])) + 1):
        columns, count = np.unique(grid.column[grid.right[part]], return_counts=True)
        inner_column = columns[count.argmax()]
        inner = depth[inner_column]
        shares = own[part] / own[part].sum(axis=1, keepdims=True)
        nested = (
            np.log(shares[:, inner:].sum(axis=1) / shares[:, inner - 1]) if inner < DEEPEST else np.zeros(len(part))
        )
        said = nested.sum() * min(1.0, VOICES / len(part))
        said += np.log(NEST_ODDS) * _nesting(sheet.text[part], int(size[inner_column]))
        depth[grid.column[part[0]]] = min(inner + (said > 0), DEEPEST)
    return depth


def _nesting(texts: np.ndarray[tuple[int], np.dtype[np.object_]], inner: int) -> int:
    """1 where labels repeat or are fewer than the `inner` ones, -1 where there is one of its own for each, else 0."""
    distinct = len(set(texts.tolist()))
    if distinct <= 0.6 * max(inner, len(texts)):
        return 1
    return -1 if distinct == len(texts) >= 0.9 * inner and distinct > 3 else 0
