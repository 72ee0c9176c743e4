"""Tuples of header cells -> shared HeaderPath objects with a number each."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import accumulate, chain, pairwise

import numpy as np

from cellroles.sheet import HeaderPath, Sheet

Labels = tuple[int, ...]


class PathPool:
    """Distinct paths, as tuples of indices of filled cells; number 0 is the empty path."""

    def __init__(self) -> None:
        self._number: dict[Labels, int] = {(): 0}
        self.labels: list[Labels] = [()]

    def number(self, labels: Labels) -> int:
        """The number of a path, new or known."""
        found = self._number.setdefault(labels, len(self.labels))
        if found == len(self.labels):
            self.labels.append(labels)
        return found

    def extend(self, paths: Iterable[Labels]) -> range:
        """The numbers of paths that are known to be new and distinct."""
        before = len(self.labels)
        self.labels.extend(paths)
        return range(before, len(self.labels))

    def paths(self, sheet: Sheet) -> tuple[HeaderPath, ...]:
        """All paths in order of their numbers."""
        flat = np.fromiter(chain.from_iterable(self.labels), np.int64)
        text = [str(text) for text in sheet.text[flat].tolist()]
        cell = list(zip(sheet.row[flat].tolist(), sheet.col[flat].tolist(), strict=True))
        ends = list(accumulate(map(len, self.labels), initial=0))
        with _no_collection():
            return tuple([HeaderPath(tuple(text[i:j]), tuple(cell[i:j])) for i, j in pairwise(ends)])


@contextmanager
def _no_collection() -> Iterator[None]:
    """Pause the cyclic collector: it takes two thirds of the time in which many small lasting objects are made."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
