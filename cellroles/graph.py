"""Sheet and features -> the fixed graph of cells, cut into row bands that give the whole sheet's result.

Every cell has 14 slots: itself; the nearest two filled cells up, down, left and right within a bounded reach (a merge
stands in every row and column that it covers); and five context nodes: its row, its column and its table (component at
gap 1) pooled from input features, the top cell of its column and the lead cell of its row. Context nodes are never
updated by a layer, so a band with the rows that its cells reach in as many steps as there are layers (at most layers
x REACH on either side) is exact for the rows inside.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cellroles.features import ENGINEERED_WIDTH, SheetFeatures
from cellroles.features.layout import covered_places
from cellroles.patches import patch_tokens, places_in
from cellroles.pools import has_long_rows, mean_by, pools
from cellroles.sheet import Floats, Ints, Sheet

REACH = 8
EDGE_TYPES = (
    "self",
    "up_1",
    "up_2",
    "down_1",
    "down_2",
    "left_1",
    "left_2",
    "right_1",
    "right_2",
    "row",
    "column",
    "table",
    "column_top",
    "row_lead",
)
EDGE_FEATURES = (
    *EDGE_TYPES,
    "d_row",
    "d_col",
    "log_d_row",
    "log_d_col",
    "same_style",
    "same_number_format",
    "same_kind",
    "both_formula",
    "same_merge_width",
)
SLOTS, EDGE_WIDTH = len(EDGE_TYPES), len(EDGE_FEATURES)
CELL_SLOTS = 9
TILE_ROWS = 32
Longs = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class TileInputs:
    """What a role model sees of a band: k cells and, behind them, c context nodes (m = k + c).

    strings (d, 768), row 0 all zeros; string (m,) into strings; engineered (m, 89); neighbours (k, 14) into the m
    nodes, padding points at the cell itself; mask (k, 14), 1 for an edge; weight (k, 14), symmetric normalisation
    of GCN with the degrees of the whole graph (Kipf & Welling 2017, eq. 2; a context node has degree 1); edges (k, 14,
    23), or (0, 14, 23) where the model does not look at them.

    For models that cut a tile into patches (`cellroles.patches`), else empty: tokens (t, T, 7) of
    every cell and key, and cell_tokens (k,), the place of each cell among the t * T tokens.
    """

    strings: Floats
    string: Longs
    engineered: Floats
    neighbours: Longs
    mask: Floats
    weight: Floats
    edges: Floats
    tokens: Longs
    cell_tokens: Longs


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """Filled cells lo … hi - 1 are wanted; halo_lo … halo_hi - 1 must be computed for them. All are whole rows."""

    halo_lo: int
    lo: int
    hi: int
    halo_hi: int


@dataclass(frozen=True, slots=True, eq=False)
class SheetGraph:
    """The graph of a sheet: slot targets (n, 9) among cells, -1 for none, and pooled contexts.

    Rows are pooled here only on sheets with very long ones, whose tiles do not hold whole rows.
    """

    features: SheetFeatures
    targets: Ints
    column_pool: Floats
    table_pool: Floats
    row_pool: Floats | None = None

    def bands(self, max_cells: int, layers: int, first: int = 0, last: int | None = None) -> Iterator[Band]:
        """Cut the sheet, or its cells `first` … `last` - 1, into bands of whole rows with at most about `max_cells`
        cells, halo not counted."""
        row = self.features.sheet.row
        lo, end = first, len(row) if last is None else last
        while lo < end:
            hi = min(lo + max_cells, end)
            if hi < end:
                hi = max(int(np.searchsorted(row, row[hi])), int(np.searchsorted(row, row[lo], side="right")))
            yield Band(*self._halo(lo, hi, layers))
            lo = hi

    def _halo(self, lo: int, hi: int, layers: int) -> tuple[int, int, int, int]:
        """The band with the whole rows that its cells reach in `layers` steps."""
        row, first, last = self.features.sheet.row, lo, hi
        for _ in range(layers):
            seen = self.targets[first:last]
            first, last = min(first, int(np.where(seen >= 0, seen, first).min())), max(last, int(seen.max()) + 1)
            first = int(np.searchsorted(row, row[first]))
            last = int(np.searchsorted(row, row[last - 1], side="right"))
        return first, lo, hi, last

    def tiles(self, max_cells: int, layers: int, first: int, last: int) -> Iterator[tuple[Longs, Longs]]:
        """Cut cells `first` … `last` - 1 (whole rows) into tiles of about `max_cells`: the cells that are wanted, and
        all that must be computed for them, both sorted. They are bands, or parts of bands on sheets with long rows."""
        if self.row_pool is None:
            for band in self.bands(max_cells, layers, first, last):
                yield np.arange(band.lo, band.hi), np.arange(band.halo_lo, band.halo_hi)
            return
        starts = first + np.flatnonzero(np.diff(self.features.sheet.row[first:last], prepend=-1))[::TILE_ROWS]
        for lo, hi in zip(starts, np.append(starts[1:], last), strict=True):
            across = lo + np.argsort(self.features.sheet.col[lo:hi], kind="stable")
            for piece in np.array_split(across, -(-len(across) // max_cells)):
                wanted = np.sort(piece)
                yield wanted, self._reached(wanted, layers)

    def _reached(self, wanted: Longs, layers: int) -> Longs:
        """The cells that others reach in `layers` steps, and they themselves, sorted."""
        cells = wanted
        for _ in range(layers):
            cells = np.unique(np.append(cells, self.targets[cells]))
        return cells[np.searchsorted(cells, 0) :]

    def inputs(self, lo: int, hi: int, edges: bool = True) -> TileInputs:
        """The model's inputs for the band of filled cells lo … hi - 1 (whole rows), with or without edge features."""
        return self.inputs_of(np.arange(lo, hi), edges)

    def inputs_of(self, tile: Longs, edges: bool = True, patch: Ints | None = None) -> TileInputs:
        """The model's inputs for the sorted filled cells `tile`: whole rows where rows are not pooled here, or whole
        patches, with the number (k,) of each cell's `patch`, for models that see no pooled rows."""
        count, features = len(tile), self.features
        engineered = features.engineered_of(tile)
        context = _Context.of(self, tile, engineered)
        cells = self.targets[tile].astype(np.int64)
        inside, place = places_in(tile, cells)
        own = np.arange(count, dtype=np.int64)[:, None]
        neighbours = np.concatenate([np.where(inside, place, own), context.nodes + count], axis=1)
        mask = np.concatenate([inside, np.ones((count, SLOTS - CELL_SLOTS), np.bool_)], axis=1)
        strings, string = self._strings(tile, context)
        tokens, cell_tokens = patch_tokens(features, tile, patch, context.nodes + count, context.cells)
        return TileInputs(
            strings=strings,
            string=string,
            engineered=np.concatenate([engineered, context.engineered], axis=0, dtype=np.float32),
            neighbours=neighbours,
            mask=mask.astype(np.float32),
            weight=self._weights(tile, inside, place),
            edges=edge_features(features, tile, cells, context.cells, mask)
            if edges
            else np.zeros((0, SLOTS, EDGE_WIDTH), np.float32),
            tokens=tokens,
            cell_tokens=cell_tokens,
        )

    def _strings(self, tile: Longs, context: _Context) -> tuple[Floats, Longs]:
        ids = self.features.string_id
        wanted, index = np.unique(np.r_[ids[tile], ids[context.static]], return_inverse=True)
        vectors = self.features.text(wanted.astype(np.int32))
        pooled = len(context.engineered) - len(context.static)
        string = np.r_[index[: len(tile)] + 1, np.zeros(pooled, np.int64), index[len(tile) :] + 1]
        return np.concatenate([np.zeros((1, vectors.shape[1]), np.float32), vectors]), string.astype(np.int64)

    def _weights(self, tile: Longs, inside: NDArray[np.bool_], place: Longs) -> Floats:
        degree = (self.targets[tile] >= 0).sum(axis=1) + (SLOTS - CELL_SLOTS)
        other = degree[np.where(inside, place, 0)]
        among = np.where(inside, 1 / np.sqrt(degree[:, None] * other), 0)
        context = np.broadcast_to(1 / np.sqrt(degree)[:, None], (len(tile), SLOTS - CELL_SLOTS))
        return np.concatenate([among, context], axis=1, dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Context:
    """The context nodes of a band: pooled rows, columns and tables, then static cells; per cell its five nodes."""

    nodes: Longs
    engineered: Floats
    static: Ints
    cells: Longs

    @classmethod
    def of(cls, graph: SheetGraph, tile: Longs, engineered: Floats) -> _Context:
        layout = graph.features.layout
        rows, row_node = np.unique(layout.rows.id[tile], return_inverse=True)
        cols, col_node = np.unique(layout.cols.id[tile], return_inverse=True)
        tables, table_node = np.unique(layout.component[tile], return_inverse=True)
        lead = np.stack([layout.column_top[tile], layout.row_lead[tile]], axis=1)
        static, static_node = np.unique(lead, return_inverse=True)
        offsets = np.cumsum([0, len(rows), len(cols), len(tables)])
        nodes = np.stack([row_node, col_node + offsets[1], table_node + offsets[2]], axis=1)
        pool = graph.row_pool
        row_pool = mean_by(row_node.astype(np.int32), len(rows), engineered) if pool is None else pool[rows]
        own = np.empty((len(static), ENGINEERED_WIDTH), np.float32)
        inside, place = places_in(tile, static)
        own[inside] = engineered[place[inside]]
        own[~inside] = _static_features(graph.features, static[~inside])
        return cls(
            nodes=np.concatenate([nodes, static_node.reshape(lead.shape) + offsets[3]], axis=1).astype(np.int64),
            engineered=np.concatenate([row_pool, graph.column_pool[cols], graph.table_pool[tables], own]),
            static=static.astype(np.int32),
            cells=lead.astype(np.int64),
        )


def _static_features(features: SheetFeatures, cells: NDArray[np.generic]) -> Floats:
    """Engineered features of scattered cells, computed over each run of neighbouring indices."""
    if not len(cells):
        return np.zeros((0, ENGINEERED_WIDTH), np.float32)
    breaks = np.flatnonzero(np.diff(cells) > 64) + 1
    runs = np.split(cells, breaks)
    return np.concatenate([features.engineered(int(run[0]), int(run[-1]) + 1)[run - run[0]] for run in runs])


def build_graph(features: SheetFeatures) -> SheetGraph:
    """Link every filled cell with its neighbours and its context; cost and memory are linear in filled cells."""
    sheet, layout = features.sheet, features.layout
    cell, row, col = covered_places(sheet)
    targets = np.full((len(sheet), CELL_SLOTS), -1, np.int32)
    targets[:, 0] = np.arange(len(sheet))
    for order, line, first in ((np.lexsort((row, col)), col, 1), (np.lexsort((col, row)), row, 5)):
        _link(targets, sheet, cell[order], line[order], order < len(sheet), first)
    groups = [layout.cols.id, layout.component, *([layout.rows.id] if has_long_rows(sheet, layout) else [])]
    return SheetGraph(features, targets, *pools(features, groups))


def _link(targets: Ints, sheet: Sheet, cell: Ints, line: Ints, real: NDArray[np.bool_], first: int) -> None:
    """Fill slots first … first + 3: one and two cells before, one and two after, along sorted lines of places.

    A place covered by a merge can be a target, never a source: `real` marks the cells' own places.
    """
    for slot, step in ((first, 1), (first + 1, 2), (first + 2, -1), (first + 3, -2)):
        ahead, behind = (slice(step, None), slice(None, -step)) if step > 0 else (slice(None, step), slice(-step, None))
        source, target = cell[ahead], cell[behind]
        near = (line[ahead] == line[behind]) & (source != target) & real[ahead]
        near &= np.abs(sheet.row[source] - sheet.row[target]) <= REACH
        near &= np.abs(sheet.col[source] - sheet.col[target]) <= REACH
        targets[source[near], slot] = target[near]


def edge_features(
    features: SheetFeatures, tile: Longs, cells: Longs, context: Longs, mask: NDArray[np.bool_]
) -> Floats:
    """The 23 features of every slot, shape (k, 14, 23): type one-hot, relative place, shared looks; 0 at padding."""
    sheet, merges, formula = features.sheet, features.merges, features.formulas.column("formula")
    count = len(cells)
    own = tile[:, None]
    pooled = np.repeat(own, 3, axis=1)
    other = np.concatenate([np.where(cells >= 0, cells, own), pooled, context], axis=1)
    edges = np.zeros((count, SLOTS, EDGE_WIDTH), np.float32)
    edges[:, np.arange(SLOTS), np.arange(SLOTS)] = 1
    d_row = (sheet.row[other] - sheet.row[own]).astype(np.float32)
    d_col = (sheet.col[other] - sheet.col[own]).astype(np.float32)
    formats = {form: number for number, form in enumerate(sorted({style.number_format for style in sheet.styles}))}
    form = np.array([formats[style.number_format] for style in sheet.styles])
    columns = (
        np.clip(d_row / REACH, -2, 2),
        np.clip(d_col / REACH, -2, 2),
        np.log1p(np.abs(d_row)) / 5,
        np.log1p(np.abs(d_col)) / 5,
        sheet.style[other] == sheet.style[own],
        form[sheet.style[other]] == form[sheet.style[own]],
        sheet.kind[other] == sheet.kind[own],
        formula[other] & formula[own],
        merges[other, 0] == merges[own, 0],
    )
    for number, column in enumerate(columns, start=SLOTS):
        edges[:, :, number] = column
    edges[~mask] = 0
    return edges
