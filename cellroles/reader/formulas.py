"""Shared formula and offset -> formula text, at a few microseconds a cell."""

from __future__ import annotations

import re
from functools import lru_cache

from openpyxl.utils.cell import column_index_from_string, get_column_letter

QUOTED_OR_CELL = re.compile(
    r"""("(?:[^"]|"")*"|'(?:[^']|'')*'|\[[^\]]*\])"""
    r"""|(?<![\w.$!])(\$?)([A-Za-z]{1,3})(\$?)([1-9]\d{0,6})(?![\w(.!])"""
    r"""|(?<=!)(\$?)([A-Za-z]{1,3})(\$?)([1-9]\d{0,6})(?![\w(.!])"""
)
Piece = tuple[str, str, int, str, int]


@lru_cache(maxsize=1024)
def _pieces(formula: str) -> tuple[tuple[Piece, ...], str]:
    pieces: list[Piece] = []
    end = 0
    for match in QUOTED_OR_CELL.finditer(formula):
        if match[1]:
            continue
        col_fixed, col, row_fixed, row = (match[i] or match[i + 4] or "" for i in range(2, 6))
        pieces.append((formula[end : match.start()], col_fixed, column_index_from_string(col), row_fixed, int(row)))
        end = match.end()
    return tuple(pieces), formula[end:]


def shift_formula(formula: str, rows: int, cols: int) -> str:
    """The formula as it reads `rows` below and `cols` to the right of where it was written.

    >>> shift_formula('=SUM(A1:$B2)&"A1"&Sheet2!C$3', 1, 2)
    '=SUM(C2:$B3)&"A1"&Sheet2!E$3'
    >>> shift_formula("=A1", -1, 0)
    '=#REF!'
    """
    pieces, tail = _pieces(formula)
    out = []
    for before, col_fixed, col, row_fixed, row in pieces:
        col, row = (col if col_fixed else col + cols), (row if row_fixed else row + rows)
        inside = 1 <= col <= 16384 and 1 <= row <= 1048576
        out.append(f"{before}{col_fixed}{get_column_letter(col)}{row_fixed}{row}" if inside else f"{before}#REF!")
    return "".join(out) + tail
