"""Roles -> roles without isolated strays, and with formulas told from typed values."""

from __future__ import annotations

import re

import numpy as np

from cellroles.decode.evidence import DATA, KIND_OF_ROLE, PRIOR_WEIGHT, Evidence, by_kind
from cellroles.decode.grid import Grid
from cellroles.sheet import Bytes, Role, Sheet

_LINKS = re.compile(r"[=+\s]*HYPERLINK\s*\(", re.IGNORECASE)
_STRING = re.compile(r'"[^"]*"')
# a cell, a column, a name or a table, but no function and no logical constant; or whole rows
_REFERS = re.compile(r"(?<![\w.$])(?!(?:TRUE|FALSE)\b)\$?[^\W\d][\w.$]*(?![\w.$(])|\$?\d+:\$?\d+")
_COPIES = re.compile(r"[=+\s]*(?:'[^']+'!|[^\s'!(),;+*/^&=<>-]+!)?\$?[A-Z]{1,3}\$?\d+\s*")


def settle_in_body(roles: Bytes, evidence: Evidence, grid: Grid) -> Bytes:
    """A cell with data above, below and on a side is data, unless it is surer of itself than its neighbours allow."""
    kind = KIND_OF_ROLE[roles]
    data = np.append(kind == DATA, False)
    sides = data[grid.left].astype(int) + data[grid.right]
    inside = (kind != DATA) & data[grid.above] & data[grid.below] & (sides > 0)
    at = np.flatnonzero(inside)
    own, sides = by_kind(evidence.own[at]), sides[at]
    lead = own[:, DATA] * (2 + sides + PRIOR_WEIGHT) > own[np.arange(len(at)), kind[at]] * (2 - sides + PRIOR_WEIGHT)
    result, at = roles.copy(), at[lead]
    result[at] = evidence.own[at, : int(Role.AGGREGATION) + 1].argmax(axis=1)
    return result


def settle_formulas(sheet: Sheet, roles: Bytes) -> Bytes:
    """Data that computes from other cells is an aggregation; a formula of constants is a value; a copy may be both.

    A formula is no placeholder, whatever it shows (often nothing): unless it is a link, it is data and never junk.
    """
    result = roles.copy()
    may_be_data = (KIND_OF_ROLE[roles] == DATA) | (roles == Role.JUNK)
    for i in np.flatnonzero(may_be_data & (sheet.formula != None)):  # noqa: E711
        formula = str(sheet.formula[i])
        if roles[i] == Role.JUNK:
            if _LINKS.match(formula):
                continue
            result[i] = Role.VALUE
        if not _REFERS.search(_STRING.sub("", formula)):
            result[i] = Role.VALUE
        elif not _COPIES.fullmatch(formula):
            result[i] = Role.AGGREGATION
    return result
