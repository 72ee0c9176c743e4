"""Cells -> neighbourhood features: where a cell stands in its component, and what its row and column hold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cellroles.features.content import STRING_FEATURES, StringTable, kinds
from cellroles.features.formula import FormulaFacts
from cellroles.features.layout import Groups, Layout, running_before
from cellroles.sheet import Bools, Floats, Ints, Kind, Part, Sheet

NEIGHBOURHOOD = (
    "relative_row",
    "relative_col",
    "from_top",
    "from_left",
    "to_bottom",
    "to_right",
    "rows",
    "cols",
    "sheet_row",
    "row_text_share",
    "row_number_share",
    "row_fill",
    "col_text_share",
    "col_number_share",
    "col_fill",
    "up_adjacent",
    "down_adjacent",
    "left_adjacent",
    "right_adjacent",
    "up_same_style",
    "down_same_style",
    "left_same_style",
    "right_same_style",
    "alone_in_row",
    "col_distinct",
    "numbers_above",
    "numbers_left",
    "numbers_below_share",
    "numbers_right_share",
    "blank_rows_above",
    "next_more_indented",
    "lead_total_word",
    "lead_length",
    "lead_digit_share",
    "lead_bold",
    "lead_year",
    "top_total_word",
    "top_length",
    "top_digit_share",
    "top_text",
    "top_style_share",
)


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """What each row and column group of the layout holds (shares in [0, 1]), each cell's nearest neighbours, and
    the share of cells that have each style (styles,).

    `nearest` (n, 4): the next filled cell up, down, left and right in its component, -1 where there is none.
    `numbers_above` and `numbers_left` (n,) count the numbers before a cell in its column and row.
    """

    row_text_share: Floats
    row_number_share: Floats
    row_formula_share: Floats
    row_sum_share: Floats
    row_numbers: Ints
    col_text_share: Floats
    col_number_share: Floats
    col_sum_share: Floats
    col_numbers: Ints
    col_distinct: Floats
    numbers_above: Ints
    numbers_left: Ints
    nearest: Ints
    indent: Floats
    style_share: Floats
    blank_above: Floats


def profile_of(sheet: Sheet, layout: Layout, strings: StringTable, formulas: FormulaFacts) -> Profile:
    """Count once per row and per column of each component what the features of their cells need."""
    kind = kinds(sheet)
    text, number = kind == Kind.TEXT, (kind == Kind.NUMBER) | (kind == Kind.DATE)
    rows, cols = layout.rows, layout.cols
    row_numbers, col_numbers = rows.sums(number), cols.sums(number)
    counted = np.where(sheet.kind == Kind.NUMBER, sheet.number, np.nan_to_num(strings.amounts)) != 0
    down = formulas.column("sum_above") | formulas.column("sum_below")
    across = formulas.column("sum_left") | formulas.column("sum_right")
    return Profile(
        row_text_share=_f(rows.shares(text)),
        row_number_share=_f(rows.shares(number)),
        row_formula_share=_f(rows.shares(formulas.column("formula"))),
        row_sum_share=_f(_sum_share(rows, counted, down, formulas.sums[:, 0])),
        row_numbers=row_numbers.astype(np.int32),
        col_text_share=_f(cols.shares(text)),
        col_number_share=_f(cols.shares(number)),
        col_sum_share=_f(_sum_share(cols, counted, across, formulas.sums[:, 1])),
        col_numbers=col_numbers.astype(np.int32),
        col_distinct=_f(_distinct_share(cols, strings.exact)),
        numbers_above=_running(number, layout.down, layout.column_in_order),
        numbers_left=_running(number, layout.across, layout.row_in_order),
        nearest=nearest_cells(layout),
        indent=indents(sheet, strings),
        style_share=_f(np.bincount(sheet.style, minlength=len(sheet.styles)) / max(len(sheet), 1)),
        blank_above=_blank_rows_above(sheet.row),
    )


def _ends(sheet: Sheet, strings: StringTable, style_share: Floats, cells: Ints) -> list[Floats]:
    """Total word, length, digit share, bold, year, text and style share of the cells `cells`: seven columns."""
    wanted = [STRING_FEATURES.index(name) for name in ("total_word", "length", "digit_share")]
    style, number = sheet.style[cells], sheet.number[cells]
    bold = np.array([style.bold for style in sheet.styles], np.float32)
    year = (number % 1 == 0) & (number >= 1900) & (number <= 2100)
    text = (sheet.kind[cells] == Kind.TEXT) & ~sheet.uncached[cells]
    others = (bold[style], year.astype(np.float32), text.astype(np.float32), style_share[style])
    return [*strings.features[:, wanted][strings.id[cells]].T, *others]


def _f(values: NDArray[np.float64]) -> Floats:
    return values.astype(np.float32)


def _distinct_share(groups: Groups, ids: Ints) -> NDArray[np.float64]:
    pairs = np.unique(groups.id.astype(np.int64) << 32 | ids)
    distinct = np.bincount(pairs >> 32, minlength=len(groups.size))
    return distinct / np.maximum(groups.size, 1)


def _sum_share(lines: Groups, counted: Bools, sure: Bools, sums: Bools) -> NDArray[np.float64]:
    """Share of each line's numbers other than zero that are sums of others; those of one part count where several of
    the line's numbers are sums of more."""
    certain = lines.sums(sure)
    several = certain >= np.maximum(2, 0.1 * lines.sums(counted))
    return np.where(several, lines.sums(sums), certain) / np.maximum(lines.sums(counted), 1)


