"""Labelled sheets and predicted roles -> pooled confusion matrix, F1 per class and the headline scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cellroles.sheet import COLUMN_HEADERS, ROW_HEADERS, Bools, Bytes, Role, Sheet
from data.labelled import LabelledSheet, Targets, role_set

Confusion = NDArray[np.int64]
"""Counts of shape (13, 13): [gold role, predicted role]."""

HEADLINE_ROLES = tuple(role for role in Role if role not in (Role.COMMENT, Role.JUNK))
SUPPORT = 20
"""Certain cells a class needs in a corpus' development sheets to be averaged there: fewer make F1 a lottery."""

MERGED_LABELS = ("value", "aggregation", "header", "metadata", "comment", "empty", "junk", "col_header", "row_header")
_MERGED = np.array([*range(Role.COL_HEADER_1), *[len(MERGED_LABELS) - 2] * 3, *[len(MERGED_LABELS) - 1] * 3])


def scored(targets: Targets) -> Bools:
    """Cells to score: labelled with one role, or with one header kind of open depth; shape (n,) -> (n,).

    Sets that leave more open (value or aggregation, header or metadata) say nothing about what is scored here.
    """
    single = (targets & (targets - np.uint16(1))) == 0
    header = [(targets & ~np.uint16(role_set(kind))) == 0 for kind in (COLUMN_HEADERS, ROW_HEADERS)]
    return (targets != 0) & (single | header[0] | header[1])


def confusion(roles: Bytes, targets: Targets, predicted: Bytes) -> Confusion:
    """The confusion matrix of n cells; a prediction inside the target set is right, outside it the label was missed."""
    kept = scored(targets)
    gold, guess = roles[kept].astype(np.int64), predicted[kept].astype(np.int64)
    gold = np.where((targets[kept] >> guess) & 1 == 1, guess, gold)
    return np.bincount(gold * len(Role) + guess, minlength=len(Role) ** 2).reshape(len(Role), len(Role))


def pooled(pairs: Iterable[tuple[LabelledSheet, Bytes]]) -> Confusion:
    """The confusion matrix over all cells of (sheet, predicted roles) pairs: one matrix, not a mean of sheets."""
    total = np.zeros((len(Role), len(Role)), np.int64)
    for labelled, predicted in pairs:
        total += confusion(labelled.roles, labelled.targets, predicted)
    return total


def empty_cells(sheet: Sheet) -> int:
    """Empty cells inside the box of the filled cells, covered cells not counted.

    Roles are predicted for filled cells only, so that every empty cell is right by construction: add their number to
    the matrix where sheets are fully labelled (`confusion[EMPTY, EMPTY]`).
    """
    box = sheet.extent
    if box is None:
        return 0
    top, left, bottom, right = sheet.merges.T
    rows = np.minimum(bottom, box.bottom) - np.maximum(top, box.top)
    cols = np.minimum(right, box.right) - np.maximum(left, box.left)
    overlap = np.maximum(rows, 0) * np.maximum(cols, 0)
    anchored = (overlap > 0) & (top >= box.top) & (left >= box.left)
    area = (box.bottom - box.top) * (box.right - box.left)
    return int(area - len(sheet) - (overlap - anchored).sum())


def class_f1(matrix: Confusion) -> NDArray[np.float64]:
    """F1 of every class, NaN without gold support; shape (k, k) -> (k,)."""
    gold, guessed = matrix.sum(axis=1), matrix.sum(axis=0)
    return np.where(gold > 0, 2 * np.diag(matrix) / np.maximum(gold + guessed, 1), np.nan)


def macro_f1(matrix: Confusion, support: int = 1) -> float:
    """Mean F1 of the classes with at least `support` gold cells; NaN if there are none."""
    enough = matrix.sum(axis=1) >= support
    return float(class_f1(matrix)[enough].mean()) if enough.any() else float("nan")


def class_mean(matrix: Confusion, roles: Iterable[Role]) -> float:
    """Mean F1 over some fixed classes, 0 for those without gold cells."""
    return float(np.nan_to_num(class_f1(matrix))[list(roles)].mean())


def headline_f1(matrix: Confusion) -> float:
    """Mean F1 over the fixed 11 classes, 0 for those without gold cells."""
    return class_mean(matrix, HEADLINE_ROLES)


def merged_levels(matrix: Confusion) -> Confusion:
    """The matrix with header depths merged, in the order of MERGED_LABELS; shape (13, 13) -> (9, 9)."""
    merged = np.zeros((len(MERGED_LABELS), len(MERGED_LABELS)), np.int64)
    np.add.at(merged, (_MERGED[:, None], _MERGED[None, :]), matrix)
    return merged


@dataclass(frozen=True, slots=True)
class Scores:
    """What a report says of one matrix: `headline` over the fixed 11 classes, `macro` over those with gold cells,
    `merged` with header depths merged, `accuracy` over all scored cells, `per_class` by role name."""

    headline: float
    macro: float
    merged: float
    accuracy: float
    cells: int
    per_class: Mapping[str, float]


def scores(matrix: Confusion) -> Scores:
    """The scores of a pooled matrix."""
    f1 = class_f1(matrix)
    return Scores(
        headline=headline_f1(matrix),
        macro=macro_f1(matrix),
        merged=macro_f1(merged_levels(matrix)),
        accuracy=float(np.trace(matrix) / max(matrix.sum(), 1)),
        cells=int(matrix.sum()),
        per_class={role.label: float(f1[role]) for role in Role if not np.isnan(f1[role])},
    )


def dev_score(pairs: Iterable[tuple[LabelledSheet, Bytes]], support: int = SUPPORT) -> tuple[float, dict[str, float]]:
    """The score that choices are made by, and its parts: per corpus the macro-F1 over the classes with at least
    `support` certain cells, then the mean over corpora (a corpus counts once, however many sheets it has)."""
    matrices: dict[str, Confusion] = {}
    for labelled, predicted in pairs:
        matrix = confusion(labelled.roles, labelled.targets, predicted)
        matrices[labelled.source] = matrices.get(labelled.source, 0) + matrix
    parts = {source: macro_f1(matrix, support) for source, matrix in matrices.items()}
    known = [part for part in parts.values() if not np.isnan(part)]
    return (float(np.mean(known)) if known else float("nan")), parts
