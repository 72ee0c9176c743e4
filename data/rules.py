"""Labels as a corpus gives them -> labels as the guide means them, by general rules over roles and targets."""

from __future__ import annotations

import re

import numpy as np

from cellroles.sheet import COLUMN_HEADERS, DATA_ROLES, ROW_HEADERS, Bools, Bytes, Kind, Role, Sheet
from data.labelled import Targets, role_set

DATA = np.uint16(role_set(DATA_ROLES))
TEXTS = np.uint16(role_set([Role.HEADER, Role.METADATA]))
COLUMN_LEVELS = np.uint16(role_set(COLUMN_HEADERS))
ROW_LEVELS = np.uint16(role_set(ROW_HEADERS))
FIRST_COLUMN_LEVEL = np.uint16(role_set([Role.COL_HEADER_1]))

TOTAL = re.compile(
    r"\b(?:grand |sub-?)?(?:totals?|totaux|totales|sum|overall|average|mean|moyenne|ensemble|insgesamt|gesamt)\b"
    r"|^\s*(?:all|alle|tous|toutes|todos|todas)\b|合\s*计|小\s*计|总\s*计|合\s*計|総\s*数|総\s*計|^\s*計\s*$|مجموع|إجمالي|اجمالي|جملة",
    re.IGNORECASE,
)
REFERENCE = re.compile(r"\$?[A-Z]{1,3}\$?[0-9]+(?![0-9A-Z(])", re.IGNORECASE)
COPY = re.compile(r"=\+?(?:(?:'[^']*'|[^'!(),]+)!)?\$?[A-Z]{1,3}\$?[0-9]+", re.IGNORECASE)


def formulas_decide(sheet: Sheet, roles: Bytes, targets: Targets) -> tuple[Bytes, Targets]:
    """A data cell whose formula computes from other cells is aggregation; of constants, or a bare copy, it is value."""
    data = np.isin(roles, DATA_ROLES) & np.array([formula is not None for formula in sheet.formula], bool)
    computed = np.zeros(len(sheet), bool)
    computed[data] = [_computes(formula) for formula in sheet.formula[data]]
    roles = np.where(data, np.where(computed, Role.AGGREGATION, Role.VALUE), roles).astype(np.uint8)
    return roles, np.where(data, np.uint16(1) << roles, targets).astype(np.uint16)


def totals_open(sheet: Sheet, roles: Bytes, targets: Targets) -> tuple[Bytes, Targets]:
    """Guessed totals, and values beside or below a label that names a total, may be value or aggregation."""
    named = np.array([bool(TOTAL.search(text)) for text in sheet.text], bool)
    rows = sheet.row[named & np.isin(roles, ROW_HEADERS)]
    columns = sheet.col[named & np.isin(roles, COLUMN_HEADERS)]
    beside = np.isin(sheet.row, rows) | np.isin(sheet.col, columns)
    typed = np.array([formula is None for formula in sheet.formula], bool)
    guessed = (roles == Role.AGGREGATION) & (targets == 0)
    return roles, np.where(guessed | ((targets == 1 << Role.VALUE) & beside & typed), DATA, targets)


def titles_open(sheet: Sheet, roles: Bytes, targets: Targets) -> tuple[Bytes, Targets]:
    """Lines outside the tables that were split into titles and notes by a guess may be header or metadata."""
    guessed = np.isin(roles, (Role.HEADER, Role.METADATA)) & (targets == 0)
    return roles, np.where(guessed, TEXTS, targets)


def column_headers_stand(sheet: Sheet, roles: Bytes, targets: Targets) -> tuple[Bytes, Targets]:
    """Only the depth of a guessed column header is a guess; a corner label of depth 1 is depth 1."""
    guessed = np.isin(roles, COLUMN_HEADERS) & (targets == 0)
    corner = guessed & (roles == Role.COL_HEADER_1) & _first_in_row(sheet)
    return roles, np.where(corner, FIRST_COLUMN_LEVEL, np.where(guessed, COLUMN_LEVELS, targets))