def _running(flags: Bools, order: Ints, group: Ints) -> Ints:
    counts = np.empty(len(flags), np.int32)
    counts[order] = running_before(flags[order].astype(np.float64), group)
    return counts


def nearest_cells(layout: Layout) -> Ints:
    """The next filled cell up, down, left and right in the same component, shape (n, 4); -1 for none."""
    nearest = np.full((len(layout.component), 4), -1, np.int32)
    for order, group, before, after in (
        (layout.down, layout.column_in_order, 0, 1),
        (layout.across, layout.row_in_order, 2, 3),
    ):
        same = group[1:] == group[:-1]
        nearest[order[1:][same], before] = order[:-1][same]
        nearest[order[:-1][same], after] = order[1:][same]
    return nearest


def indents(sheet: Sheet, strings: StringTable) -> Floats:
    """Indentation of each cell in half levels: 2 x the style's indent + leading spaces and marks (PATHS rule R10)."""
    style = np.array([2.0 * style.indent for style in sheet.styles], np.float32)
    marks = (
        strings.features[:, STRING_FEATURES.index("leading_marks")] * 8
        if len(strings.features)
        else np.zeros(0, np.float32)
    )
    return np.asarray(style[sheet.style] + marks[strings.id], np.float32)


def _blank_rows_above(row: Ints) -> Floats:
    """Blank rows between a cell's row and the filled row above it, at most 3, over 3; 1 for the first row."""
    if not len(row):
        return np.zeros(0, np.float32)
    distinct, index = np.unique(row, return_inverse=True)
    gap = np.r_[4, np.diff(distinct)] - 1
    return np.asarray((np.minimum(gap, 3) / 3)[index], np.float32)


def _log(counts: NDArray[np.generic]) -> NDArray[np.float64]:
    return np.log1p(np.asarray(counts, np.float64)) / 5


def neighbourhood_features(sheet: Sheet, strings: StringTable, profile: Profile, layout: Layout, part: Part) -> Floats:
    """Neighbourhood features of the cells of `part`, shape (k, 41)."""
    row, col = sheet.row[part], sheet.col[part]
    row_group, col_group = layout.rows.id[part], layout.cols.id[part]
    top, left, bottom, right = layout.box[layout.component[part]].T
    height, width = bottom - top, right - left
    above, before = profile.numbers_above[part], profile.numbers_left[part]
    own = (profile.row_number_share[row_group], profile.col_number_share[col_group])
    below = profile.col_numbers[col_group] - above
    beyond = profile.row_numbers[row_group] - before
    lead = _ends(sheet, strings, profile.style_share, layout.row_lead[part])
    top_cell = _ends(sheet, strings, profile.style_share, layout.column_top[part])
    columns = [
        (row - top) / np.maximum(height - 1, 1),
        (col - left) / np.maximum(width - 1, 1),
        _log(row - top),
        _log(col - left),
        _log(bottom - 1 - row),
        _log(right - 1 - col),
        _log(height),
        _log(width),
        _log(row),
        profile.row_text_share[row_group],
        own[0],
        layout.rows.size[row_group] / width,
        profile.col_text_share[col_group],
        own[1],
        layout.cols.size[col_group] / height,
        *_adjacency(sheet, profile, part),
        layout.rows.size[row_group] == 1,
        profile.col_distinct[col_group],
        _log(above),
        _log(before),
        below / np.maximum(bottom - row, 1),
        beyond / np.maximum(right - col, 1),
        profile.blank_above[part],
        _next_indent(profile, part),
        *lead[:5],
        *top_cell[:3],
        *top_cell[5:],
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def _adjacency(sheet: Sheet, profile: Profile, part: Part) -> list[Bools]:
    """Whether the next cell in each direction touches, then whether it has the same style: eight columns."""
    nearest = profile.nearest[part]
    found = nearest >= 0
    distance = np.abs(sheet.row[nearest] - sheet.row[part, None]) + np.abs(sheet.col[nearest] - sheet.col[part, None])
    same = found & (sheet.style[nearest] == sheet.style[part, None])
    touching = found & (distance == 1)
    return [*touching.T, *same.T]


def _next_indent(profile: Profile, part: Part) -> Floats:
    """How much more the cell below is indented, in levels, within [-1, 1]."""
    below = profile.nearest[part, 1]
    step = np.where(below >= 0, profile.indent[below] - profile.indent[part], 0)
    return np.clip(step / 4, -1, 1).astype(np.float32)
