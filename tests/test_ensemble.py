"""Several checkpoints become one that gives the mean of their probabilities."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from cellroles.checkpoint import load_config, save_checkpoint
from cellroles.predict import load_predictor
from cellroles.registry import MODELS
from tests.random_sheets import random_sheet
from train.ensemble import ensemble


def member(name: str, folder: Path) -> Path:
    torch.manual_seed(len(name))
    save_checkpoint(MODELS[name](hidden=8).eval(), folder / name, {"commit": name})
    return folder / name


def test_an_ensemble_gives_the_mean_and_needs_what_its_members_need(tmp_path: Path) -> None:
    members = [member(name, tmp_path) for name in ("mlp", "gat")]
    config = ensemble(members, tmp_path / "both")
    assert load_config(tmp_path / "both") == config
    assert config.options["members"] == ["mlp", "gat"]
    assert [one["commit"] for one in config.training["members"]] == ["mlp", "gat"]
    both = load_predictor(tmp_path / "both")
    assert (both.depth, both.edges) == (3, True)
    for seed in range(3):
        sheet = random_sheet(seed)
        parts = [load_predictor(folder).probabilities(sheet, max_cells=16) for folder in members]
        np.testing.assert_allclose(both.probabilities(sheet, max_cells=16), np.mean(parts, axis=0), atol=1e-6)
