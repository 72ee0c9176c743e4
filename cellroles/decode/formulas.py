"""Roles -> roles that tell formulas from typed values."""

from __future__ import annotations

import re

import numpy as np

from cellroles.decode.evidence import DATA, KIND_OF_ROLE
from cellroles.sheet import Bytes, Kind, Role, Sheet

_LINKS = re.compile(r"[=+\s]*HYPERLINK\s*\(", re.IGNORECASE)
_STRING = re.compile(r'"[^"]*"')
# a cell, a column, a name or a table, but no function and no logical constant; or whole rows
_REFERS = re.compile(r"(?<![\w.$])(?!(?:TRUE|FALSE)\b)\$?[^\W\d][\w.$]*(?![\w.$(])|\$?\d+:\$?\d+")
_COPIES = re.compile(r"[=+\s]*(?:'[^']+'!|[^\s'!(),;+*/^&=<>-]+!)?\$?[A-Z]{1,3}\$?\d+\s*")


TYPED = (Kind.NUMBER, Kind.DATE, Kind.BOOL)


def settle_formulas(sheet: Sheet, roles: Bytes) -> Bytes:
    """Data that computes from other cells is an aggregation; a formula of constants is a value; a copy may be both.

    A formula is no placeholder, whatever it shows (often nothing): unless it is a link, it is data and never junk. A
    number, a date or a truth value is none either.
    """
    result = np.where((roles == Role.JUNK) & np.isin(sheet.kind, TYPED), np.uint8(Role.VALUE), roles)
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
