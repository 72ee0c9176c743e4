"""Long tables -> the rows that a role model must see, and the rows that take the result of rows like them.

A long list says the same thing a thousand times: rows of one table whose cells have the same columns, kinds, styles,
merges, formulas and telling words differ in their values alone. Of many such rows the first, the last and some from the
middle are predicted; the others take the mean of those from the middle. Rows unlike the others (totals, group lines,
headers), and those beside them, are always predicted, so that short sheets are predicted whole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cellroles.features import SheetFeatures
from cellroles.features.content import STRING_FEATURES, kinds
from cellroles.sheet import Bools, Floats, Ints

Hashes = NDArray[np.uint64]

FIRST, MIDDLE, LAST = 16, 96, 16  # rows of each kind that are predicted
MOST_ALIKE = 256  # a kind with no more rows is predicted whole
TELLING = ("total_word", "note_word", "unit_word", "placeholder", "numeric_text", "leading_marks")
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FACTORS = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


@dataclass(frozen=True, slots=True, eq=False)
class Repeats:
    """`wanted` (n,): cells to predict, whole rows; `sample` (n,): cells that stand for their kind of row, all wanted;
    `place` (n,): number of each cell's column in its kind of row, the same for the cells that stand for each other."""

    wanted: Bools
    sample: Bools
    place: Ints

    def fill(self, probabilities: Floats) -> None:
        """Give every cell that is not wanted the mean of the sample at its place; (n, k), in place."""
        at = np.flatnonzero(self.sample)
        if not len(at):
            return
        count = int(self.place.max()) + 1
        size = np.maximum(np.bincount(self.place[at], minlength=count), 1)
        left = np.flatnonzero(~self.wanted)
        for column in probabilities.T:
            mean = np.bincount(self.place[at], column[at], count) / size
            column[left] = mean[self.place[left]]


def find_repeats(features: SheetFeatures) -> Repeats:
    """Compare the rows of a sheet; cost is linear in filled cells."""
    sheet = features.sheet
    if not len(sheet):
        return Repeats(np.zeros(0, np.bool_), np.zeros(0, np.bool_), np.zeros(0, np.int32))
    starts = np.flatnonzero(np.diff(sheet.row, prepend=-1))
    length = np.diff(starts, append=len(sheet))
    row = np.repeat(np.arange(len(starts)), length)
    hashes = _row_hashes(features, starts)
    _, example, kind, size = np.unique(hashes, return_index=True, return_inverse=True, return_counts=True)
    order = np.argsort(kind, kind="stable")
    rank = np.empty(len(kind), np.int64)
    rank[order] = np.arange(len(kind)) - np.repeat(np.cumsum(size) - size, size)
    many, middle = size[kind] > MOST_ALIKE, (size[kind] - MIDDLE) // 2
    sample = many & (rank >= middle) & (rank < middle + MIDDLE)
    beside = ~many
    beside[1:] |= ~many[:-1]
    beside[:-1] |= ~many[1:]
    wanted = beside | sample | (rank < FIRST) | (rank >= size[kind] - LAST)
    places = length[example]
    place = (np.cumsum(places) - places)[kind][row] + np.arange(len(sheet)) - starts[row]
    return Repeats(wanted[row], sample[row], place.astype(np.int32))


def _row_hashes(features: SheetFeatures, starts: NDArray[np.int64]) -> Hashes:
    """One number per row, shape (r,), equal for rows that differ in their values alone."""
    sheet, facts, strings = features.sheet, features.formulas, features.strings
    telling = np.rint(strings.features[:, [STRING_FEATURES.index(name) for name in TELLING]] * 8).astype(np.uint64)
    cell = np.zeros(len(sheet), np.uint64)
    for part in (
        features.layout.component,
        sheet.col,
        sheet.style,
        kinds(sheet),
        *features.merges.view(np.int32).T,
        *telling[strings.id].T,
        _bits(np.stack([facts.column(name) for name in ("formula", "aggregate_function", "copy")], axis=1)),
    ):
        cell = _mixed(cell + part.astype(np.uint64))
    sums = [np.add.reduceat(facts.column(name), starts, dtype=np.int64) for name in ("sum_above", "sum_below")]
    numbers = np.add.reduceat(~np.isnan(sheet.number), starts, dtype=np.int64)
    total = _bits(np.stack([(found > 1) & (2 * found >= numbers) for found in sums], axis=1))
    return np.asarray(np.add.reduceat(cell, starts) + _mixed(total.astype(np.uint64)))


def _bits(flags: Bools) -> Ints:
    """(n, b) booleans as one integer each."""
    return np.asarray(flags @ (1 << np.arange(flags.shape[1])), np.int32)


def _mixed(values: Hashes) -> Hashes:
    """Scatter 64-bit integers (the finaliser of SplitMix64, Steele et al. 2014)."""
    values = values + _GOLDEN
    values = (values ^ (values >> np.uint64(30))) * _FACTORS[0]
    values = (values ^ (values >> np.uint64(27))) * _FACTORS[1]
    return values ^ (values >> np.uint64(31))
