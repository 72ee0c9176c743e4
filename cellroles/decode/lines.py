"""Roles -> roles that agree along header rows and stub columns."""

from __future__ import annotations

import numpy as np

from cellroles.decode.evidence import COLUMN, DATA, KIND_OF_ROLE, ROW, Evidence, by_kind, group_prior, numbered
from cellroles.decode.neighbours import NONE, Neighbours
from cellroles.headers.view import merge_ends
from cellroles.sheet import Bytes, Floats, Ints, Role, Sheet

MIN_ROW_VOTES = 3  # other cells of the row
MIN_COLUMN_VOTES = 4  # other body cells of the column


def agree_in_rows(sheet: Sheet, roles: Bytes, evidence: Evidence, component: Ints, near: Neighbours) -> Bytes:
    """Data in a row of column headers becomes one of them; a column header in a row of data, with data above, data."""
    kind = KIND_OF_ROLE[roles]
    pair = [DATA, COLUMN]
    member = np.isin(kind, pair)
    prior, votes = group_prior(by_kind(evidence.vote)[:, pair], numbered(component, sheet.row), member)
    score = by_kind(evidence.own)[:, pair] * prior
    header = member & (votes >= MIN_ROW_VOTES) & (score[:, 1] > score[:, 0])
    data = member & (votes >= MIN_ROW_VOTES) & (score[:, 1] < score[:, 0])
    under_data = (near.above != NONE) & (kind[near.above] == DATA)
    result = _become(roles, header & (kind == DATA), evidence.own, Role.COL_HEADER_1, 3)
    return _become(result, data & (kind == COLUMN) & under_data, evidence.own, Role.VALUE, 2)


def agree_in_columns(sheet: Sheet, roles: Bytes, evidence: Evidence, component: Ints) -> Bytes:
    """Data in a column of row headers becomes one of them (header rows do not vote)."""
    kind = KIND_OF_ROLE[roles]
    pair = [DATA, ROW]
    member = np.isin(kind, pair)
    prior, votes = group_prior(by_kind(evidence.vote)[:, pair], numbered(component, sheet.col), member)
    score = by_kind(evidence.own)[:, pair] * prior
    stray = (kind == DATA) & (votes >= MIN_COLUMN_VOTES) & (score[:, 1] > score[:, 0])
    return _become(roles, stray, evidence.own, Role.ROW_HEADER_1, 3)


def agree_on_depth_in_rows(sheet: Sheet, roles: Bytes, evidence: Evidence, component: Ints) -> Bytes:
    """Column headers of one row, alike in how they are merged, share their depth."""
    kind = KIND_OF_ROLE[roles]
    levels = slice(int(Role.COL_HEADER_1), int(Role.COL_HEADER_3) + 1)
    shape = merge_shape(sheet)
    group = numbered(component, sheet.row, shape)
    prior, votes = group_prior(evidence.vote[:, levels], group, kind == COLUMN)
    depth = (evidence.own[:, levels] * prior).argmax(axis=1)
    agreed = (kind == COLUMN) & (votes >= 2)
    return np.where(agreed, int(Role.COL_HEADER_1) + depth, roles).astype(np.uint8)


def merge_shape(sheet: Sheet) -> Ints:
    """0: not merged, 1: across columns, 2: across rows, 3: both."""
    bottom, right = merge_ends(sheet)
    return ((right > sheet.col + 1) + 2 * (bottom > sheet.row + 1)).astype(np.int32)


def _become(roles: Bytes, where: np.ndarray, own: Floats, first: Role, size: int) -> Bytes:
    """Replace roles by the most likely of the `size` roles from `first`."""
    best = int(first) + own[:, int(first) : int(first) + size].argmax(axis=1)
    return np.where(where, best, roles).astype(np.uint8)
