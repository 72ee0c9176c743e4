"""Row headers of a stub column -> the depths that their indentation and missing values speak for."""

from __future__ import annotations

import numpy as np

from cellroles.decode.evidence import DATA, KIND_OF_ROLE, ROW
from cellroles.decode.grid import NONE, Grid
from cellroles.headers.view import indentation, margins
from cellroles.sheet import Bools, Bytes, Floats, Ints, Sheet

# Odds of the depth that an outline gives against any other one. Outlines of real tables are right 20-40 times in 21-41,
# but columns that are indented or bold for another reason err together: two votes for a depth stay below TRUST.
OUTLINE_ODDS = 2.0
STAGGER_ODDS = 4.0  # the same where labels stand further in by standing in columns further right
DEEP_ODDS = 40.0  # of depth 3 against 2 where margins give it: models hardly tell them apart
DEEPEST = 3
FAR = 1000  # a column counts for more than any indentation inside it


def outline_prior(sheet: Sheet, roles: Bytes, grid: Grid) -> Floats:
    """Weights (n, 3) of row header depths 1-3; ones where the sheet's outline says nothing.

    Where the labels of a stub column are indented differently, depth counts from the leaves up: 1, their parent 2,
    anything higher 3; this votes once for the margins and once with bold labels standing further out. A label without
    values in its row, above one with values, is not innermost, and one above that is neither second. Labels that lead
    their rows in several columns of a component are indented by their columns.
    """
    kind = KIND_OF_ROLE[roles]
    label = kind == ROW
    prior = np.ones((len(sheet), DEEPEST), np.float32)
    is_label = np.append(label, False)
    single = label & ~is_label[grid.left] & ~is_label[grid.right]
    has_values = np.bincount(grid.row, kind == DATA)[grid.row] > 0
    heads = single & ~has_values & np.append(single & has_values, False)[grid.below]
    outer = single & ~has_values & np.append(heads, False)[grid.below]
    prior[heads | outer, 0] /= OUTLINE_ODDS
    prior[outer, 1] /= OUTLINE_ODDS
    margin, indent = margins(sheet, label), indentation(sheet, label)
    leads = single & (grid.left == NONE)
    votes = (
        (indent_depths(single, grid.column, margin), OUTLINE_ODDS),
        (indent_depths(single, grid.column, indent), OUTLINE_ODDS),
        (indent_depths(_staggered(sheet, leads, grid), grid.component, FAR * sheet.col + indent), STAGGER_ODDS),
    )
    for depth, odds in votes:
        known = np.flatnonzero(depth)
        prior[known, depth[known] - 1] *= odds
    prior[votes[0][0] == DEEPEST, DEEPEST - 2] /= DEEP_ODDS
    return prior


def _staggered(sheet: Sheet, leads: Bools, grid: Grid) -> Bools:
    """Labels that lead their rows, where those of their component do so in several columns."""
    component, col = grid.component[leads], sheet.col[leads]
    first = np.full(int(grid.component.max()) + 1, np.iinfo(np.int32).max)
    last = np.full(len(first), -1)
    np.minimum.at(first, component, col)
    np.maximum.at(last, component, col)
    return leads & (last > first)[grid.component]


def indent_depths(label: Bools, group: Ints, indent: Ints) -> Ints:
    """Depth (n,) of every label in a group (a column) whose labels differ in indentation, counted from the leaves up;
    else 0."""
    at = np.flatnonzero(label)
    at = at[np.argsort(group[at], kind="stable")]
    depth = np.zeros(len(label), np.int32)
    for part in np.split(at, np.flatnonzero(np.diff(group[at])) + 1):
        if len(part) and np.ptp(indent[part]):
            depth[part] = _heights(indent[part].tolist())
    return depth


def _heights(indent: list[int]) -> list[int]:
    """Height of every line in the forest that indentation spans; leaves are 1, DEEPEST and more are one.

    >>> _heights([0, 2, 2, 0, 2, 4, 0])
    [2, 1, 1, 3, 2, 1, 1]
    """
    height = [1] * len(indent)
    open_: list[int] = []
    for i, own in enumerate([*indent, min(indent, default=0)]):
        while open_ and indent[open_[-1]] >= own:
            child = open_.pop()
            if open_:
                height[open_[-1]] = max(height[open_[-1]], min(height[child] + 1, DEEPEST))
        open_.append(i)
    return height
