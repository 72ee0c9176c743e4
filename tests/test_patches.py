"""Patches: how sheets are cut, what a patch sees beyond its cells, how patches are packed."""

from __future__ import annotations

import numpy as np
import pytest

from cellroles.features import extract
from cellroles.graph import SheetGraph, TileInputs, build_graph
from cellroles.patches import (
    AREA,
    COL,
    COL_PLACE,
    MAX_KEYS,
    MIDDLE,
    NODE,
    NONE,
    PATCH,
    PATCH_CELLS,
    POOLED,
    ROW,
    ROW_PLACE,
    STRIP_COLUMNS,
    cut,
    groups,
)
from tests.grids import picture
from tests.random_sheets import random_sheet

SHEETS = (
    random_sheet(0, rows=300, cols=5),
    random_sheet(1, rows=60, cols=90, fill=0.7),
    random_sheet(2, rows=9, cols=4),
)


def tile_of(graph: SheetGraph) -> tuple[TileInputs, np.ndarray]:
    sheet = graph.features.sheet
    patch = cut(sheet.row, sheet.col)
    return graph.inputs_of(np.arange(len(sheet)), patch=patch), patch


@pytest.mark.parametrize("sheet", SHEETS)
def test_patches_are_rows_of_a_strip(sheet):
    patch = cut(sheet.row, sheet.col)
    assert np.bincount(patch).min() > 0
    assert np.bincount(patch).max() <= PATCH_CELLS + STRIP_COLUMNS
    for number in range(patch.max() + 1):
        mine = patch == number
        columns, rows = sheet.col[mine], sheet.row[mine]
        assert len(np.unique(columns)) <= STRIP_COLUMNS
        within = (sheet.col >= columns.min()) & (sheet.col <= columns.max())
        between = (sheet.row >= rows.min()) & (sheet.row <= rows.max())
        np.testing.assert_array_equal(mine, within & between)


def test_no_cells_have_no_patch():
    none = np.zeros(0, np.int32)
    assert not len(cut(none, none))
    assert not list(groups(none, np.zeros(0, np.bool_), 10))


@pytest.mark.parametrize("sheet", SHEETS)
def test_groups_hold_each_wanted_patch_once(sheet):
    patch = cut(sheet.row, sheet.col)
    wanted = np.zeros(len(sheet), np.bool_)
    wanted[:: PATCH_CELLS * 3] = True
    found = np.concatenate(list(groups(patch, wanted, 300)))
    np.testing.assert_array_equal(np.sort(found), np.flatnonzero(np.isin(patch, patch[wanted])))


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_cell_is_a_token_of_its_patch(sheet):
    tile, patch = tile_of(build_graph(extract(sheet)))
    own = tile.tokens.reshape(-1, 7)[tile.cell_tokens]
    np.testing.assert_array_equal(own[:, NODE], np.arange(len(sheet)))
    np.testing.assert_array_equal(own[:, PATCH], patch)
    np.testing.assert_array_equal(own[:, [ROW, COL]], np.stack([sheet.row, sheet.col], axis=1))
    real = tile.tokens[tile.tokens[..., PATCH] != NONE]
    assert len(real) == len(np.unique(real[:, [NODE, PATCH]], axis=0))
    keys = real[real[:, NODE] >= len(sheet)]
    assert np.bincount(keys[:, PATCH]).max() <= MAX_KEYS
    assert tile.tokens[..., [ROW_PLACE, COL_PLACE]].min() >= 0
    assert tile.tokens[..., [ROW_PLACE, COL_PLACE]].max() <= POOLED


def test_a_patch_sees_the_tops_of_its_columns_and_pooled_columns():
    rows = "\n".join(f"v {i} | v {i} | v {i}" for i in range(200))
    sheet, _ = picture("c1 A | c1 B | c1 C\n" + rows)
    tile, patch = tile_of(build_graph(extract(sheet)))
    real = tile.tokens[tile.tokens[..., PATCH] == patch.max()]
    keys = real[real[:, NODE] >= len(sheet)]
    tops = keys[keys[:, ROW] == 0]
    assert sorted(tops[:, COL]) == [0, 1, 2]
    assert (tops[:, ROW_PLACE] < MIDDLE).all()
    pools = keys[(keys[:, ROW] == NONE) & (keys[:, COL] != NONE)]
    assert sorted(pools[:, COL]) == [0, 1, 2]
    assert (pools[:, ROW_PLACE] == POOLED).all() and (pools[:, COL_PLACE] == MIDDLE + pools[:, COL]).all()
    assert len(keys) == 7  # and the table
    first = tile.tokens[tile.tokens[..., PATCH] == 0]
    assert (first[first[:, NODE] >= len(sheet), ROW] == NONE).all()


def test_merges_cover_cells():
    sheet, _ = picture("c2 A | | \nc1 B | c1 C\nv 1 | v 2", merges="A1:B1")
    tile, _ = tile_of(build_graph(extract(sheet)))
    assert tile.tokens.reshape(-1, 7)[tile.cell_tokens, AREA].tolist() == [2, 1, 1, 1, 1]
