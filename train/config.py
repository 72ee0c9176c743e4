"""TOML file -> the settings of a training run: every table is a constructor call, unknown keys are errors."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any, TypeVar

from cellroles.registry import MODELS
from data.registry import ROLE_CORPORA

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """Which role model; `hidden` 256 gives the paper's parameter counts. `options` are the other arguments of its
    constructor, which stand beside these in the file."""

    name: str = "gcn"
    hidden: int = 256
    dropout: float = 0.2
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DataConfig:
    """What is trained on: labelled corpora and `synthetic` generated sheets, fresh for every seed.

    Sheets above `max_cells` are cut into windows; a batch holds about `batch_cells` cells; `style_dropout` is the
    chance that a formatted sheet loses its styles for an epoch. `balance`: the cells of one label in a window count as
    that many at the most in the loss (0: all count). `text_dropout` is the chance that a sheet loses some or all of its
    texts for a batch, which leaves their shape and place to learn from. `held_out`: corpora that are not trained on;
    all their sheets are then the development sheets, which tells what pays on sheets from elsewhere. `label_folders`:
    folders of label files of one's own (`cellroles label import`), used like a corpus that is called as its folder.
    """

    corpora: tuple[str, ...] = ROLE_CORPORA
    synthetic: int = 1500
    max_cells: int = 800
    batch_cells: int = 3200
    style_dropout: float = 0.3
    text_dropout: float = 0.0
    balance: int = 0
    held_out: tuple[str, ...] = ()
    label_folders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """How it is trained. The cosine schedule spans `epochs`, or `max_minutes` (0: no limit) where that ends first.

    `gamma`: focusing of the focal loss; `alpha_exponent`: power of the inverse class frequency that weights it.
    `precision` is Lightning's: "bf16-mixed" halves the time on processors with avx512_bf16 or better.
    `edge_weight`: weight of the hierarchy and table-boundary losses, on the synthetic sheets; `adjacency_weight`: that
    of the four edge types of graph learners, reached after `adjacency_warmup_steps`. `teachers`: checkpoints whose mean
    probabilities are learnt beside the labels, in every cell, with `teacher_weight`. `snapshots`: steps after which the
    model as it is then is kept as a checkpoint of its own, for studies of what quality is worth.
    """

    epochs: int = 100
    max_minutes: float = 0.0
    learning_rate: float = 1e-3
    weight_decay: float = 1e-2
    warmup_steps: int = 100
    clip: float = 1.0
    gamma: float = 2.0
    alpha_exponent: float = 0.25
    ema_decay: float = 0.998
    edge_weight: float = 0.1
    adjacency_weight: float = 0.2
    adjacency_warmup_steps: int = 500
    teachers: tuple[str, ...] = ()
    teacher_weight: float = 1.0
    precision: str = "32-true"
    snapshots: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RunConfig:
    """One training run."""

    seed: int = 42
    model: ModelConfig = field(default_factory=ModelConfig)
    data: DataConfig = field(default_factory=DataConfig)
    training: TrainingConfig = field(default_factory=TrainingConfig)


def build(cls: type[T], table: Mapping[str, Any], place: str) -> T:
    """Call the constructor `cls` with the keys of a TOML table; ValueError names the accepted keys and types."""
    accepted = {entry.name: entry.type for entry in fields(cls)}  # type: ignore[arg-type]
    unknown = [key for key in table if key not in accepted]
    if unknown:
        raise ValueError(f"{place} accepts {', '.join(accepted)}; got {', '.join(unknown)}")
    return cls(**{key: tuple(value) if isinstance(value, list) else value for key, value in table.items()})


def build_model(table: Mapping[str, Any], place: str) -> ModelConfig:
    """`build` with the options that the constructor of the named model accepts."""
    name, own = table.get("name", ModelConfig().name), ("name", "hidden", "dropout")
    options = [*signature(MODELS[name]).parameters] if name in MODELS else []
    accepted = dict.fromkeys([*own, *options])
    unknown = [key for key in table if key not in accepted]
    if unknown:
        raise ValueError(f"{place} accepts {', '.join(accepted)}; got {', '.join(unknown)}")
    given = {key: value for key, value in table.items() if key in own}
    return ModelConfig(**given, options={key: value for key, value in table.items() if key not in own})


TABLES: dict[str, Callable[[Mapping[str, Any], str], Any]] = {
    "model": build_model,
    "data": partial(build, DataConfig),
    "training": partial(build, TrainingConfig),
}


def load_run(path: Path) -> RunConfig:
    """Read a run's TOML file; ValueError names the file, the table and the accepted keys."""
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path} is no TOML file: {error}") from error
    built = {key: TABLES[key](value, f"{path} [{key}]") if key in TABLES else value for key, value in tables.items()}
    return build(RunConfig, built, str(path))
