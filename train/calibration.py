"""Probabilities and what was right -> the expected calibration error."""

from __future__ import annotations

import numpy as np

from cellroles.sheet import Bools, Floats

BINS = 15


def expected_calibration_error(confidence: Floats, right: Bools, bins: int = BINS) -> float:
    """Mean distance between confidence and accuracy over bins of equal width, weighted by their cells (Guo et al. 2017,
    "On calibration of modern neural networks", eq. 3); NaN without cells.

    `confidence` (n,) is the probability of the best role, `right` (n,) whether it is the labelled one; bin i holds
    confidences in (i / bins, (i + 1) / bins].

    >>> expected_calibration_error(np.array([0.9, 0.9]), np.array([True, False]), bins=10)
    0.4
    """
    place = np.clip(np.ceil(confidence * bins).astype(np.int64) - 1, 0, bins - 1)
    gap = np.bincount(place, confidence - right.astype(np.float64), bins)
    return round(float(np.abs(gap).sum() / len(right)), 6) if len(right) else float("nan")