def corners_name_columns(sheet: Sheet, roles: Bytes, targets: Targets) -> tuple[Bytes, Targets]:
    """A row header that leads a row of column headers is the corner, col_header_1.

    With a single column header beside it, the row may as well be the first record of a form: both are masked.
    """
    columns = _count_by_row(sheet, np.isin(roles, COLUMN_HEADERS))
    leads = _first_in_row(sheet) & np.isin(roles, ROW_HEADERS)
    alone = _count_by_row(sheet, np.ones(len(sheet), bool)) == columns + 1
    corner = leads & alone & (columns >= 2)
    form = np.isin(sheet.row, sheet.row[leads & alone & (columns == 1)])
    targets = np.where(corner, FIRST_COLUMN_LEVEL, np.where(form, np.uint16(0), targets))
    return np.where(corner, Role.COL_HEADER_1, roles).astype(np.uint8), targets


def unit_lines_freed(sheet: Sheet, roles: Bytes, targets: Targets) -> tuple[Bytes, Targets]:
    """A row header alone in its row, right of the stub, is a units line (`percent`): masked, no row header here.

    Where a published tree took the column of such a line for a second stub, its numbers became row headers and the
    labels left of them parents: the numbers are data again, the labels row headers of any depth.
    """
    headers = np.isin(roles, ROW_HEADERS)
    inner = headers & (sheet.col > sheet.col[headers].min(initial=np.iinfo(np.int32).max))
    units = inner & (_count_by_row(sheet, np.ones(len(sheet), bool)) == 1)
    numbers = inner & (sheet.kind == Kind.NUMBER) & np.isin(sheet.col, sheet.col[units])
    data = inner & ~units & np.isin(sheet.col, sheet.col[numbers])
    labels = headers & ~inner & data.any()
    freed = np.select([units, data, labels & (targets > 0)], [np.uint16(0), DATA, ROW_LEVELS], targets)
    return np.where(data, Role.VALUE, roles).astype(np.uint8), freed


def joint_identifiers(sheet: Sheet, roles: Bytes, targets: Targets) -> tuple[Bytes, Targets]:
    """Two neighbouring stub columns that name every record together, one label each (`7 | Sweden`), are both innermost;
    a published tree takes the left one for a parent of one child each.
    """
    at = {(int(row), int(col)): i for i, (row, col) in enumerate(zip(sheet.row, sheet.col, strict=True))}
    outer, inner = roles == Role.ROW_HEADER_2, roles == Role.ROW_HEADER_1
    pairs = [(int(i), at.get((int(sheet.row[i]), int(sheet.col[i]) + 1), -1)) for i in np.flatnonzero(outer)]
    pairs = [(i, j) for i, j in pairs if j >= 0 and inner[j]]
    for col in {int(sheet.col[i]) for i, _ in pairs}:
        left = np.array([i for i, _ in pairs if sheet.col[i] == col])
        children = np.count_nonzero(inner & (sheet.col == col + 1))
        if len(left) >= 3 and children == len(left) == len(set(sheet.text[left])):
            roles, targets = roles.copy(), targets.copy()
            targets[left] = np.where(targets[left] > 0, 1 << Role.ROW_HEADER_1, 0)
            roles[left] = Role.ROW_HEADER_1
    return roles, targets


def total_labels_open(sheet: Sheet, roles: Bytes, targets: Targets) -> tuple[Bytes, Targets]:
    """A label of a total above the others is their root in published trees, and of the level of its siblings or
    innermost by the guide: its depth is open."""
    outer = np.isin(roles, ROW_HEADERS[1:]) & (targets > 0)
    outer[outer] = [TOTAL.search(text) is not None for text in sheet.text[outer]]
    data = np.isin(roles, DATA_ROLES)
    return roles, np.where(outer & (_count_by_row(sheet, data) > 0), ROW_LEVELS, targets)


def _computes(formula: str) -> bool:
    return bool(REFERENCE.search(formula)) and not COPY.fullmatch(formula.strip())


def _count_by_row(sheet: Sheet, mask: Bools) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """How many cells of each cell's row are in `mask`; shape (n,) -> (n,)."""
    _, row = np.unique(sheet.row, return_inverse=True)
    counts: np.ndarray[tuple[int], np.dtype[np.int64]] = np.bincount(row, mask).astype(np.int64)[row]
    return counts


def _first_in_row(sheet: Sheet) -> Bools:
    """Whether a cell is the leftmost filled cell of its row; cells are sorted by row, then column."""
    first = np.ones(len(sheet), np.bool_)
    first[1:] = np.diff(sheet.row) > 0
    return first
