"""Synthetic sheet -> labelled pairs of cells: which header governs which cell, and where one table ends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from data.synthetic import SyntheticSheet
from train.adjacency import Structure, synthetic_structure

MAX_PAIRS = 32


@dataclass(frozen=True, slots=True, eq=False)
class EdgeLabels:
    """Pairs (p, 2) of filled-cell indices (header, other cell); is the header the other's innermost, and are the two
    in different tables: both (p,) in {0, 1}. `structure` is what they are drawn from, where it is known."""

    pairs: NDArray[np.int64]
    hierarchy: NDArray[np.float32]
    boundary: NDArray[np.float32]
    structure: Structure | None = None


def no_edges() -> EdgeLabels:
    """For sheets whose tables and paths are not known."""
    none = np.zeros(0, np.float32)
    return EdgeLabels(np.zeros((0, 2), np.int64), none, none)


def edge_labels(source: SyntheticSheet, rng: np.random.Generator) -> EdgeLabels:
    """At most 32 governed pairs of a sheet and, for each, its header with a random cell."""
    number = {position: index for index, position in enumerate(source.cells)}
    governed = [
        (number[path[-1]], number[cell])
        for paths in (source.col_paths, source.row_paths)
        for cell, path in paths.items()
        if path
    ]
    if not governed:
        return no_edges()
    true = np.array(governed, np.int64)
    true = true[rng.permutation(len(true))[:MAX_PAIRS]]
    other = rng.integers(0, len(number), len(true))
    pairs = np.concatenate([true, np.stack([true[:, 0], other], axis=1)])
    known = set(governed)
    structure = synthetic_structure(source)
    table = structure.table
    return EdgeLabels(
        pairs=pairs,
        hierarchy=np.array([tuple(pair) in known for pair in pairs.tolist()], np.float32),
        boundary=(table[pairs[:, 0]] != table[pairs[:, 1]]).astype(np.float32),
        structure=structure,
    )
