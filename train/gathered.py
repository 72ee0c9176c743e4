"""Labelled sheets -> rows for boosted trees: some cells of every sheet, with the features of their neighbours.

A row holds, for the cell itself and the slots of its graph in `SLOTS`, the engineered features and a projection of the
text, 0 where a slot is empty, and which slots are filled. `train.trees` writes the same steps into the exported model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from cellroles.features import extract
from cellroles.graph import EDGE_TYPES, TileInputs, build_graph
from cellroles.sheet import Bools, Floats, Role, Sheet
from data.labelled import LabelledSheet
from train.pieces import has_styles, without_styles

SLOTS = tuple(
    EDGE_TYPES.index(name)
    for name in ("self", "up_1", "down_1", "left_1", "right_1", "row", "column", "table", "column_top", "row_lead")
)
MOST_PER_SHEET = 150
TILE = 4096
BITS = np.left_shift(1, np.arange(len(Role)))


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """n cells: engineered features of their slots (n, s, 89), the vectors (t, 768) of distinct texts and the index of
    each slot's text (n, s), which slots are filled (n, s), allowed and candidate roles (n, 13)."""

    engineered: Floats
    strings: sp.csr_array
    string: NDArray[np.int64]
    filled: Bools
    targets: Bools
    candidates: Bools

    def rows(self, projection: Floats) -> Floats:
        """The rows (n, s * (89 + p) + s) with texts projected by (768, p)."""
        return put_together(self.engineered, (self.strings @ projection)[self.string], self.filled)


def put_together(engineered: Floats, text: Floats, filled: Bools) -> Floats:
    """(n, s, 89), (n, s, p), (n, s) -> (n, s * (89 + p) + s): by slot engineered and text, then what is filled."""
    slots = np.concatenate([engineered, text], axis=2, dtype=np.float32) * filled[:, :, None]
    return np.concatenate([slots.reshape(len(slots), -1), filled], axis=1, dtype=np.float32)


def taken(labelled: LabelledSheet, most: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Sorted cells to learn from: `most` of every label (all: 0), at most 150 of a sheet."""
    labels = labelled.targets
    order = rng.permutation(np.flatnonzero(labels))
    by_label = order[np.argsort(labels[order], kind="stable")]
    _, first, count = np.unique(labels[by_label], return_index=True, return_counts=True)
    rank = np.arange(len(by_label)) - np.repeat(first, count)
    kept = by_label[rank < most] if most else by_label
    return np.sort(rng.permutation(kept)[:MOST_PER_SHEET])


def tiles_of(sheet: Sheet, cells: NDArray[np.int64]) -> Iterator[tuple[TileInputs, NDArray[np.int64]]]:
    """The inputs that some cells need, and where the cells are in them."""
    graph = build_graph(extract(sheet))
    for tile, needed in graph.tiles(TILE, 1, 0, len(sheet)):
        if len(wanted := np.intersect1d(tile, cells, assume_unique=True)):
            yield graph.inputs_of(needed, edges=False), np.searchsorted(needed, wanted)


def gather(sheets: Iterable[LabelledSheet], most: int, style_dropout: float, seed: int) -> Cells:
    """The cells taken from every sheet, which loses its styles by the chance of `style_dropout`."""
    rng = np.random.default_rng(seed)
    parts: list[Cells] = []
    for labelled in sheets:
        cells = taken(labelled, most, rng)
        plain = has_styles(labelled.sheet) and rng.random() < style_dropout
        sheet = without_styles(labelled.sheet) if plain else labelled.sheet
        first = 0
        for tile, places in tiles_of(sheet, cells):
            of = cells[first : first + len(places)]
            parts.append(_part(tile, places, labelled.targets[of], labelled.candidates | 1 << Role.EMPTY))
            first += len(places)
    return _joined(parts)


def _part(tile: TileInputs, places: NDArray[np.int64], targets: NDArray[np.uint16], candidates: int) -> Cells:
    nodes = tile.neighbours[places][:, SLOTS]
    used, string = np.unique(tile.string[nodes], return_inverse=True)
    return Cells(
        engineered=tile.engineered[nodes],
        strings=sp.csr_array(tile.strings[used]),
        string=string.reshape(nodes.shape),
        filled=tile.mask[places][:, SLOTS] > 0,
        targets=(targets[:, None] & BITS) > 0,
        candidates=np.broadcast_to((candidates & BITS) > 0, (len(places), len(Role))),
    )


def _joined(parts: list[Cells]) -> Cells:
    if not parts:
        raise ValueError("boosting needs at least one labelled cell to learn from")
    start = np.cumsum([0, *(part.strings.shape[0] for part in parts[:-1])])
    return Cells(
        engineered=np.concatenate([part.engineered for part in parts]),
        strings=sp.vstack([part.strings for part in parts], format="csr"),
        string=np.concatenate([part.string + before for part, before in zip(parts, start, strict=True)]),
        filled=np.concatenate([part.filled for part in parts]),
        targets=np.concatenate([part.targets for part in parts]),
        candidates=np.concatenate([part.candidates for part in parts]),
    )
