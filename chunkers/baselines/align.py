"""A sheet and a text that another tool made of its raw values, in reading order -> where the text says each cell."""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime
from difflib import SequenceMatcher

import numpy as np

from cellroles.sheet import Sheet
from chunkers.baselines.placed import Span

NEAR, FAR = 64, 2_048
"""How many words may stand before a row that are no cells of ours: looked at first, and if the row is not there."""
DIGITS = 6
"""Significant digits and decimals that a printed number is told by: those that pandas prints."""
_WORD = re.compile(r"\S+")


def align(sheet: Sheet, text: str) -> tuple[list[int], list[Span]]:
    """Indices of the filled cells that are found, in reading order, and the characters [start, end) that say each.

    The words of a row are matched with those that follow the row before (longest runs first). A row counts if at least
    half of its words are there, a cell if half of its own are; numbers are compared as pandas prints them.
    """
    matches = list(_WORD.finditer(text))
    printed = [word_key(match[0]) for match in matches]
    cells, spans, at = list[int](), list[Span](), 0
    for lo, hi in _rows(sheet):
        words, owner = _row_words(sheet, lo, hi)
        found = _find_row(words, printed, at)
        if not found:
            continue
        at, sizes = max(found.values()) + 1, Counter(owner)
        places: dict[int, list[int]] = {}
        for number, place in found.items():
            places.setdefault(owner[number], []).append(place)
        for i, said in sorted(places.items()):
            if 2 * len(said) >= sizes[i]:
                cells.append(i)
                spans.append((matches[said[0]].start(), matches[said[-1]].end()))
    return cells, spans


def word_key(word: str) -> str:
    """What two prints of a word have in common: numbers by their value to six digits, other words as they are.

    >>> word_key("0.500000") == word_key("0.5"), word_key("1955.0") == word_key("1955"), word_key("Total")
    (True, True, 'Total')
    """
    try:
        return f"{round(float(word), DIGITS):.{DIGITS}g}"
    except ValueError:
        return word


def _rows(sheet: Sheet) -> list[tuple[int, int]]:
    """Index ranges of the rows."""
    starts = np.flatnonzero(np.diff(sheet.row, prepend=-1)).tolist()
    return list(zip(starts, [*starts[1:], len(sheet)], strict=True))


def _row_words(sheet: Sheet, lo: int, hi: int) -> tuple[list[str], list[int]]:
    """The words of the raw values of cells [lo, hi), and the cell of each."""
    words, owner = list[str](), list[int]()
    for i in range(lo, hi):
        value = sheet.value[i]
        said = str(value.replace(microsecond=0) if isinstance(value, datetime) else value).split()
        words += map(word_key, said)
        owner += [i] * len(said)
    return words, owner


def _find_row(words: list[str], printed: list[str], at: int) -> dict[int, int]:
    """Number of each word of a row -> its place among the printed words from `at` on; empty if not half are there."""
    for reach in (NEAR, FAR):
        window = printed[at : at + len(words) + reach]
        blocks = SequenceMatcher(None, words, window, autojunk=False).get_matching_blocks()
        if 2 * sum(block.size for block in blocks) >= len(words):
            return {block.a + n: at + block.b + n for block in blocks for n in range(block.size)}
        if len(window) < len(words) + reach:
            break
    return {}
