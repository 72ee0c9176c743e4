"""Row headers -> depths that agree among labels of one stub column that look alike."""

from __future__ import annotations

import numpy as np

from cellroles.decode.evidence import DATA, KIND_OF_ROLE, ROW, Evidence, group_prior, numbered
from cellroles.decode.lines import merge_shape
from cellroles.decode.neighbours import Neighbours
from cellroles.decode.outline import outline_prior
from cellroles.headers.view import indentation
from cellroles.sheet import Bytes, Ints, Role, Sheet

MIN_VOTES = 2  # other labels of the same look


def agree_on_depth_by_look(sheet: Sheet, roles: Bytes, evidence: Evidence, component: Ints, near: Neighbours) -> Bytes:
    """Labels of one stub column with one look and place take the depth that their class and they themselves favour."""
    kind = KIND_OF_ROLE[roles]
    label = kind == ROW
    levels = slice(int(Role.ROW_HEADER_1), int(Role.ROW_HEADER_3) + 1)
    group = numbered(component, sheet.col, label.astype(np.int32), _look(sheet, kind, component, near))
    prior, votes = group_prior(evidence.vote[:, levels], group, label)
    prior[votes < MIN_VOTES] = 1
    prior = prior * outline_prior(sheet, roles, component, near)
    depth = (evidence.own[:, levels] * prior).argmax(axis=1)
    return np.where(label, int(Role.ROW_HEADER_1) + depth, roles).astype(np.uint8)


def _look(sheet: Sheet, kind: Ints, component: Ints, near: Neighbours) -> Ints:
    """A number per look: font, fill, indentation, merge, and what stands beside and below the label."""
    label = kind == ROW
    indent = indentation(sheet, label)
    looks = [(style.bold, style.italic, style.fill) for style in sheet.styles]
    code = {look: i for i, look in enumerate(dict.fromkeys(looks))}
    font = np.array([code[look] for look in looks], np.int32)[sheet.style]
    line = numbered(component, sheet.row)
    has_values = np.bincount(line, kind == DATA)[line] > 0
    is_label = np.append(label, False)  # NONE reads the last entry
    deeper_next = is_label[near.below] & (np.append(indent, 0)[near.below] > indent)
    beside = 4 * has_values + 2 * is_label[near.right] + is_label[near.left]
    return numbered(font, indent, merge_shape(sheet), beside, deeper_next.astype(np.int32))
