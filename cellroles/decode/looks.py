"""Row headers -> depths that agree among labels of one stub column that look alike."""

from __future__ import annotations

import numpy as np

from cellroles.decode.evidence import DATA, KIND_OF_ROLE, ROW, Evidence, group_prior, numbered
from cellroles.decode.grid import Grid
from cellroles.decode.lines import MIN_LOOK_VOTES, merge_shape
from cellroles.decode.outline import outline_prior
from cellroles.headers.view import indentation
from cellroles.sheet import Bytes, Ints, Role, Sheet


def agree_on_depth_by_look(sheet: Sheet, roles: Bytes, evidence: Evidence, grid: Grid) -> Bytes:
    """Labels take the depth that they, their outline and the labels of their column with one look and place favour."""
    kind = KIND_OF_ROLE[roles]
    at = np.flatnonzero(kind == ROW)
    levels = slice(int(Role.ROW_HEADER_1), int(Role.ROW_HEADER_3) + 1)
    prior, votes = group_prior(evidence.vote[at, levels], numbered(grid.column[at], *_look(sheet, kind, grid)))
    prior[votes < MIN_LOOK_VOTES] = 1
    result = roles.copy()
    score = evidence.own[at, levels] * prior * outline_prior(sheet, roles, grid)[at]
    result[at] = int(Role.ROW_HEADER_1) + score.argmax(axis=1)
    return result


def _look(sheet: Sheet, kind: Ints, grid: Grid) -> tuple[Ints, ...]:
    """Per row header its font, indentation, merge, and what stands beside and below it."""
    label = kind == ROW
    at = np.flatnonzero(label)
    indent = indentation(sheet, label)
    fonts = [(style.bold, style.italic, style.fill) for style in sheet.styles]
    code = {font: i for i, font in enumerate(dict.fromkeys(fonts))}
    font = np.array([code[font] for font in fonts], np.int32)[sheet.style[at]]
    has_values = np.append(np.bincount(grid.row, kind == DATA)[grid.row] > 0, True)  # NONE reads the last entry
    is_label = np.append(label, False)
    next_ = grid.below[at]
    deeper_next = is_label[next_] & (np.append(indent, 0)[next_] > indent[at])
    group_next = is_label[next_] & ~has_values[next_]
    beside = 16 * group_next + 8 * has_values[at] + 4 * is_label[grid.right[at]] + 2 * is_label[grid.left[at]]
    beside += deeper_next
    return font, indent[at], merge_shape(sheet)[at], beside.astype(np.int32)
