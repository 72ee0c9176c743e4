"""The graph against plain loops, and bands against the whole sheet."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cellroles.features import extract
from cellroles.graph import CELL_SLOTS, EDGE_TYPES, REACH, SLOTS, SheetGraph, build_graph
from tests.random_sheets import random_sheet

SEEDS = range(8)


@pytest.mark.parametrize("seed", SEEDS)
def test_slots_are_the_nearest_filled_cells_within_reach(seed: int) -> None:
    sheet = random_sheet(seed, rows=30, fill=0.25, merged=False)
    graph = build_graph(extract(sheet))
    places = list(zip(sheet.row.tolist(), sheet.col.tolist(), strict=True))
    for i, (row, col) in enumerate(places):
        up = sorted((j for j, (r, c) in enumerate(places) if c == col and r < row), key=lambda j: -places[j][0])
        right = sorted((j for j, (r, c) in enumerate(places) if r == row and c > col), key=lambda j: places[j][1])
        for name, others in (("up", up), ("right", right)):
            for step in (1, 2):
                other = others[step - 1] if len(others) >= step else -1
                near = other >= 0 and max(abs(places[other][0] - row), abs(places[other][1] - col)) <= REACH
                assert graph.targets[i, EDGE_TYPES.index(f"{name}_{step}")] == (other if near else -1)


def test_a_cell_below_a_merged_header_sees_its_anchor() -> None:
    sheet = random_sheet(1, rows=3, cols=4, fill=1.1, merged=False)
    sheet = replace(sheet, merges=np.array([[0, 1, 1, 4]], np.int32))
    sheet = sheet.keep(~((sheet.row == 0) & (sheet.col > 1)), "covered by a merge")
    graph = build_graph(extract(sheet))
    anchor = int(np.flatnonzero((sheet.row == 0) & (sheet.col == 1))[0])
    below = np.flatnonzero((sheet.row == 1) & (sheet.col >= 1))
    assert graph.targets[below, EDGE_TYPES.index("up_1")].tolist() == [anchor] * 3


@pytest.mark.parametrize("seed", SEEDS)
def test_inputs_have_the_promised_shapes_and_padding(seed: int) -> None:
    features = extract(random_sheet(seed))
    graph = build_graph(features)
    n = len(features.sheet)
    inputs = graph.inputs(0, n)
    m = len(inputs.engineered)
    assert inputs.string.shape == (m,) and inputs.string.max() < len(inputs.strings)
    assert not inputs.strings[0].any()
    assert inputs.neighbours.shape == inputs.mask.shape == inputs.weight.shape == (n, SLOTS)
    assert inputs.neighbours.min() >= 0 and inputs.neighbours.max() < m
    np.testing.assert_array_equal(inputs.neighbours[:, 0], np.arange(n))
    assert (inputs.neighbours[:, CELL_SLOTS:] >= n).all()
    np.testing.assert_array_equal(inputs.weight > 0, inputs.mask > 0)
    np.testing.assert_array_equal(inputs.edges[..., :SLOTS].sum(axis=-1), inputs.mask)
    pooled = inputs.engineered[inputs.neighbours[:, EDGE_TYPES.index("row")]]
    expected = np.stack(
        [features.engineered(0, n)[features.layout.rows.id == group].mean(axis=0) for group in features.layout.rows.id]
    )
    np.testing.assert_allclose(pooled, expected, atol=1e-5)


@pytest.mark.parametrize("seed", SEEDS)
def test_three_rounds_of_messages_in_bands_equal_the_whole_sheet(seed: int) -> None:
    """Averaging over slots three times in bands gives the whole sheet's result, so the halo is wide enough."""
    graph = build_graph(extract(random_sheet(seed, rows=120, cols=4, fill=0.5)))
    n = len(graph.targets)

    def rounds(lo: int, hi: int) -> np.ndarray:
        inputs = graph.inputs(lo, hi)
        k = hi - lo
        state = inputs.engineered[:k]
        for _ in range(3):
            nodes = np.concatenate([state, inputs.engineered[k:]])
            state = (inputs.weight[..., None] * nodes[inputs.neighbours]).sum(axis=1)
        return state

    whole = rounds(0, n)
    bands = list(graph.bands(max_cells=40, layers=3))
    assert len(bands) > 3
    parts = [rounds(band.halo_lo, band.halo_hi)[band.lo - band.halo_lo : band.hi - band.halo_lo] for band in bands]
    np.testing.assert_allclose(np.concatenate(parts), whole, atol=1e-5)


def test_three_rounds_of_messages_in_parts_of_long_rows_equal_the_whole_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = random_sheet(3, rows=9, cols=120, fill=0.6)
    whole_rows = build_graph(extract(sheet))
    monkeypatch.setattr("cellroles.pools.LONG_ROW", 20)
    graph = build_graph(extract(sheet))
    n = len(sheet)
    assert whole_rows.row_pool is None and graph.row_pool is not None

    def rounds(tile: np.ndarray, graph: SheetGraph) -> np.ndarray:
        inputs = graph.inputs_of(tile)
        state = inputs.engineered[: len(tile)]
        for _ in range(3):
            nodes = np.concatenate([state, inputs.engineered[len(tile) :]])
            state = (inputs.weight[..., None] * nodes[inputs.neighbours]).sum(axis=1)
        return state + inputs.edges.sum(axis=(1, 2))[:, None]

    found = np.zeros((n, len(graph.column_pool[0])))
    tiles = list(graph.tiles(40, 3, 0, n))
    for wanted, cells in tiles:
        found[wanted] = rounds(cells, graph)[np.searchsorted(cells, wanted)]
    assert len(tiles) > 3 and max(len(cells) for _, cells in tiles) < n
    assert np.concatenate([wanted for wanted, _ in tiles]).tolist() != list(range(n))
    np.testing.assert_allclose(found, rounds(np.arange(n), whole_rows), atol=1e-4)
