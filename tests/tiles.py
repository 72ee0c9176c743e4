"""Random tiles: inputs of the role models with the invariants of `cellroles.graph`, for tests without sheets."""

import numpy as np

from cellroles.features import ENGINEERED_WIDTH
from cellroles.features.text import TEXT_WIDTH
from cellroles.graph import CELL_SLOTS, EDGE_WIDTH, SLOTS, TileInputs


def random_tile(cells: int, context: int = 10, strings: int = 8, seed: int = 0) -> TileInputs:
    rng = np.random.default_rng(seed)
    nodes = cells + context
    mask = rng.random((cells, SLOTS)) < 0.7
    mask[:, 0] = mask[:, CELL_SLOTS:] = True
    own = np.arange(cells)[:, None]
    neighbours = np.where(mask, rng.integers(0, cells, (cells, SLOTS)), own)
    neighbours[:, CELL_SLOTS:] = rng.integers(cells, nodes, (cells, SLOTS - CELL_SLOTS))
    neighbours[:, 0] = np.arange(cells)
    degree = np.r_[mask.sum(axis=1), np.ones(context)]
    vectors = rng.normal(size=(strings, TEXT_WIDTH)).astype(np.float32)
    vectors[0] = 0
    return TileInputs(
        strings=vectors,
        string=rng.integers(0, strings, nodes),
        engineered=rng.normal(size=(nodes, ENGINEERED_WIDTH)).astype(np.float32),
        neighbours=neighbours,
        mask=mask.astype(np.float32),
        weight=(mask / np.sqrt(degree[:cells, None] * degree[neighbours])).astype(np.float32),
        edges=(rng.normal(size=(cells, SLOTS, EDGE_WIDTH)) * mask[:, :, None]).astype(np.float32),
    )
