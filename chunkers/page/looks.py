"""Sheet -> what its grid looks like: shown lines, widths, heights and styles, in CSS pixels."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from cellroles.sheet import AnnotatedSheet, Ints, Role, Sheet, Style

ROW_HEIGHT = 22
COL_WIDTH = 72  # Excel's usual 8.43 characters
MOST_WIDE = 64  # columns of a merge that are looked at
BETWEEN = 0.8  # of a row's height per further line
MOST_LINES_HIGH = 12
POINT = 13 / 11  # pixels: Excel's usual 11 points appear as the page's 13 pixels
CHARACTER = 7.8  # pixels of a column's width per character: Excel's 7 for its usual font, more for wider ones
USUAL = 11  # points
PADDING = 12
GAP = 8
MARGIN = 2
MOST_LINES = 500_000  # browsers lay out about 16 million pixels
COLOR = re.compile(r"[0-9A-Fa-f]{6}")
ALIGNS = ("left", "right", "center", "centerContinuous", "justify", "distributed", "fill")
WIDEST_FIT = 28
APART = (Role.HEADER, Role.METADATA, Role.COMMENT)  # they run over their neighbours and make no column wide


def runs(lines: Iterable[int]) -> list[tuple[int, int]]:
    """Line numbers -> runs (first, count) of consecutive ones.

    >>> runs({4, 5, 6, 9})
    [(4, 3), (9, 1)]
    """
    found = np.unique(np.fromiter(lines, np.int64))
    starts = np.flatnonzero(np.diff(found, prepend=-2) != 1)
    return list(zip(found[starts].tolist(), np.diff(starts, append=len(found)).tolist(), strict=True))


def line_runs(lines: Ints) -> list[tuple[int, int]]:
    """The rows (or columns) to show for cells in these: all from the first, without long empty stretches.

    More than `GAP` empty lines shrink to `MARGIN` after what is before them and before what follows.

    >>> line_runs(np.array([0, 1, 100]))
    [(0, 4), (98, 5)]
    """
    filled = np.unique(np.append(lines, 0)).astype(np.int64)
    starts = np.flatnonzero(np.diff(filled, prepend=-GAP - 2) > GAP + 1)
    ends = np.append(starts[1:], len(filled)) - 1
    firsts = np.maximum(filled[starts] - MARGIN, 0)
    return list(zip(firsts.tolist(), (filled[ends] + MARGIN + 1 - firsts).tolist(), strict=True))


def shown_lines(row: Ints) -> int:
    """How many of the cells (sorted rows) lie in the first `MOST_LINES` shown rows."""
    steps = np.minimum(np.diff(row, prepend=0), GAP + 1)
    return int(np.searchsorted(np.cumsum(steps), MOST_LINES))


def col_widths(annotated: AnnotatedSheet) -> dict[int, int]:
    """Column -> width; Excel's own, or what its texts need where the file gives no width at all."""
    sheet = annotated.sheet
    if sheet.col_widths or not len(sheet):
        return {col: max(24, round(width * CHARACTER) + 6) for col, width in sheet.col_widths.items()}
    inside = ~np.isin(annotated.roles, APART)
    lengths = np.zeros(int(sheet.col.max()) + 1, np.int64)
    np.maximum.at(lengths, sheet.col[inside], np.fromiter(map(len, sheet.text[inside]), np.int64))
    pixels = np.clip(lengths, 6, WIDEST_FIT) * CHARACTER + PADDING
    return {col: int(pixels[col]) for col in np.unique(sheet.col[inside]).tolist()}


def row_heights(sheet: Sheet, widths: dict[int, int]) -> dict[int, int]:
    """Row -> height of the rows that need more than `ROW_HEIGHT`: for wrapped text or large letters."""
    line = np.array([max(ROW_HEIGHT, round(style.size * POINT * 1.5)) for style in sheet.styles] or [0], np.int64)
    wraps = np.array([style.wrap for style in sheet.styles] or [False])
    high = np.flatnonzero((line[sheet.style] > ROW_HEIGHT) | wraps[sheet.style]) if len(sheet) else np.zeros(0, int)
    spans = {(top, left): (bottom - top, right - left) for top, left, bottom, right in sheet.merges.tolist()}
    heights: dict[int, int] = {}
    for i in high.tolist():
        row, col = int(sheet.row[i]), int(sheet.col[i])
        tall, wide = spans.get((row, col), (1, 1))
        if tall > 1:
            continue
        style = sheet.styles[sheet.style[i]]
        room = sum(widths.get(c, COL_WIDTH) for c in range(col, col + min(wide, MOST_WIDE))) - PADDING
        letters = room / (CHARACTER * (style.size or USUAL) / USUAL)
        lines = _lines(str(sheet.text[i]), letters) if style.wrap else 1
        height = round(line[sheet.style[i]] * (1 + (lines - 1) * BETWEEN))
        heights[row] = max(heights.get(row, ROW_HEIGHT), height)
    return {row: height for row, height in heights.items() if height > ROW_HEIGHT}


def _lines(text: str, letters: float) -> int:
    """How many lines a text takes with so many letters in each."""
    return min(sum(1 + int(len(part) / max(letters, 1)) for part in text.split("\n")), MOST_LINES_HIGH)


def style_data(style: Style) -> dict[str, object]:
    """What differs from a plain cell; colours are checked, as they come from the file."""
    data = {
        "bold": style.bold,
        "italic": style.italic,
        "underline": style.underline,
        "strike": style.strike,
        "wrap": style.wrap,
        "indent": min(max(style.indent, 0), 15),
        "size": round(min(max(style.size * POINT, 9), 32)) if style.size and style.size != 11 else 0,
        "color": style.color if COLOR.fullmatch(style.color) else "",
        "fill": style.fill if COLOR.fullmatch(style.fill) else "",
        "align": style.align if style.align in ALIGNS else "",
        "valign": style.valign if style.valign in ("top", "center") else "",
        "border": "".join(side for side in "tblr" if side in style.border),
    }
    return {name: value for name, value in data.items() if value}
