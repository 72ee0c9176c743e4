"""Shared formula and offset -> formula text, at a few microseconds a cell."""

from __future__ import annotations

import re
from functools import lru_cache

from openpyxl.utils.cell import column_index_from_string, get_column_letter

LAST_COL, LAST_ROW = 16384, 1048576
COL, ROW = r"(\$?)([A-Za-z]{1,3})", r"(\$?)([1-9]\d{0,6})"
# Quoted text and bracketed names are matched first so that nothing inside them is taken for a reference.
REFERENCE = re.compile(
    r""""(?:[^"]|"")*"|'(?:[^']|'')*'|\[[^\]]*\]"""
    rf"""|(?<![\w.$])(?:{COL}{ROW}|{COL}(?=:\$?[A-Za-z]{{1,3}}\b)|{ROW}(?=:\$?\d)|(?<=:){COL}|(?<=:){ROW})(?![\w(.!])"""
)
Piece = tuple[str, str, int, str, int]


@lru_cache(maxsize=1024)
def _pieces(formula: str) -> tuple[tuple[Piece, ...], str]:
    """The text before each reference and the reference: `$` or nothing, column (0: rows), `$`, row (0: columns)."""
    pieces: list[Piece] = []
    end = 0
    for match in REFERENCE.finditer(formula):
        if match.lastindex is None:
            continue
        groups = match.groups("")
        col_fixed, row_fixed = groups[0] or groups[4] or groups[8], groups[2] or groups[6] or groups[10]
        col, row = groups[1] or groups[5] or groups[9], groups[3] or groups[7] or groups[11]
        number = column_index_from_string(col) if col else 0
        pieces.append((formula[end : match.start()], col_fixed, number, row_fixed, int(row or 0)))
        end = match.end()
    return tuple(pieces), formula[end:]


def shift_formula(formula: str, rows: int, cols: int) -> str:
    """The formula as it reads `rows` below and `cols` to the right of where it was written.

    >>> shift_formula('=SUM(A1:$B2)&"A1"&Sheet2!C$3', 1, 2)
    '=SUM(C2:$B3)&"A1"&Sheet2!E$3'
    >>> shift_formula("=A1+SUM(F:$G,6:7)", -1, 1)
    '=#REF!+SUM(G:$G,5:6)'
    """
    pieces, tail = _pieces(formula)
    out = []
    for before, col_fixed, col, row_fixed, row in pieces:
        new_col, new_row = (col if col_fixed or not col else col + cols), (row if row_fixed or not row else row + rows)
        inside = bool(col) <= new_col <= LAST_COL and bool(row) <= new_row <= LAST_ROW
        letters, digits = get_column_letter(new_col) if col and inside else "", str(new_row) if row else ""
        out.append(f"{before}{col_fixed}{letters}{row_fixed}{digits}" if inside else f"{before}#REF!")
    return "".join(out) + tail
