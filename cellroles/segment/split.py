"""Tables + roles -> tables without another table glued below them."""

from __future__ import annotations

import numpy as np

from cellroles.headers.view import merge_ends
from cellroles.segment.boxes import Longs
from cellroles.sheet import COLUMN_HEADERS, DATA_ROLES, ROW_HEADERS, Bools, Bytes, Ints, Role, Sheet

SAME_NAMES = 0.5  # share of names from which on a header block repeats the one before


def split_tables(sheet: Sheet, roles: Bytes, table_of: Ints) -> dict[int, list[int]]:
    """Per table the rows where a new table starts in the middle of its body, ascending.

    A new table brings its own names, for all columns with data below them, in rows of headers alone. Header blocks that
    repeat, that name only some columns or that stand under outer headers of the first block go on with their table:
    the column paths cope with those, whereas a wrong cut loses labels.
    """
    in_table = table_of >= 0
    first_data = np.full(int(table_of.max(initial=-1)) + 1, np.iinfo(np.int32).max, np.int32)
    data = in_table & np.isin(roles, DATA_ROLES)
    np.minimum.at(first_data, table_of[data], sheet.row[data])
    names = in_table & (roles == Role.COL_HEADER_1)
    late = np.unique(table_of[names][sheet.row[names] > first_data[table_of[names]]])
    ends = merge_ends(sheet) if len(late) else (sheet.row, sheet.col)
    found = {int(t): _starts(sheet, roles, np.flatnonzero(table_of == t), *ends) for t in late}
    return {t: rows for t, rows in found.items() if rows}


def _starts(sheet: Sheet, roles: Bytes, at: Longs, bottom: Ints, right: Ints) -> list[int]:
    """The rows where the cells `at` of one table start a new one."""
    row, col, role = sheet.row[at], sheet.col[at], roles[at]
    header = np.isin(role, COLUMN_HEADERS)
    data = np.isin(role, DATA_ROLES)
    blocks = _blocks(row, header, np.isin(role, (*DATA_ROLES, *ROW_HEADERS)))
    depth = np.where(header, role, 0)
    tops = [int(block[0]) for block in blocks] + [int(row[-1]) + 1]
    starts, last = [], _cells(row, header, blocks[0])
    for block, after in zip(blocks[1:], tops[2:], strict=True):
        own = _cells(row, header, block)
        first, stop = np.searchsorted(row, (block[0], after))
        inside = np.arange(first, stop)
        body = inside[data[inside]]
        if (
            len(body)
            and row[body[0]] > block[-1]
            and _brings_names(sheet, at, own[role[own] == Role.COL_HEADER_1], last)
            and depth[own].max() >= depth[last].max()
            and _covers(col[own], right[at[own]], col[body])
            and bottom[at[:first]].max() <= block[0]
        ):
            starts.append(int(block[0]))
            last = own
    return starts


def _blocks(row: Ints, header: Bools, body: Bools) -> list[Ints]:
    """Runs of header rows without a row between that holds data or row headers and no column header."""
    rows = np.unique(row[header])
    between = np.setdiff1d(row[body], rows)
    return np.split(rows, np.flatnonzero(np.diff(np.searchsorted(between, rows)) > 0) + 1)


def _cells(row: Ints, header: Bools, block: Ints) -> Longs:
    first, stop = np.searchsorted(row, (block[0], block[-1] + 1))
    cells: Longs = first + np.flatnonzero(header[first:stop])
    return cells


def _brings_names(sheet: Sheet, at: Longs, own: Longs, last: Longs) -> bool:
    """Whether these column headers, two at least, are mostly none of the earlier block's."""
    if len(own) < 2:
        return False
    before = set(sheet.text[at[last]])
    return sum(text in before for text in sheet.text[at[own]]) < SAME_NAMES * len(own)


def _covers(start: Ints, end: Ints, cols: Ints) -> bool:
    """Whether every column has a header [start, end) over it."""
    change = np.zeros(int(max(end.max(), cols.max())) + 2, np.int32)
    np.add.at(change, start, 1)
    np.add.at(change, end, -1)
    return bool((np.cumsum(change)[cols] > 0).all())
