"""Columns whose headers repeat (`Year | Sales | Year | Sales`) -> the kinds of the first block in all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from cellroles.decode.evidence import COLUMN, DATA, KIND_OF_ROLE, ROW, Evidence
from cellroles.decode.grid import Grid
from cellroles.sheet import Bytes, Ints, Sheet

MIN_HEADERS = 4


def agree_in_blocks(sheet: Sheet, roles: Bytes, evidence: Evidence, grid: Grid) -> Bytes:
    """The roles (n,), where columns stand side by side in blocks of equal headers, with stubs where the first block has
    them and data where it has data."""
    kind = KIND_OF_ROLE[roles]
    labels, data = (np.bincount(grid.column, kind == wanted) for wanted in (ROW, DATA))
    found = np.where(labels > data, ROW, DATA)
    becomes = found.copy()
    for at in _header_rows(np.flatnonzero(kind == COLUMN).astype(np.int32), grid):
        columns, period = grid.column[at], period_of(sheet.text[at].tolist())
        if period < len(at):
            becomes[columns] = found[columns[np.arange(len(at)) % period]]
    result = roles.copy()
    for wanted in (ROW, DATA):
        changed = (becomes == wanted) & (found != wanted)
        other = np.flatnonzero(changed[grid.column] & np.isin(kind, (ROW, DATA)))
        result[other] = (evidence.own[other] * (wanted == KIND_OF_ROLE)).argmax(axis=1)
    return result


def _header_rows(headers: Ints, grid: Grid) -> Iterator[Ints]:
    """The column headers of every row of a component that has some."""
    headers = headers[np.argsort(grid.row[headers], kind="stable")]
    for part in np.split(headers, np.flatnonzero(np.diff(grid.row[headers])) + 1):
        if len(part) >= MIN_HEADERS:
            yield part


def period_of(texts: Sequence[str]) -> int:
    """The size of the blocks, two columns or more, that the texts repeat; else their number.

    >>> period_of(["Year", "Sales", "Year", "Sales"]), period_of(["Men", "Men"]), period_of(["a", "b", "a"])
    (2, 2, 3)
    """
    for period in range(2, len(texts) // 2 + 1):
        repeats = len(texts) % period == 0 and all(a == b for a, b in zip(texts, texts[period:], strict=False))
        if repeats and len(set(texts[:period])) == period:
            return period
    return len(texts)
