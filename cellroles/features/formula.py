"""Cells -> formula features: what a formula does, and which typed numbers are sums of their neighbours."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cellroles.features.layout import Layout
from cellroles.sheet import Bools, Bytes, Floats, Ints, Kind, Part, Sheet

if TYPE_CHECKING:
    from cellroles.features.content import StringTable
    from cellroles.features.neighbourhood import Profile

FACTS = (
    "formula",
    "aggregate_function",
    "copy",
    "references",
    "sum_above",
    "sum_below",
    "sum_left",
    "sum_right",
)
FORMULA = (*FACTS, "row_sum_share", "column_sum_share", "row_formula_share")
WINDOWS = range(2, 13)
SURE = 2
_NO_DIGITS = str.maketrans("", "", "0123456789")
_STRING = re.compile(r'"[^"]*"')
_AGGREGATE = re.compile(
    r"(?<![A-Z.])(?:SUM|SUMIFS?|SUBTOTAL|AGGREGATE|AVERAGE|AVERAGEIFS?|COUNT|COUNTA|COUNTIFS?|MAX|MIN|MEDIAN|SUMPRODUCT|"
    r"STDEV|PRODUCT)\("
)
_COPY = re.compile(r"=\+?(?:(?:'[^']+'|[^'!\s(]+)!)?\$?[A-Z]{1,3}\$?")
_REFERENCE = re.compile(r"(?<![A-Z_.$])\$?[A-Z]{1,3}\$?(?![A-Z(_.$])")


@dataclass(frozen=True, slots=True, eq=False)
class FormulaFacts:
    """One column per name in FACTS, shape (n, 8); `sums` (n, 2): whether a number is a sum down its column and across
    its row if a single part that is not zero is enough, which counts where its whole row or column says so."""

    flags: Bools
    sums: Bools

    def column(self, name: str) -> Bools:
        """The flags of one fact, shape (n,)."""
        return self.flags[:, FACTS.index(name)]


def classify(formula: str) -> tuple[bool, bool, bool]:
    """(uses an aggregate function, is a bare copy of one cell, refers to cells) of a formula text.

    >>> classify("=SUM(B2:B9)"), classify("=Data!B3"), classify("=1+2")
    ((True, False, True), (False, True, True), (False, False, False))
    """
    template = _STRING.sub("", formula).upper().translate(_NO_DIGITS)
    copy = _COPY.fullmatch(template) is not None
    return _AGGREGATE.search(template) is not None, copy, _REFERENCE.search(template) is not None


def formula_facts(sheet: Sheet, layout: Layout, strings: StringTable) -> FormulaFacts:
    """Classify every formula once per distinct template and check every number, typed as text too, against the sums of
    its neighbours."""
    flags = np.zeros((len(sheet), len(FACTS)), np.bool_)
    where = np.flatnonzero(sheet.formula != None)  # noqa: E711 - elementwise over objects
    if len(where):
        seen: dict[str, tuple[bool, bool, bool]] = {}
        for index in where:
            template = str(sheet.formula[index]).translate(_NO_DIGITS)
            if template not in seen:
                seen[template] = classify(str(sheet.formula[index]))
            flags[index, 1:4] = seen[template]
        flags[where, 0] = True
    sums = np.zeros((len(sheet), 2), np.bool_)
    values = np.where(sheet.kind == Kind.NUMBER, sheet.number, strings.amounts)
    numbers = ~np.isnan(values) & ~sheet.uncached
    for axis, (order, group) in enumerate(((layout.down, layout.cols.id), (layout.across, layout.rows.id))):
        cells = order[numbers[order]]
        before, after = sums_of_neighbours(values[cells], group[cells])
        flags[cells, 4 + 2 * axis], flags[cells, 5 + 2 * axis] = before == SURE, after == SURE
        sums[cells, axis] = (before > 0) | (after > 0)
    return FormulaFacts(flags, sums)


def sums_of_neighbours(values: NDArray[np.float64], group: Ints) -> tuple[Bytes, Bytes]:
    """Whether each value is the sum of a run of values just before it, and just after it, in its group: 2 (SURE) where
    two of the parts or more are not zero, 1 where one is, else 0.

    Runs of 2 to 12 values, all values of the group on that side (less the first, often a year; or twice the value,
    where subtotals are among them). `group` is non-decreasing. Rounding of the parts is allowed for.

    >>> before, after = sums_of_neighbours(np.array([5.0, 8, 13, 1, 0, 1]), np.zeros(6, np.int32))
    >>> before.tolist(), after.tolist()
    ([0, 0, 2, 0, 0, 1], [0, 0, 0, 1, 0, 0])
    """
    before = _sums_before(values, group)
    after = _sums_before(values[::-1], -group[::-1])[::-1]
    return before, after


def rounding_of(values: NDArray[np.float64], group: Ints) -> NDArray[np.float64]:
    """The power of ten, 1 to 1e6, that all values of each value's group are multiples of; `group` is non-decreasing.

    >>> rounding_of(np.array([120.0, 1300, 0, 7]), np.array([0, 0, 0, 1], np.int32)).tolist()
    [10.0, 10.0, 10.0, 1.0]
    """
    starts = np.flatnonzero(np.r_[True, group[1:] != group[:-1]])
    unit = np.ones(len(values))
    for power in 10.0 ** np.arange(1, 7):
        multiple = np.logical_and.reduceat(values % power == 0, starts)
        unit = np.where(np.repeat(multiple, np.diff(np.r_[starts, len(values)])), power, unit)
    return unit


def _sums_before(values: NDArray[np.float64], group: Ints) -> Bytes:
    count = len(values)
    if count < 2:
        return np.zeros(count, np.uint8)
    values = np.clip(values, -1e15, 1e15)
    prefix = np.r_[0.0, np.cumsum(values)]
    present = np.r_[0, np.cumsum(values != 0)]
    place = np.arange(count)
    start = np.maximum.accumulate(np.where(np.r_[True, group[1:] != group[:-1]], place, 0))
    unit = rounding_of(values, group)
    tolerance = 1e-6 * np.abs(values) + np.minimum(unit, np.where(unit > 1, 3e-3, 1e-3) * np.abs(values))
    hit = np.zeros(count, np.uint8)

    def check(first: NDArray[np.intp], allowed: Bools, factor: float = 1.0) -> None:
        close = np.abs(prefix[place] - prefix[first] - factor * values) <= tolerance
        parts = np.minimum(present[place] - present[first], SURE).astype(np.uint8)
        np.maximum(hit, np.where(close & allowed, parts, 0), out=hit)

    for width in WINDOWS:
        first = np.maximum(place - width, 0)
        check(first, place - width >= start)
    check(start, place - start >= 1)
    check(np.minimum(start + 1, place), place - start >= 3)
    check(start, place - start >= 2, factor=2.0)
    return np.where(values != 0, hit, 0).astype(np.uint8)


def formula_features(facts: FormulaFacts, profile: Profile, layout: Layout, part: Part) -> Floats:
    """Formula features of the cells of `part`, shape (k, 11)."""
    row, col = layout.rows.id[part], layout.cols.id[part]
    shares = (profile.row_sum_share[row], profile.col_sum_share[col], profile.row_formula_share[row])
    return np.concatenate([facts.flags[part], np.stack(shares, axis=1)], axis=1, dtype=np.float32)
