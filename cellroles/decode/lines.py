"""Column headers -> depths that agree along their row."""

from __future__ import annotations

import numpy as np

from cellroles.decode.evidence import COLUMN, KIND_OF_ROLE, Evidence, group_prior, numbered
from cellroles.decode.grid import Grid
from cellroles.headers.view import merge_ends
from cellroles.sheet import Bytes, Ints, Role, Sheet

MIN_LOOK_VOTES = 2  # other headers of the same look


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
