"""Weights of roles -> kinds of cells that agree with the kinds of rows and columns that cross in them.

A table is mostly regular: where a body row meets a stub column stands a row header, where it meets another column a
value; a header row holds column headers, a group row row headers, a title or note neither; after a stub column of outer
labels comes another stub column. What rows and columns are is not known either, so both are inferred together with the
cells, by mean-field steps (Jordan et al. 1999): rows from their cells, the kinds of the columns and the rows above and
below them, columns likewise. One decision for the column of a table replaces many for its cells.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cellroles.decode.evidence import KIND_OF_ROLE, KINDS, ROW, Evidence
from cellroles.decode.grid import Grid
from cellroles.sheet import Bools, Bytes, Floats, Ints, Role

Doubles = NDArray[np.float64]

STEPS = 4
ROW_KINDS = ("header", "body", "group", "text")
COLUMN_KINDS = ("outer stub", "stub", "values")
FLOOR = 0.01  # no cell is surer than this
VOICES = 6  # a line of more cells says no more than so many of them would: its cells err together
STRAY = 0.05  # share of cells that are not what their row and column say
PARENTS = 0.2  # share of outer labels in a stub column, whose parents stand in rows of their own
ANYTHING = 0.05  # share of lines that follow no rule

# Kinds of cells here: data, column header, innermost and outer row header, any other.
CELL_OF_ROLE = np.where(KIND_OF_ROLE > ROW, KIND_OF_ROLE + 1, KIND_OF_ROLE)
CELL_OF_ROLE[[Role.ROW_HEADER_2, Role.ROW_HEADER_3]] = ROW + 1
CELLS = len(KINDS) + 1
MEMBERS = (CELL_OF_ROLE[:, None] == np.arange(CELLS)).astype(np.float32)
_DATA, _COLUMN, _INNER, _OUTER, _OTHER = np.eye(CELLS)
_STUB = (1 - PARENTS) * _INNER + PARENTS * _OUTER
_GROUP = (1 - PARENTS) * _OUTER + PARENTS * _INNER
_RULE = np.array([[_COLUMN] * 3, [_OUTER, _STUB, _DATA], [_GROUP] * 3, [_OTHER] * 3])
CELL_GIVEN = (1 - STRAY) * _RULE + STRAY / CELLS
# Which kind of line comes first and what follows what, counted in the components of training sheets: rows in those of
# eight corpora (mean of corpora), columns in those of four corpora with published trees and in synthetic ones.
FIRST_ROW = np.array([0.18, 0.19, 0.01, 0.62])
ROW_AFTER = np.array(
    [[0.42, 0.53, 0.05, 0.00], [0.00, 0.94, 0.03, 0.03], [0.01, 0.59, 0.39, 0.01], [0.27, 0.02, 0.00, 0.71]]
)
FIRST_COLUMN = np.array([0.07, 0.68, 0.25])
COLUMN_AFTER = np.array([[0.20, 0.78, 0.02], [0.01, 0.06, 0.93], [0.00, 0.01, 0.99]])


def agree_at_crossings(evidence: Evidence, grid: Grid) -> Bytes:
    """The roles (n,) that are most likely given the kinds of the rows and columns of their component."""
    rows, columns = line_kinds(evidence, grid)
    expected = np.einsum("it,ic,tck->ik", rows[grid.row], columns[grid.column], CELL_GIVEN)
    weight = by_cell(evidence.own) * expected
    weight[:, ROW] += weight[:, ROW + 1]  # depths are settled later: here a label is a label
    kind = np.delete(weight, ROW + 1, axis=1).argmax(axis=1)
    of_kind = kind[:, None] == KIND_OF_ROLE[None, :]
    return np.asarray((evidence.own * of_kind).argmax(axis=1), np.uint8)


def by_cell(weights: Floats) -> Floats:
    """(n, 13) -> (n, 5): the weight of every kind of cell."""
    return np.asarray(weights @ MEMBERS, np.float32)


def line_kinds(evidence: Evidence, grid: Grid) -> tuple[Doubles, Doubles]:
    """Probabilities of ROW_KINDS for every row (r, 4) and of COLUMN_KINDS for every column (c, 3) of a component."""
    seen = np.maximum(by_cell(evidence.vote), FLOOR)
    fit = np.einsum("tck,ik->itc", CELL_GIVEN.astype(np.float32), seen)  # (n, 4, 3)
    first_row, first_column = _first_lines(grid.row, grid.component), _first_lines(grid.column, grid.component)
    rows = np.full((len(first_row), len(ROW_KINDS)), 1 / len(ROW_KINDS))
    columns = np.where(first_column[:, None], FIRST_COLUMN, 1 / len(COLUMN_KINDS))
    for _ in range(STEPS):
        votes = _line_votes(grid.row, np.log(np.einsum("itc,ic->it", fit, columns[grid.column].astype(np.float32))))
        rows = _normalised(votes + _neighbours(rows, first_row, FIRST_ROW, ROW_AFTER))
        votes = _line_votes(grid.column, np.log(np.einsum("itc,it->ic", fit, rows[grid.row].astype(np.float32))))
        columns = _normalised(votes + _neighbours(columns, first_column, FIRST_COLUMN, COLUMN_AFTER))
    return rows, columns


def _first_lines(line: Ints, component: Ints) -> Bools:
    """Whether a line is the first of its component; lines are numbered component by component."""
    owner = np.empty(int(line.max(initial=-1)) + 1, np.int32)
    owner[line] = component
    return np.asarray(np.diff(owner, prepend=-1) != 0)


def _neighbours(lines: Doubles, first: Bools, at_first: Doubles, after: Doubles) -> Doubles:
    """What the lines before and after let each line be; logarithms, shape (m, kinds)."""
    at_first, after = (np.log((1 - ANYTHING) * p + ANYTHING / p.shape[-1]) for p in (at_first, after))
    said = np.where(first[:, None], at_first, 0.0)
    same = np.flatnonzero(~first)
    said[same] += lines[same - 1] @ after
    said[same - 1] += lines[same] @ after.T
    return said


def _line_votes(line: Ints, votes: Floats) -> Doubles:
    """Sums of (n, kinds) per line, of VOICES cells at the most."""
    heard = np.minimum(1.0, VOICES / np.bincount(line))[:, None]
    return np.asarray(np.stack([np.bincount(line, column) for column in votes.T], axis=1) * heard, np.float64)


def _normalised(logarithms: Doubles) -> Doubles:
    weights = np.exp(logarithms - logarithms.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
