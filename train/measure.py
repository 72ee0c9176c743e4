"""Predictor and labelled sheets -> the numbers of a run's report, pooled and per corpus."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from cellroles.decode import decode
from cellroles.predict import Predictor
from cellroles.sheet import Bools, Bytes, Floats, Role
from data.labelled import LabelledSheet
from train.calibration import expected_calibration_error
from train.evaluate import candidates_alone
from train.metrics import (
    HEADLINE_ROLES,
    Confusion,
    class_f1,
    class_mean,
    confusion,
    dev_score,
    empty_cells,
    macro_f1,
    merged_levels,
    scored,
)
from train.paths import CORPORA, evaluate_paths

PATH_CELLS = 1_200

Predicted = Sequence[tuple[LabelledSheet, Bytes]]


def measure(predictor: Predictor, sheets: Sequence[LabelledSheet]) -> dict[str, Any]:
    """Scores of the best role per cell (`raw`) and of the `decoded` roles, `calibration` of the raw probabilities, and
    agreement of header `paths` on every second sheet of up to 1,200 cells."""
    found = [(labelled, candidates_alone(labelled, predictor.probabilities(labelled.sheet))) for labelled in sheets]
    return {
        "raw": score_table([(labelled, kept.argmax(axis=1).astype(np.uint8)) for labelled, kept in found]),
        "decoded": score_table([(labelled, decode(labelled.sheet, kept)[0]) for labelled, kept in found]),
        "calibration": calibration_table(found),
        "paths": evaluate_paths(predictor, every_second(sheets)),
    }


def score_table(predicted: Predicted) -> dict[str, Any]:
    """The pooled scores of one matrix over all sheets, the same per corpus, and the development score `dev`."""
    matrices: dict[str, Confusion] = defaultdict(lambda: np.zeros((len(Role), len(Role)), np.int64))
    for labelled, roles in predicted:
        matrices[labelled.source] += confusion(labelled.roles, labelled.targets, roles)
        matrices[labelled.source][Role.EMPTY, Role.EMPTY] += empty_cells(labelled.sheet)
    corpora = {source: matrix_scores(matrix) for source, matrix in sorted(matrices.items())}
    mean, parts = dev_score(predicted)
    return {
        **matrix_scores(np.sum(list(matrices.values()), axis=0)),
        "dev": mean,
        "dev_parts": parts,
        "corpora": corpora,
    }


def matrix_scores(matrix: Confusion) -> dict[str, Any]:
    """What a report says of one matrix.

    `macro`: mean F1 of the classes with gold cells (paper, appendix B); `headline`: of the fixed 11 classes; `ten`: of
    those without `empty`, which is right by construction; `thirteen`: of all; `merged`: with header depths merged.
    """
    f1, support = class_f1(matrix), matrix.sum(axis=1)
    return {
        "macro": macro_f1(matrix),
        "headline": class_mean(matrix, HEADLINE_ROLES),
        "ten": class_mean(matrix, [role for role in HEADLINE_ROLES if role != Role.EMPTY]),
        "thirteen": class_mean(matrix, Role),
        "merged": macro_f1(merged_levels(matrix)),
        "accuracy": float(np.trace(matrix) / max(matrix.sum(), 1)),
        "cells": int(matrix.sum()),
        "per_class": {role.label: float(f1[role]) for role in Role if support[role]},
        "support": {role.label: int(support[role]) for role in Role},
        "confusion": matrix.tolist(),
    }


def calibration_table(found: Iterable[tuple[LabelledSheet, Floats]]) -> dict[str, Any]:
    """Expected calibration error over all scored cells and per corpus."""
    confidence: dict[str, list[Floats]] = defaultdict(list)
    right: dict[str, list[Bools]] = defaultdict(list)
    for labelled, kept in found:
        cells = scored(labelled.targets)
        confidence[labelled.source].append(kept[cells].max(axis=1))
        right[labelled.source].append((labelled.targets[cells] >> kept[cells].argmax(axis=1)) & 1 == 1)

    def error(sources: Iterable[str]) -> float:
        chosen = list(sources)
        joined = np.concatenate([part for source in chosen for part in confidence[source]])
        return expected_calibration_error(joined, np.concatenate([part for source in chosen for part in right[source]]))

    return {"ece": error(right), "corpora": {source: error([source]) for source in sorted(right)}}


def every_second(sheets: Iterable[LabelledSheet], most_cells: int = PATH_CELLS) -> list[LabelledSheet]:
    """Every second one of the small sheets whose corpus has a layout of its own."""
    return [labelled for labelled in sheets if labelled.source in CORPORA and len(labelled.sheet) <= most_cells][::2]
