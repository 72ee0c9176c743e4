"""Scores or rankings -> the best chunks of each question, in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from cellroles.sheet import Floats, Ints

RRF_K = 60
"""Of reciprocal rank fusion (Cormack et al. 2009, section 2)."""


class Index(Protocol):
    """Texts that can be asked for; `rank` gives the numbers of the best `depth` texts for every query, best first."""

    def rank(self, queries: Sequence[str], depth: int) -> list[Ints]:
        """One array of at most `depth` text numbers per query."""


def best(scores: Floats, depth: int) -> Ints:
    """The numbers of the highest positive scores (n,), best first, the earlier text first among equals."""
    count = min(depth, int(np.count_nonzero(scores > 0)))
    if not count:
        return np.zeros(0, np.int32)
    least = np.partition(scores, len(scores) - count)[len(scores) - count]
    found = np.flatnonzero(scores >= least)
    order = np.argsort(-scores[found], kind="stable")
    return found[order][:count].astype(np.int32)


def fuse(rankings: Sequence[Ints], depth: int, k: int = RRF_K) -> Ints:
    """Reciprocal rank fusion: a text scores the sum of 1 / (k + rank) over the rankings that hold it.

    >>> fuse([np.array([3, 1]), np.array([1, 2])], 3).tolist()
    [1, 3, 2]
    """
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, number in enumerate(ranking.tolist(), 1):
            scores[number] = scores.get(number, 0.0) + 1 / (k + rank)
    order = sorted(scores, key=lambda number: -scores[number])  # stable: the first ranking decides between equals
    return np.array(order[:depth], np.int32)
