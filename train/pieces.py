"""Labelled sheet -> pieces: the compact, cached inputs and targets of its row windows, with and without its styles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from cellroles.features import extract
from cellroles.graph import SheetGraph, TileInputs, build_graph
from cellroles.patches import NODE, PATCH, cut, packed
from cellroles.sheet import Floats, Role, Sheet, Style
from data.labelled import LabelledSheet
from train.adjacency import Links, labelled_structure, links_of, no_links
from train.edges import EdgeLabels, no_edges

Halfs = NDArray[np.float16]
Teach = Callable[[Sheet], Floats]
"""Sheet -> probabilities (n, 13) that a model under training is to learn."""
PLAIN = (Style(),)


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A window of k cells and its context nodes; `first` is the window's first cell in its sheet.

    `strings` is sparse (d, 768); `soft` holds the probabilities of a teacher, (k, 13), or nothing, (k, 0); `tokens`
    (q, 7) are not padded; the other arrays are those of `TileInputs` in small types.
    """

    first: int
    strings: sp.csr_array
    string: NDArray[np.int32]
    engineered: Halfs
    neighbours: NDArray[np.int32]
    weight: Halfs
    mask: NDArray[np.bool_]
    edges: Halfs
    tokens: NDArray[np.int32]
    targets: NDArray[np.uint16]
    candidates: int
    labels: EdgeLabels
    links: Links
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
    patches: bool = False,
    links: bool = False,
    labels: EdgeLabels | None = None,
    teach: Teach | None = None,
) -> list[Piece]:
    """The whole sheet as one piece, or windows of about half of `max_cells`, in order, where it is larger.

    Windows have no halo: cells at their edge miss neighbours, but all see their row, column, table and headers, which
    the context nodes pool from the whole sheet. Edge labels are for whole sheets alone. `edges` and `patches` say what
    the model reads, `links` whether it is to learn adjacency.
    """
    sheet = without_styles(labelled.sheet) if plain else labelled.sheet
    graph = build_graph(extract(sheet))
    soft = (teach(sheet) if teach else np.zeros((len(sheet), 0))).astype(np.float16)
    whole = len(labelled.sheet) <= max_cells
    heads = labels if whole and labels is not None else no_edges()
    known = labels.structure if labels is not None else None
    structure = (known or labelled_structure(labelled)) if links else None
    return [
        Piece(
            first=band.lo,
            targets=labelled.targets[band.lo : band.hi],
            candidates=labelled.candidates | 1 << Role.EMPTY,
            labels=heads,
            links=links_of(labelled, structure, band.lo, band.hi) if structure else no_links(),
            soft=soft[band.lo : band.hi],
            **_compact(graph, band.lo, band.hi, edges, patches),
        )
        for band in graph.bands(max_cells if whole else max_cells // 2, 0)
    ]


def _compact(graph: SheetGraph, lo: int, hi: int, edges: bool, patches: bool) -> dict[str, Any]:
    """The inputs of cells lo … hi - 1 in the types of `Piece`."""
    sheet = graph.features.sheet
    patch = cut(sheet.row[lo:hi], sheet.col[lo:hi]) if patches else None
    tile = graph.inputs_of(np.arange(lo, hi), edges, patch)
    return {
        "strings": sp.csr_array(tile.strings),
        "string": tile.string.astype(np.int32),
        "engineered": tile.engineered.astype(np.float16),
        "neighbours": tile.neighbours.astype(np.int32),
        "weight": tile.weight.astype(np.float16),
        "mask": tile.mask.astype(np.bool_),
        "edges": tile.edges.astype(np.float16),
        "tokens": tile.tokens[tile.tokens[..., PATCH] >= 0].astype(np.int32),
    }


def join(pieces: Sequence[Piece]) -> TileInputs:
    """Pieces side by side as one tile: all cells, then all context nodes; no edge runs between pieces."""
    cells = np.array([piece.cells for piece in pieces])
    context = np.array([len(piece.string) for piece in pieces]) - cells
    cell_start = np.cumsum(cells) - cells
    context_start = cells.sum() + np.cumsum(context) - context
    string_start = np.cumsum([0] + [piece.strings.shape[0] for piece in pieces])
    strings = [piece.string.astype(np.int64) + start for piece, start in zip(pieces, string_start, strict=False)]

    def joined(parts: Sequence[NDArray[np.int32]]) -> NDArray[np.int64]:
        """Numbers of nodes of each piece as those of nodes of all."""
        return np.concatenate(
            [
                np.where(part < count, part + first, part - count + behind).astype(np.int64)
                for part, count, first, behind in zip(parts, cells, cell_start, context_start, strict=True)
            ]
        )

    tokens, cell_tokens = packed(_tokens(pieces, joined([piece.tokens[:, NODE] for piece in pieces])), int(cells.sum()))
    return TileInputs(
        strings=sp.vstack([piece.strings for piece in pieces], format="csr").toarray(),
        string=_cells_first(strings, cells).astype(np.int64),
        engineered=_cells_first([piece.engineered for piece in pieces], cells).astype(np.float32),
        neighbours=joined([piece.neighbours for piece in pieces]),
        mask=np.concatenate([piece.mask for piece in pieces]).astype(np.float32),
        weight=np.concatenate([piece.weight for piece in pieces]).astype(np.float32),
        edges=np.concatenate([piece.edges for piece in pieces]).astype(np.float32),
        tokens=tokens,
        cell_tokens=cell_tokens,
    )


def _tokens(pieces: Sequence[Piece], nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The tokens of all pieces, (q, 7), with these nodes; patches are numbered on from piece to piece."""
    counts = [int(piece.tokens[:, PATCH].max(initial=-1)) + 1 for piece in pieces]
    tokens = np.concatenate([piece.tokens for piece in pieces]).astype(np.int64)
    tokens[:, NODE] = nodes
    tokens[:, PATCH] += np.repeat(np.cumsum(counts) - counts, [len(piece.tokens) for piece in pieces])
    return tokens


def _cells_first(arrays: Sequence[NDArray[np.generic]], cells: NDArray[np.int64]) -> NDArray[np.generic]:
    pairs = list(zip(arrays, cells, strict=True))
    return np.concatenate([array[:count] for array, count in pairs] + [array[count:] for array, count in pairs])


@dataclass(slots=True, eq=False)
class PieceCache:
    """Pieces of labelled sheets, made on first use and kept; `edges`, `patches`, `links` as in `pieces_of`."""

    max_cells: int
    edges: bool
    teach: Teach | None = None
    patches: bool = False
    links: bool = False
    _made: dict[tuple[int, bool], list[Piece]] = field(default_factory=dict)

    def get(self, index: int, labelled: LabelledSheet, labels: EdgeLabels | None, plain: bool = False) -> list[Piece]:
        """The pieces of sheet number `index`."""
        key = (index, plain)
        if key not in self._made:
            self._made[key] = pieces_of(
                labelled,
                self.max_cells,
                plain=plain,
                edges=self.edges,
                patches=self.patches,
                links=self.links,
                labels=labels,
                teach=self.teach,
            )
        return self._made[key]
