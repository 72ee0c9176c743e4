"""Roles -> roles that agree along header rows and stub columns."""

from __future__ import annotations

import numpy as np

from cellroles.decode.evidence import COLUMN, DATA, KIND_OF_ROLE, ROW, Evidence, by_kind, group_prior, numbered
from cellroles.decode.grid import Grid
from cellroles.headers.view import merge_ends
from cellroles.sheet import Bools, Bytes, Floats, Ints, Role, Sheet

LINE_WEIGHT = 2.0  # exponent of a line's vote, since a line holds one kind by rule: three of four outvote the fourth
MIN_ROW_VOTES = 2  # other cells of the row
MIN_COLUMN_VOTES = 3  # other body cells of the column
MIN_LOOK_VOTES = 2  # other headers of the same look


def agree_in_rows(roles: Bytes, evidence: Evidence, grid: Grid) -> Bytes:
    """Data in a row of column headers becomes one of them; a column header in a row of data, under data, data."""
    kind = KIND_OF_ROLE[roles]
    lead, votes = _lead(evidence, grid.row, kind, COLUMN)
    enough = votes >= MIN_ROW_VOTES
    under_data = np.append(kind == DATA, False)[grid.above]
    result = _become(roles, enough & (kind == DATA) & (lead > 1), evidence.own, Role.COL_HEADER_1, 3)
    stray = enough & (kind == COLUMN) & (lead < 1) & under_data
    return _become(result, stray, evidence.own, Role.VALUE, 2)


def agree_in_columns(roles: Bytes, evidence: Evidence, grid: Grid) -> Bytes:
    """Data in a column of row headers becomes one of them, a row header in a column of data becomes data.

    Column headers do not vote.
    """
    kind = KIND_OF_ROLE[roles]
    lead, votes = _lead(evidence, grid.column, kind, ROW)
    enough = votes >= MIN_COLUMN_VOTES
    result = _become(roles, enough & (kind == DATA) & (lead > 1), evidence.own, Role.ROW_HEADER_1, 3)
    return _become(result, enough & (kind == ROW) & (lead < 1), evidence.own, Role.VALUE, 2)


def agree_on_depth_in_rows(sheet: Sheet, roles: Bytes, evidence: Evidence, grid: Grid) -> Bytes:
    """Column headers of one row, alike in how they are merged, share their depth."""
    at = np.flatnonzero(KIND_OF_ROLE[roles] == COLUMN)
    levels = slice(int(Role.COL_HEADER_1), int(Role.COL_HEADER_3) + 1)
    group = numbered(grid.row[at], merge_shape(sheet)[at])
    prior, votes = group_prior(evidence.vote[at, levels], group)
    prior[votes < MIN_LOOK_VOTES] = 1
    result = roles.copy()
    result[at] = int(Role.COL_HEADER_1) + (evidence.own[at, levels] * prior).argmax(axis=1)
    return result


def merge_shape(sheet: Sheet) -> Ints:
    """0: not merged, 1: across columns, 2: across rows, 3: both."""
    bottom, right = merge_ends(sheet)
    return ((right > sheet.col + 1) + 2 * (bottom > sheet.row + 1)).astype(np.int32)


def _lead(evidence: Evidence, line: Ints, kind: Ints, header: int) -> tuple[Floats, Ints]:
    """Odds (n,) of a kind of header against data by the cell and its line, and how many others voted; 1 and 0 for cells
    of other kinds."""
    at = np.flatnonzero((kind == DATA) | (kind == header))
    pair = [DATA, header]
    prior, voters = group_prior(by_kind(evidence.vote)[at][:, pair], line[at])
    score = by_kind(evidence.own)[at][:, pair] * prior**LINE_WEIGHT
    lead, votes = np.ones(len(kind), np.float32), np.zeros(len(kind), np.int32)
    lead[at], votes[at] = score[:, 1] / score[:, 0], voters
    return lead, votes


def _become(roles: Bytes, where: Bools, own: Floats, first: Role, size: int) -> Bytes:
    """Replace roles by the most likely of the `size` roles from `first`."""
    result, at = roles.copy(), np.flatnonzero(where)
    result[at] = int(first) + own[at, int(first) : int(first) + size].argmax(axis=1)
    return result
