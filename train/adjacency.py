"""Labelled sheet -> pairs of cells that are, or are not, edges of the four types which graph learners predict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from cellroles.headers import header_paths
from cellroles.segment.tables import find_tables
from cellroles.sheet import Floats, Role
from data.labelled import LabelledSheet
from data.synthetic import SyntheticSheet
from train.paths import CORPORA, MOST_CELLS

Longs = NDArray[np.int64]
Position = tuple[int, int]
NONE = -1
PAIRS = 48  # of every kind, in a window


@dataclass(frozen=True, slots=True, eq=False)
class Structure:
    """What the labels say of a sheet's n cells: `table` (n,) and the innermost column and row header, `parents`
    (n, 2); -1 for none, and where it is not known."""

    table: Longs
    parents: Longs


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """Pairs (p, 2) of cells and, for each edge type, whether the pair is one (p, 4): 0, 1, or NaN where unknown."""

    pairs: Longs
    types: Floats


def no_links() -> Links:
    """For models that predict no edges."""
    return Links(np.zeros((0, 2), np.int64), np.zeros((0, 4), np.float32))


def synthetic_structure(source: SyntheticSheet) -> Structure:
    """From the sheet's own tables and paths."""
    table = [
        next((index for index, table in enumerate(source.tables) if table.contains(*position)), NONE)
        for position in source.cells
    ]
    pairs = [[paths.get(cell, ())[-1:] for paths in (source.col_paths, source.row_paths)] for cell in source.cells]
    return Structure(np.array(table, np.int64), _parents(source.cells, pairs))


def labelled_structure(labelled: LabelledSheet) -> Structure:
    """From the tables and paths that the labels give by our own rules; nothing where they say little, or cost much."""
    sheet = labelled.sheet
    if labelled.source not in CORPORA or len(sheet) > MOST_CELLS:
        return Structure(np.full(len(sheet), NONE), np.full((len(sheet), 2), NONE))
    roles = np.where(labelled.roles == Role.EMPTY, Role.VALUE, labelled.roles).astype(np.uint8)
    tables, table_of = find_tables(sheet, roles)
    paths, col_path, row_path = header_paths(sheet, roles, tables, table_of)
    inner = [path.cells[-1:] for path in paths]
    pairs = [[inner[col], inner[row]] for col, row in zip(col_path.tolist(), row_path.tolist(), strict=True)]
    parents = _parents(zip(sheet.row.tolist(), sheet.col.tolist(), strict=True), pairs)
    known = labelled.targets > 0
    return Structure(np.where(known, table_of, NONE), np.where(known[:, None] & known[parents], parents, NONE))


def _parents(cells: Iterable[Position], pairs: list[list[tuple[Position, ...]]]) -> Longs:
    """Numbers of the header cells, (n, 2), of no or one position each."""
    number = {position: index for index, position in enumerate(cells)}
    found = [[next((number.get(at, NONE) for at in inner), NONE) for inner in pair] for pair in pairs]
    return np.array(found, np.int64).reshape(-1, 2)


def links_of(labelled: LabelledSheet, structure: Structure, lo: int, hi: int) -> Links:
    """Some pairs of cells lo … hi - 1, numbered from `lo`: headers and theirs, cells of one row, of one column, any.

    A pair is known not to be (header, its cell) only where a header of the second is known.
    """
    rng = np.random.default_rng([len(labelled.sheet), lo])
    row, col, table = labelled.sheet.row[lo:hi], labelled.sheet.col[lo:hi], structure.table[lo:hi]
    parents = structure.parents[lo:hi] - lo
    parents[(parents < 0) | (parents >= hi - lo)] = NONE
    governed = np.stack([parents.ravel(), np.arange(hi - lo).repeat(2)], axis=1)[parents.ravel() >= 0]
    some = governed[rng.permutation(len(governed))[:PAIRS]]
    pairs = np.concatenate([some, rng.integers(0, hi - lo, (PAIRS, 2)), _near(row, rng), _near(col, rng)])
    first, second = pairs.T
    tabled = (table[pairs] >= 0).all(axis=1)
    headed = (parents[second] >= 0).any(axis=1)
    columns = (
        np.where(tabled, table[first] == table[second], np.nan),
        np.where(headed, (parents[second] == first[:, None]).any(axis=1), np.nan),
        row[first] == row[second],
        col[first] == col[second],
    )
    return Links(pairs, np.stack(columns, axis=1).astype(np.float32))


def _near(line: NDArray[np.int32], rng: np.random.Generator) -> Longs:
    """Random cells with others that are likely of the same line, (PAIRS, 2)."""
    order = np.argsort(line, kind="stable")
    at = rng.integers(0, len(line), PAIRS)
    other = np.clip(at + rng.integers(-8, 9, PAIRS), 0, len(line) - 1)
    return np.stack([order[at], order[other]], axis=1)


def link_loss(logits: Tensor, types: Tensor) -> Tensor:
    """Binary cross-entropy over the pairs whose type is known: (p, 4), (p, 4) -> mean over types and pairs."""
    known = ~types.isnan()
    return binary_cross_entropy_with_logits(logits[known].float(), types[known])
