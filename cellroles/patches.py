"""Cells of a sheet -> patches: about 256 cells that attend to each other, with the keys that they see beyond them.

Graph learners relate all cells of a patch to each other, so a sheet's cost is linear in its cells. A patch is a run of
rows in a strip of at most 32 columns. Its keys are context nodes of its cells (`cellroles.graph`): the top cells of
their columns and the lead cells of their rows where they stand outside, the pooled table and the pooled columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cellroles.features import SheetFeatures
from cellroles.sheet import Bools, Ints

Longs = NDArray[np.int64]

PATCH_CELLS, STRIP_COLUMNS, MAX_KEYS = 256, 32, 64
MIN_TOKENS = 32
NODE, PATCH, ROW, COL, ROW_PLACE, COL_PLACE, AREA = range(7)
"""The columns of a token (a cell or a key in its patch): its node and its patch in the tile; row and column of the
sheet, -1 where a pooled node has none; both from the patch's first cell, clipped and shifted to 0 … 510, `POOLED` for
none; how many cells it covers. Padding has patch -1."""
TOKEN_WIDTH = 7
MIDDLE, POOLED, PLACES = 255, 511, 512
NONE = -1


def cut(row: NDArray[np.integer[Any]], col: NDArray[np.integer[Any]]) -> Ints:
    """Patch number of each cell (n,), sorted by (row, col); patches are numbered by strip, then downwards.

    >>> cut(np.repeat(np.arange(200), 2), np.tile([0, 1], 200))[[0, 199, 200, 399]].tolist()
    [0, 0, 1, 1]
    """
    columns, rank = np.unique(col, return_inverse=True)
    strip = rank * -(-len(columns) // STRIP_COLUMNS) // max(len(columns), 1)
    order = np.argsort(strip, kind="stable")
    sizes = np.bincount(strip)
    ends = np.cumsum(sizes)
    starts = np.zeros(len(row), np.bool_)
    for first, last in zip(ends - sizes, ends, strict=True):
        parts = -(-(last - first) // PATCH_CELLS)
        wanted = np.arange(parts) * (last - first) // max(parts, 1)
        rows = np.flatnonzero(np.diff(row[order[first:last]], prepend=-1))
        starts[first + rows[np.searchsorted(rows, wanted, side="right") - 1]] = True
    patch = np.empty(len(row), np.int32)
    patch[order] = np.cumsum(starts) - 1
    return patch


def groups(patch: Ints, wanted: Bools, max_cells: int) -> Iterator[Longs]:
    """The cells of the patches that hold a wanted one, sorted, in groups of about `max_cells`."""
    order = np.argsort(patch, kind="stable")
    starts = np.flatnonzero(np.diff(patch[order], prepend=-1))
    seen = np.logical_or.reduceat(wanted[order], starts) if len(order) else np.zeros(0, np.bool_)
    sizes = np.diff(starts, append=len(order))[seen]
    turn = (np.cumsum(sizes) - sizes) // max_cells
    for number in np.unique(turn):
        runs = zip(starts[seen][turn == number], sizes[turn == number], strict=True)
        yield np.sort(np.concatenate([order[start : start + size] for start, size in runs]))


def patch_tokens(
    features: SheetFeatures, tile: Longs, patch: Ints | None, nodes: Longs, lead: Longs
) -> tuple[Longs, Longs]:
    """The tokens of a tile of k cells, packed: (t, T, 7), and where its cells are among them, (k,).

    `nodes` (k, 5) are the context nodes of each cell, numbered from k: row, column, table, column top and row lead;
    `lead` (k, 2) the cells that the last two are. Without `patch` there are no tokens.
    """
    if patch is None:
        return packed(np.zeros((0, TOKEN_WIDTH), np.int64), 0)
    number = np.unique(patch, return_inverse=True)[1]
    inside, at = places_in(tile, lead)
    key_node, key_patch = _keys(number, nodes, inside & (number[at] == number[:, None]))
    node, own = np.r_[np.arange(len(tile)), key_node], np.r_[number, key_patch]
    place, area = _places(features, tile, nodes, lead)
    corner = np.full((int(number.max(initial=-1)) + 1, 2), np.iinfo(np.int64).max)
    np.minimum.at(corner, number, place[: len(tile)])
    shifted = np.clip(place[node] - corner[own], -MIDDLE, MIDDLE) + MIDDLE
    shifted[place[node] == NONE] = POOLED
    return packed(np.column_stack([node, own, place[node], shifted, area[node]]), len(tile))


def places_in(tile: Longs, cells: NDArray[np.integer[Any]]) -> tuple[NDArray[np.bool_], Longs]:
    """Whether cells are among those of the sorted `tile`, and where they are in it, both in the shape of `cells`."""
    place = np.minimum(np.searchsorted(tile, cells), max(len(tile) - 1, 0))
    return tile[place] == cells if len(tile) else np.zeros(cells.shape, np.bool_), place


def _keys(patch: Longs, nodes: Longs, inside: Bools) -> tuple[Longs, Longs]:
    """Node and patch of every key: tops and leads that are not `inside` (k, 2) the patch, then tables and columns, at
    most `MAX_KEYS` a patch."""
    _, column, table, top, lead = nodes.T
    outside = ~inside.T
    every = np.ones(len(patch), np.bool_)
    kinds = ((top, outside[0]), (lead, outside[1]), (table, every), (column, every))
    triples = [np.stack([patch, np.full(len(patch), i), node])[:, kept] for i, (node, kept) in enumerate(kinds)]
    owner, _, node = np.unique(np.concatenate(triples, axis=1), axis=1)
    rank = np.arange(len(owner)) - np.searchsorted(owner, owner)
    return node[rank < MAX_KEYS], owner[rank < MAX_KEYS]


def _places(features: SheetFeatures, tile: Longs, nodes: Longs, lead: Longs) -> tuple[Longs, Longs]:
    """Row and column (m, 2) of every node, -1 where a pooled one has none, and the cells it covers (m,)."""
    sheet, count = features.sheet, len(tile)
    size = int(nodes.max(initial=count - 1)) + 1
    place, area = np.full((size, 2), NONE, np.int64), np.ones(size, np.int64)
    for node, cell in ((np.arange(count), tile), (nodes[:, 3:], lead)):
        place[node] = np.stack([sheet.row[cell], sheet.col[cell]], axis=-1)
        area[node] = np.rint(np.exp(3 * features.merges[cell].sum(axis=-1)))
    place[nodes[:, 1], 1] = sheet.col[tile]
    return place, area


def packed(tokens: Longs, cells: int) -> tuple[Longs, Longs]:
    """Patches side by side in rows as long as the largest: (t, T, 7), padded, and where in the t * T tokens each of the
    `cells` nodes that are cells is, (cells,); nothing of nothing. First fit; no patch sees another."""
    tokens = tokens[np.argsort(tokens[:, PATCH], kind="stable")]
    cells = cells if len(tokens) else 0
    sizes = np.bincount(tokens[:, PATCH])
    width = max(int(sizes.max(initial=0)), MIN_TOKENS)
    left: list[int] = []
    begin = np.empty(len(sizes), np.int64)
    for number, size in enumerate(sizes.tolist()):
        row = next((i for i, room in enumerate(left) if room >= size), len(left))
        if row == len(left):
            left.append(width)
        begin[number] = row * width + width - left[row]
        left[row] -= size
    at = np.arange(len(tokens)) - (np.cumsum(sizes) - sizes)[tokens[:, PATCH]] + begin[tokens[:, PATCH]]
    result = np.zeros((len(left) * width, TOKEN_WIDTH), np.int64)
    result[:, PATCH], result[:, AREA] = NONE, 1
    result[at] = tokens
    own = tokens[:, NODE] < cells
    place = np.empty(cells, np.int64)
    place[tokens[own, NODE]] = at[own]
    return result.reshape(len(left), width, TOKEN_WIDTH), place
