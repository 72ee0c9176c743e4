"""Boosted trees: what they learn from, their derivatives, and an exported model that says what LightGBM says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import lightgbm as lgb
import numpy as np
import onnx
import pytest

from cellroles.features import ENGINEERED_WIDTH, extract
from cellroles.features.text import TEXT_WIDTH
from cellroles.graph import build_graph
from cellroles.predict import load_predictor
from cellroles.sheet import Role
from data.labelled import LabelledSheet, role_set
from data.synthetic import generate, to_labelled
from train.boosting import gradients, log_loss, train_boosting
from train.config import load_run
from train.evaluate import evaluate
from train.gathered import SLOTS, Cells, gather, put_together, taken
from train.sides import Sides
from train.trees import rounded_down

SEEDS = range(12)
TINY = "[model]\nname = 'boosting'\n[training]\nepochs = 25\nlearning_rate = 0.3\n[data]\nsynthetic = 4\nbalance = 8\n"


@pytest.fixture(scope="module")
def sheets() -> list[LabelledSheet]:
    return [replace(to_labelled(generate(seed)), group=f"g{seed}") for seed in SEEDS]


@pytest.fixture(scope="module")
def folder(sheets: list[LabelledSheet], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("boosting")
    (path / "tiny.toml").write_text(TINY)
    config, size = train_boosting(load_run(path / "tiny.toml"), Sides(sheets, sheets[:3], sheets), path, False)
    assert config.architecture == "boosting"
    assert 1 <= size.layers <= 25
    assert size.parameters > 13 * size.layers
    assert 1 <= size.depth <= 30
    return path


def test_trees_learn_the_sheets_that_they_saw(folder: Path, sheets: list[LabelledSheet]) -> None:
    predictor = load_predictor(folder / "checkpoint")
    probabilities = predictor.probabilities(sheets[0].sheet)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-5)
    assert not predictor.edges
    assert evaluate(predictor, sheets)["raw"]["pooled"]["accuracy"] > 0.9
    assert json.loads((folder / "checkpoint" / "config.json").read_text())["training"]["epochs"] >= 1


def test_the_exported_model_says_what_lightgbm_says(folder: Path, sheets: list[LabelledSheet]) -> None:
    booster = lgb.Booster(model_file=folder / "checkpoint" / "model.txt")
    model = onnx.load(folder / "checkpoint" / "model.onnx")
    (projection,) = (
        onnx.numpy_helper.to_array(entry) for entry in model.graph.initializer if entry.name == "projection"
    )
    for labelled in sheets[:4]:
        tile = build_graph(extract(labelled.sheet)).inputs(0, len(labelled.sheet), edges=False)
        nodes = tile.neighbours[:, SLOTS]
        text = (tile.strings @ projection)[tile.string]
        rows = put_together(tile.engineered[nodes], text[nodes], tile.mask[:, SLOTS] > 0)
        scores = booster.predict(rows, raw_score=True).reshape(len(rows), len(Role))
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        found = load_predictor(folder / "checkpoint").probabilities(labelled.sheet, every_row=True)
        np.testing.assert_allclose(found, powers / powers.sum(axis=1, keepdims=True), atol=1e-5)


def test_bands_give_the_whole_sheet(folder: Path, sheets: list[LabelledSheet]) -> None:
    largest = max((labelled.sheet for labelled in sheets), key=len)
    predictor = load_predictor(folder / "checkpoint")
    whole, cut = (predictor.probabilities(largest, cells, every_row=True) for cells in (10_000, 20))
    np.testing.assert_allclose(cut, whole, atol=1e-5)


def test_few_cells_of_every_label_are_taken(sheets: list[LabelledSheet]) -> None:
    for labelled in sheets:
        cells = taken(labelled, 3, np.random.default_rng(0))
        assert (np.diff(cells) > 0).all()
        labels, counts = np.unique(labelled.targets[cells], return_counts=True)
        assert set(labels) == set(labelled.targets[labelled.targets > 0])
        assert (counts <= 3).all()
    masked = replace(sheets[0], targets=np.zeros_like(sheets[0].targets))
    assert not len(taken(masked, 3, np.random.default_rng(0)))


def test_rows_hold_slots_texts_and_what_is_filled(sheets: list[LabelledSheet]) -> None:
    cells = gather(sheets[:2], 4, 0.0, seed=1)
    projection = np.random.default_rng(0).normal(size=(TEXT_WIDTH, 5)).astype(np.float32)
    rows = cells.rows(projection)
    width = ENGINEERED_WIDTH + 5
    assert rows.shape == (len(cells.filled), len(SLOTS) * width + len(SLOTS))
    np.testing.assert_allclose(
        rows[:, ENGINEERED_WIDTH:width], (cells.strings @ projection)[cells.string[:, 0]], rtol=1e-5
    )
    up = rows[:, width : 2 * width]
    assert not up[~cells.filled[:, 1]].any()
    assert up[cells.filled[:, 1]].any(axis=1).all()
    assert (cells.targets <= cells.candidates).all()
    assert cells.candidates[:, Role.EMPTY].all()


def test_nothing_to_learn_from_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one labelled cell"):
        gather([], 8, 0.0, 1)


def test_gradients_are_those_of_the_loss() -> None:
    rng = np.random.default_rng(5)
    rows = role_set([Role.ROW_HEADER_1, Role.ROW_HEADER_2])
    bits = np.left_shift(1, np.arange(13))
    targets = (np.array([1, rows, 1 << Role.HEADER])[:, None] & bits) > 0
    candidates = targets | (rng.random((3, 13)) < 0.6)
    none = np.zeros((3, 0))
    cells = Cells(none, none, none, none, targets, candidates)
    scores = rng.normal(size=(3, 13))
    gradient, hessian = gradients(scores, cells, np.ones(3))
    numeric = np.zeros_like(scores)
    for place in np.ndindex(scores.shape):
        step = np.zeros_like(scores)
        step[place] = 1e-5
        numeric[place] = 3 * (log_loss(scores + step, cells) - log_loss(scores - step, cells)) / 2e-5
    np.testing.assert_allclose(gradient, numeric, atol=1e-6)
    assert (hessian > 0).all()
    assert not gradient[~candidates].any()


def test_thresholds_never_round_up() -> None:
    for threshold in np.random.default_rng(0).normal(size=200).tolist():
        above = np.nextafter(np.float32(rounded_down(threshold)), np.float32(np.inf))
        assert rounded_down(threshold) <= threshold < float(above)
