"""Scores of questions -> means with intervals, and what two methods differ by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cellroles.sheet import Floats

RESAMPLES = 5_000
SEED = 42
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over `n` questions and its bootstrap interval of 95 %."""

    mean: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean paired difference, its bootstrap interval of 95 %, and p of Wilcoxon's signed-rank test (two-sided)."""

    mean: float
    low: float
    high: float
    p: float
    n: int


def estimate(values: Floats, groups: Sequence[str]) -> Estimate:
    """The mean of `values` (n,); the bootstrap draws whole groups, as questions on one sheet go together."""
    low, high = _interval(values, groups)
    return Estimate(float(values.mean()), low, high, len(values))


def difference(first: Floats, second: Floats, groups: Sequence[str]) -> Difference:
    """What `first` has over `second`, two methods' scores (n,) of the same questions."""
    from scipy.stats import wilcoxon

    gap = first - second
    low, high = _interval(gap, groups)
    p = float(wilcoxon(gap.astype(np.float64)).pvalue) if np.any(gap) else 1.0  # below 1e-45 in single precision is 0
    return Difference(float(gap.mean()), low, high, p, len(gap))


def _interval(values: Floats, groups: Sequence[str]) -> tuple[float, float]:
    """The percentile interval of the mean over resampled groups (Davison and Hinkley 1997, section 3.8)."""
    _, group = np.unique(np.asarray(groups), return_inverse=True)
    sums, sizes = np.bincount(group, values), np.bincount(group)
    drawn = np.random.default_rng(SEED).integers(len(sums), size=(RESAMPLES, len(sums)))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
