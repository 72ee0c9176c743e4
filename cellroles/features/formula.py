"""Cells -> formula features: what a formula does, and which typed numbers are sums of their neighbours."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cellroles.features.layout import Layout
from cellroles.sheet import Bools, Floats, Ints, Kind, Part, Sheet

if TYPE_CHECKING:
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
    """One column per name in FACTS, shape (n, 8)."""

    flags: Bools

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


def formula_facts(sheet: Sheet, layout: Layout) -> FormulaFacts:
    """Classify every formula once per distinct template and check every number against the sums of its neighbours."""
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
    numbers = (sheet.kind == Kind.NUMBER) & ~sheet.uncached
    for order, group, columns in (
        (layout.down, layout.cols.id, (4, 5)),
        (layout.across, layout.rows.id, (6, 7)),
    ):
        cells = order[numbers[order]]
        flags[cells, columns[0]], flags[cells, columns[1]] = sums_of_neighbours(sheet.number[cells], group[cells])
    return FormulaFacts(flags)


def sums_of_neighbours(values: NDArray[np.float64], group: Ints) -> tuple[Bools, Bools]:
    """Whether each value is the sum of a run of values just before it, and just after it, in its group.

    Runs of 2 to 12 values, all values of the group on that side (less the first, often a year; or twice the value,
    where subtotals are among them). `group` is non-decreasing. Rounding of the parts is allowed for.

    >>> before, after = sums_of_neighbours(np.array([5.0, 7, 12, 1]), np.zeros(4, np.int32))
    >>> before.tolist(), after.tolist()
    ([False, False, True, False], [False, False, False, False])
    """
    before = _sums_before(values, group)
    after = _sums_before(values[::-1], -group[::-1])[::-1]
    return before, after


def _sums_before(values: NDArray[np.float64], group: Ints) -> Bools:
    count = len(values)
    if count < 3:
        return np.zeros(count, np.bool_)
    values = np.clip(values, -1e15, 1e15)
    prefix = np.r_[0.0, np.cumsum(values)]
    present = np.r_[0, np.cumsum(values != 0)]
    place = np.arange(count)
    start = np.maximum.accumulate(np.where(np.r_[True, group[1:] != group[:-1]], place, 0))
    tolerance = 1e-6 * np.abs(values) + np.minimum(1.0, 1e-3 * np.abs(values))
    hit = np.zeros(count, np.bool_)

    def check(first: NDArray[np.intp], allowed: Bools, factor: float = 1.0) -> None:
        nonlocal hit
        close = np.abs(prefix[place] - prefix[first] - factor * values) <= tolerance
        hit |= close & allowed & (present[place] - present[first] >= 2)

    for width in WINDOWS:
        first = np.maximum(place - width, 0)
        check(first, place - width >= start)
    everything = place - start >= 2
    check(start, everything)
    check(np.minimum(start + 1, place), place - start >= 3)
    check(start, everything, factor=2.0)
    return np.asarray(hit & (values != 0), np.bool_)


def formula_features(facts: FormulaFacts, profile: Profile, layout: Layout, part: Part) -> Floats:
    """Formula features of the cells of `part`, shape (k, 11)."""
    row, col = layout.rows.id[part], layout.cols.id[part]
    shares = (profile.row_sum_share[row], profile.col_sum_share[col], profile.row_formula_share[row])
    return np.concatenate([facts.flags[part], np.stack(shares, axis=1)], axis=1, dtype=np.float32)
