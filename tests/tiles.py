"""Random tiles: inputs of the role models with the invariants of `cellroles.graph`, for tests without sheets."""

import numpy as np

from cellroles.features import ENGINEERED_WIDTH
from cellroles.features.text import TEXT_WIDTH
from cellroles.graph import CELL_SLOTS, EDGE_WIDTH, SLOTS, TileInputs
from cellroles.patches import MIDDLE, POOLED, packed

PATCH = 20


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
    tokens, cell_tokens = packed(_tokens(cells, context, rng), cells)
    return TileInputs(
        strings=vectors,
        string=rng.integers(0, strings, nodes),
        engineered=rng.normal(size=(nodes, ENGINEERED_WIDTH)).astype(np.float32),
        neighbours=neighbours,
        mask=mask.astype(np.float32),
        weight=(mask / np.sqrt(degree[:cells, None] * degree[neighbours])).astype(np.float32),
        edges=(rng.normal(size=(cells, SLOTS, EDGE_WIDTH)) * mask[:, :, None]).astype(np.float32),
        tokens=tokens,
        cell_tokens=cell_tokens,
    )


def _tokens(cells: int, context: int, rng: np.random.Generator) -> np.ndarray:
    """Patches of 20 cells, five a row; every patch sees all context nodes, which are pooled columns."""
    at = np.arange(cells)
    row, col = at // 5, at % 5
    area = rng.integers(1, 4, cells)
    own = np.column_stack([at, at // PATCH, row, col, MIDDLE + row % (PATCH // 5), MIDDLE + col, area])
    patches = -(-cells // PATCH)
    node = np.tile(np.arange(cells, cells + context), patches)
    patch, col = np.repeat(np.arange(patches), context), (node - cells) % 5
    none = np.full(len(node), -1)
    keys = np.column_stack([node, patch, none, col, none * 0 + POOLED, MIDDLE + col, none * 0 + 1])
    return np.concatenate([own, keys])
