"""Sides of labelled sheets -> a trained network, as a checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import lightning.pytorch as pl
import numpy as np
import torch
from lightning.pytorch.callbacks import Callback, ModelCheckpoint, WeightAveraging
from lightning.pytorch.loggers import CSVLogger
from torch import Tensor, nn
from torch.utils.data import DataLoader

from cellroles.checkpoint import CheckpointConfig, save_checkpoint
from cellroles.models.base import RoleModel
from cellroles.predict import load_predictor
from cellroles.registry import MODELS
from cellroles.sheet import Floats, Sheet
from data.synthetic import generate, to_labelled
from train.batches import Batch, Epoch, Example, Whole
from train.config import RunConfig
from train.edges import edge_labels
from train.facts import Size, training_facts
from train.losses import class_weights
from train.module import RoleModule
from train.pieces import PieceCache, Teach
from train.sides import Sides

DEV_CELLS = 8192
SYNTHETIC_SEEDS = 1_000_000


class RoleData(pl.LightningDataModule):
    """The sheets that teach with generated ones, drawn anew every epoch; and the sheets that choose the epoch."""

    def __init__(self, config: RunConfig, sides: Sides, model: RoleModel) -> None:
        super().__init__()
        self.config, self.dev = config, sides.choose
        real = [Example(labelled) for labelled in sides.train]
        self.examples = real + synthetic_examples(config.data.synthetic, config.seed)
        edges, patches, links = "edges" in model.fields, "tokens" in model.fields, bool(model.edge_types)
        teach = teacher(config.training.teachers)
        self.cache = PieceCache(config.data.max_cells, edges, teach, patches, links)
        self.dev_cache = PieceCache(DEV_CELLS, edges, patches=patches)

    def train_dataloader(self) -> DataLoader[Batch]:
        """The batches of the current epoch."""
        epoch = self.trainer.current_epoch if self.trainer else 0
        seed = self.config.seed + 1_000 * epoch
        return DataLoader(Epoch(self.examples, self.cache, self.config.data, seed), batch_size=None)

    def val_dataloader(self) -> DataLoader[Batch]:
        """All sheets that choose, whole, in order."""
        whole = Whole([Example(labelled) for labelled in self.dev], self.dev_cache, DEV_CELLS)
        return DataLoader(whole, batch_size=None)


def teacher(checkpoints: Sequence[str]) -> Teach | None:
    """The mean probabilities of some checkpoints; None without any."""
    predictors = [load_predictor(checkpoint) for checkpoint in checkpoints]

    def teach(sheet: Sheet) -> Floats:
        return np.mean([predictor.probabilities(sheet, every_row=True) for predictor in predictors], axis=0)

    return teach if predictors else None


def synthetic_examples(count: int, seed: int) -> list[Example]:
    """`count` generated sheets with their labelled pairs; other sheets for every seed."""
    rng = np.random.default_rng(seed)
    sources = [generate(seed * SYNTHETIC_SEEDS + number) for number in range(count)]
    return [Example(to_labelled(source), edge_labels(source, rng)) for source in sources]


class Lines(Callback):
    """One line per epoch: loss, development score, its parts, CPU minutes."""

    def on_train_epoch_end(self, trainer: pl.Trainer, module: pl.LightningModule) -> None:
        """Print what was logged."""
        logged = {name: float(value) for name, value in trainer.callback_metrics.items()}
        parts = " ".join(f"{name[4:]} {value:.3f}" for name, value in logged.items() if name.startswith("dev/"))
        print(
            f"epoch {trainer.current_epoch + 1:3d}  {module.minutes:5.1f} min  step {trainer.global_step}  "
            f"loss {logged['loss']:.4f}  dev {logged.get('dev', float('nan')):.4f}  {parts}",
            flush=True,
        )


class Snapshots(Callback):
    """Files `after-N.pt` of the weights after N steps."""

    def __init__(self, output: Path, steps: Sequence[int]) -> None:
        self.output, self.steps = output, steps

    def on_train_batch_end(self, trainer: pl.Trainer, module: pl.LightningModule, *_: Any) -> None:
        """Keep the weights, once per number of steps."""
        if trainer.global_step in self.steps:
            assert isinstance(module, RoleModule)
            torch.save(module.model.state_dict(), self.output / f"after-{trainer.global_step}.pt")


def export_snapshots(model: RoleModel, output: Path, facts: dict[str, Any]) -> None:
    """Make a checkpoint `after-N` of every file of `Snapshots`; they share the facts but for the steps."""
    for path in sorted(output.glob("after-*.pt")):
        model.load_state_dict(torch.load(path))
        steps = int(path.stem.removeprefix("after-"))
        save_checkpoint(model.eval(), output / path.stem, facts | {"steps": steps, "epochs": 0})


def averaging(decay: float) -> Callable[[Tensor, Tensor, Tensor | int], Tensor]:
    """Exponential moving average that soon forgets the first steps: (average, current, updates) -> average."""

    def update(average: Tensor, current: Tensor, updates: Tensor | int) -> Tensor:
        return average.lerp(current, 1 - min(decay, (1 + int(updates)) / (10 + int(updates))))

    return update


def make_model(config: RunConfig) -> RoleModel:
    """The untrained model of a configuration."""
    chosen = config.model
    model: RoleModel = MODELS[chosen.name](hidden=chosen.hidden, dropout=chosen.dropout, **chosen.options)
    return model


def size_of(model: RoleModel) -> Size:
    """Parameters, layers of the backbone and learned stages: its layers, the encoders and the heads."""
    stages = [len(child) if isinstance(child, nn.ModuleList) else 1 for child in model.children()]
    parameters = sum(parameter.numel() for parameter in model.parameters())
    return Size(parameters, len(model.layers), sum(stages), int(model.options["hidden"]))


def fit(config: RunConfig, module: RoleModule, data: RoleData, output: Path, resume: bool) -> dict[str, Any]:
    """Train `module` and give it the averaged weights of the best epoch on the dev side; return what was saved then."""
    best = ModelCheckpoint(output, "best", monitor="dev", mode="max", save_last=True, enable_version_counter=False)
    trainer = pl.Trainer(
        accelerator="cpu",
        precision=config.training.precision,  # type: ignore[arg-type]
        max_epochs=config.training.epochs,
        gradient_clip_val=config.training.clip,
        callbacks=[
            WeightAveraging(avg_fn=averaging(config.training.ema_decay)),
            best,
            Lines(),
            Snapshots(output, config.training.snapshots),
        ],
        logger=CSVLogger(output, name="", version=""),
        reload_dataloaders_every_n_epochs=1,
        num_sanity_val_steps=0,
        enable_progress_bar=False,
        enable_model_summary=False,
        log_every_n_steps=50,
    )
    trainer.fit(module, data, ckpt_path=output / "last.ckpt" if resume else None, weights_only=False)
    saved: dict[str, Any] = torch.load(best.best_model_path, weights_only=False)
    module.load_state_dict(saved["state_dict"])
    return saved


def train_network(config: RunConfig, sides: Sides, output: Path, resume: bool) -> tuple[CheckpointConfig, Size]:
    """Train as configured; write `output`/checkpoint, as yet without scores."""
    torch.set_num_threads(1)
    pl.seed_everything(config.seed, verbose=False)
    model = make_model(config)
    data = RoleData(config, sides, model)
    alpha = class_weights((entry.labelled.targets for entry in data.examples), config.training.alpha_exponent)
    module = RoleModule(model, config.training, alpha, data.dev)
    saved = fit(config, module, data, output, resume)
    facts = training_facts(config, saved["epoch"] + 1, saved["global_step"], module.minutes)
    checkpoint = save_checkpoint(model.eval(), output / "checkpoint", facts)
    export_snapshots(model, output, facts)
    return checkpoint, size_of(model)
