"""Configuration and sides -> a trained checkpoint, by the trainer of the configured model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cellroles.checkpoint import CheckpointConfig
from cellroles.registry import MODELS, Registry
from train.config import RunConfig
from train.facts import Size
from train.sides import Sides

Trainer = Callable[[RunConfig, Sides, Path, bool], tuple[CheckpointConfig, Size]]

TRAINERS: Registry[Trainer] = Registry(
    "role model", dict.fromkeys(MODELS, "train.network:train_network") | {"boosting": "train.boosting:train_boosting"}
)


def fit_model(config: RunConfig, sides: Sides, output: Path, resume: bool) -> tuple[CheckpointConfig, Size]:
    """Write `output`/checkpoint, as yet without scores, and say how large the model is."""
    return TRAINERS[config.model.name](config, sides, output, resume)
