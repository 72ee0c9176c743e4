"""A sheet and its copy, saved by another program -> the cells whose content is not the same any more."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cellroles.reader.sheets import MAX_COLS
from cellroles.sheet import Ints, Kind, Sheet, a1

Keys = NDArray[np.int64]
CLOSE = 1e-9  # programs write 15 of the 17 digits


def keys(row: Ints, col: Ints) -> Keys:
    """One number per cell, growing in reading order; shape (n,) -> (n,)."""
    return row.astype(np.int64) * MAX_COLS + col


def name_of(key: int) -> str:
    """The cell of such a number.

    >>> name_of(int(keys(np.array([6]), np.array([1]))[0]))
    'B7'
    """
    return a1(*divmod(int(key), MAX_COLS))


def changes(original: Sheet, copied: Sheet) -> Iterator[str]:
    """What differs: `C5: …`, cell by cell; results of formulas may, which any program computes anew.

    Numbers and the serials of dates are compared to nine digits, texts but for white space.
    """
    before, after = keys(original.row, original.col), keys(copied.row, copied.col)
    common, left, right = np.intersect1d(before, after, assume_unique=True, return_indices=True)
    found = {int(key): "is empty, but was filled when exported" for key in np.setdiff1d(before, common)}
    found |= {int(key): "is filled, but was empty when exported" for key in np.setdiff1d(after, common)}
    typed = np.array([f is None for f in original.formula[left]], bool)
    a, b = original.number[left], copied.number[right]
    dated = (original.kind[left] == Kind.DATE) & (copied.kind[right] == Kind.DATE)
    same = np.isclose(a, b, rtol=CLOSE, atol=0) | ~typed | (original.value[left] == copied.value[right]).astype(bool)
    for i in np.flatnonzero(~same & (dated | ~(np.isfinite(a) & np.isfinite(b)))).tolist():
        same[i] = _words(original, int(left[i])) == _words(copied, int(right[i]))
    for i in np.flatnonzero(~same).tolist():
        was, now = (str(text)[:40] for text in (original.text[left[i]], copied.text[right[i]]))
        found[int(common[i])] = f"content has changed since the export, from {was!r} to {now!r}"
    yield from (f"{name_of(key)} {text}" for key, text in sorted(found.items()))


def _words(sheet: Sheet, index: int) -> list[str]:
    """What a cell says: a text or error word by word, a date to the second, a number as it is shown."""
    if sheet.kind[index] == Kind.DATE:
        return [str(sheet.value[index])[:19]]
    return str(sheet.text[index] if np.isfinite(sheet.number[index]) else sheet.value[index]).split()
