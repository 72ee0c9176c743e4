"""Labelled sheet -> pieces: the compact, cached inputs and targets of its row windows, with and without its styles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from cellroles.features import extract
from cellroles.graph import SheetGraph, TileInputs, build_graph
from cellroles.sheet import Floats, Role, Sheet, Style
from data.labelled import LabelledSheet
from train.edges import EdgeLabels, no_edges

Halfs = NDArray[np.float16]
Teach = Callable[[Sheet], Floats]
"""Sheet -> probabilities (n, 13) that a model under training is to learn."""
PLAIN = (Style(),)


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A window of k cells and its context nodes; `first` is the window's first cell in its sheet.

    `strings` is sparse (d, 768); `soft` holds the probabilities of a teacher, (k, 13), or nothing, (k, 0); the other
    arrays are those of `TileInputs` in small types.
    """

    first: int
    strings: sp.csr_array
    string: NDArray[np.int32]
    engineered: Halfs
    neighbours: NDArray[np.int32]
    weight: Halfs
    mask: NDArray[np.bool_]
    edges: Halfs
    targets: NDArray[np.uint16]
    candidates: int
    labels: EdgeLabels
    soft: Halfs

    @property
    def cells(self) -> int:
        """The number of cells k."""
        return len(self.neighbours)


def without_styles(sheet: Sheet) -> Sheet:
    """The sheet as a corpus without formatting has it: every style is the default, and nothing is emphasised."""
    return replace(sheet, style=np.zeros_like(sheet.style), styles=PLAIN, col_widths={}, freeze=None, list_objects=())


def has_styles(sheet: Sheet) -> bool:
    """Whether dropping the styles would change anything."""
    return len(sheet.styles) > 1


def pieces_of(
    labelled: LabelledSheet,
    max_cells: int,
    *,
    plain: bool = False,
    edges: bool = False,
    labels: EdgeLabels | None = None,
    teach: Teach | None = None,
) -> list[Piece]:
    """The whole sheet as one piece, or windows of about half of `max_cells`, in order, where it is larger.

    Windows have no halo: cells at their edge miss neighbours, but all see their row, column, table and headers, which
    the context nodes pool from the whole sheet. Edge labels are for whole sheets alone.
    """
    sheet = without_styles(labelled.sheet) if plain else labelled.sheet
    graph = build_graph(extract(sheet))
    soft = (teach(sheet) if teach else np.zeros((len(sheet), 0))).astype(np.float16)
    whole = len(labelled.sheet) <= max_cells
    bands = graph.bands(max_cells if whole else max_cells // 2, 0)
    return [
        _piece(graph, labelled, soft, band.lo, band.hi, edges, labels if whole and labels is not None else no_edges())
        for band in bands
    ]


def _piece(
    graph: SheetGraph, labelled: LabelledSheet, soft: Halfs, lo: int, hi: int, edges: bool, labels: EdgeLabels
) -> Piece:
    tile = graph.inputs(lo, hi, edges)
    return Piece(
        first=lo,
        strings=sp.csr_array(tile.strings),
        string=tile.string.astype(np.int32),
        engineered=tile.engineered.astype(np.float16),
        neighbours=tile.neighbours.astype(np.int32),
        weight=tile.weight.astype(np.float16),
        mask=tile.mask.astype(np.bool_),
        edges=tile.edges.astype(np.float16),
        targets=labelled.targets[lo:hi],
        candidates=labelled.candidates | 1 << Role.EMPTY,
        labels=labels,
        soft=soft[lo:hi],
    )


def join(pieces: Sequence[Piece]) -> TileInputs:
    """Pieces side by side as one tile: all cells, then all context nodes; no edge runs between pieces."""
    cells = np.array([piece.cells for piece in pieces])
    context = np.array([len(piece.string) for piece in pieces]) - cells
    cell_start = np.cumsum(cells) - cells
    context_start = cells.sum() + np.cumsum(context) - context
    string_start = np.cumsum([0] + [piece.strings.shape[0] for piece in pieces])
    strings = [piece.string.astype(np.int64) + start for piece, start in zip(pieces, string_start, strict=False)]
    neighbours = [
        np.where(piece.neighbours < count, piece.neighbours + first, piece.neighbours - count + behind)
        for piece, count, first, behind in zip(pieces, cells, cell_start, context_start, strict=True)
    ]
    return TileInputs(
        strings=sp.vstack([piece.strings for piece in pieces], format="csr").toarray(),
        string=_cells_first(strings, cells).astype(np.int64),
        engineered=_cells_first([piece.engineered for piece in pieces], cells).astype(np.float32),
        neighbours=np.concatenate(neighbours).astype(np.int64),
        mask=np.concatenate([piece.mask for piece in pieces]).astype(np.float32),
        weight=np.concatenate([piece.weight for piece in pieces]).astype(np.float32),
        edges=np.concatenate([piece.edges for piece in pieces]).astype(np.float32),
    )


def _cells_first(arrays: Sequence[NDArray[np.generic]], cells: NDArray[np.int64]) -> NDArray[np.generic]:
    pairs = list(zip(arrays, cells, strict=True))
    return np.concatenate([array[:count] for array, count in pairs] + [array[count:] for array, count in pairs])


@dataclass(slots=True, eq=False)
class PieceCache:
    """Pieces of labelled sheets, made on first use and kept; `edges`: whether the model reads edge features."""

    max_cells: int
    edges: bool
    teach: Teach | None = None
    _made: dict[tuple[int, bool], list[Piece]] = field(default_factory=dict)

    def get(self, index: int, labelled: LabelledSheet, labels: EdgeLabels | None, plain: bool = False) -> list[Piece]:
        """The pieces of sheet number `index`."""
        key = (index, plain)
        if key not in self._made:
            self._made[key] = pieces_of(
                labelled, self.max_cells, plain=plain, edges=self.edges, labels=labels, teach=self.teach
            )
        return self._made[key]
