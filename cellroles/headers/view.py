"""Sheet + roles + table numbers -> each table's cells with merge spans, header depths and indentation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cellroles.sheet import DATA_ROLES, Bools, Bytes, Ints, Role, Sheet, Table

# A mark that stands for indentation where the text has no spaces: "- of which", "> men", "... of them".
_MARGIN = re.compile(r"([ \u00a0\u3000\t]*)(>+|[-–—•·*‣▪]|\.{2,}|…)?")
_MARK_WIDTH = 2


@dataclass(frozen=True, slots=True, eq=False)
class TableView:
    """The filled cells of one table in sheet order; every array has length k.

    `index` is the cell's index in the sheet; `data` are values and aggregations, `remark` comments, which have paths
    too; `bottom` and `right` (exclusive) are where its merge ends, clipped to the
    table; `col_depth` and `row_depth` are 1-3 for headers and 0 elsewhere; `indent` counts characters, 0 unless a
    row header.
    """

    index: Ints
    row: Ints
    col: Ints
    bottom: Ints
    right: Ints
    col_depth: Ints
    row_depth: Ints
    data: Bools
    remark: Bools
    indent: Ints

    def __len__(self) -> int:
        return len(self.index)


def merge_ends(sheet: Sheet) -> tuple[Ints, Ints]:
    """Per filled cell the first row below and the first column right of it or of the merge that it anchors."""
    bottom, right = sheet.row + 1, sheet.col + 1
    if len(sheet) and len(sheet.merges):
        width = int(max(sheet.col.max(), sheet.merges[:, 1].max())) + 1
        key = sheet.row.astype(np.int64) * width + sheet.col
        anchor = sheet.merges[:, 0].astype(np.int64) * width + sheet.merges[:, 1]
        at = np.minimum(np.searchsorted(key, anchor), len(key) - 1)
        hit = key[at] == anchor
        bottom[at[hit]], right[at[hit]] = sheet.merges[hit, 2], sheet.merges[hit, 3]
    return bottom, right


def indentation(sheet: Sheet, wanted: Bools) -> Ints:
    """Margins where a bold label stands one character further out than a plain one; 0 for cells not wanted."""
    plain = np.array([not style.bold for style in sheet.styles], np.int32)
    return np.where(wanted, margins(sheet, wanted) + plain[sheet.style], 0).astype(np.int32)


def margins(sheet: Sheet, wanted: Bools) -> Ints:
    """Characters before each wanted cell's text, 0 for the others; a step of the style and a leading mark count 2."""
    steps = np.array([2 * style.indent for style in sheet.styles], np.int32)
    margin = np.zeros(len(sheet), np.int32)
    at = np.flatnonzero(wanted)
    if len(at):
        margin[at] = steps[sheet.style[at]] + [_margin(str(text)) for text in sheet.text[at]]
    return margin


def _margin(text: str) -> int:
    if text[:1].isalnum():
        return 0
    match = _MARGIN.match(text)
    assert match is not None
    spaces, mark = match.groups()
    # a mark with nothing after it ("-", "...") is a placeholder, and "-5" a number
    real = mark and text[match.end() :].strip() and not text[match.end()].isdigit()
    return len(spaces) + (_MARK_WIDTH if real else 0)


def table_views(sheet: Sheet, roles: Bytes, tables: tuple[Table, ...], table_of: Ints) -> Iterator[TableView]:
    """The views of all tables, in order; O(n log n) over the sheet, whatever the number of tables."""
    bottom, right = merge_ends(sheet)
    col_depth = _depth(roles, Role.COL_HEADER_1)
    row_depth = _depth(roles, Role.ROW_HEADER_1)
    indent = indentation(sheet, row_depth > 0)
    data = np.isin(roles, DATA_ROLES)
    order = np.argsort(table_of, kind="stable").astype(np.int32)
    ends = np.searchsorted(table_of[order], np.arange(len(tables) + 1))
    for table, start, end in zip(tables, ends[:-1], ends[1:], strict=True):
        at = order[start:end]
        yield TableView(
            at,
            sheet.row[at],
            sheet.col[at],
            np.minimum(bottom[at], np.maximum(table.region.bottom, sheet.row[at] + 1)),
            np.minimum(right[at], np.maximum(table.region.right, sheet.col[at] + 1)),
            col_depth[at],
            row_depth[at],
            data[at],
            roles[at] == Role.COMMENT,
            indent[at],
        )


def _depth(roles: Bytes, first: Role) -> Ints:
    depth = roles.astype(np.int32) - int(first) + 1
    return np.where((depth >= 1) & (depth <= 3), depth, 0).astype(np.int32)
