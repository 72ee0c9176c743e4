"""Configuration -> a trained role model: `python -m train.roles configs/roles/gcn.toml`."""

from __future__ import annotations

import argparse
import dataclasses
import json
import subprocess
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

import lightning.pytorch as pl
import numpy as np
import torch
from lightning.pytorch.callbacks import Callback, ModelCheckpoint, WeightAveraging
from lightning.pytorch.loggers import CSVLogger
from torch import Tensor
from torch.utils.data import DataLoader

from cellroles.checkpoint import save_checkpoint, write_config
from cellroles.models.base import RoleModel
from cellroles.predict import load_predictor
from cellroles.registry import MODELS
from cellroles.sheet import Floats, Sheet
from data.labelled import LabelledSheet
from data.registry import load_corpora
from data.splits import split
from data.synthetic import generate, to_labelled
from train.batches import Batch, Epoch, Example, Whole
from train.config import RunConfig, load_run
from train.edges import edge_labels
from train.evaluate import evaluate, markdown
from train.losses import class_weights
from train.module import RoleModule
from train.paths import evaluate_paths
from train.pieces import PieceCache, Teach

DEV_CELLS = 8192
SYNTHETIC_SEEDS = 1_000_000


class RoleData(pl.LightningDataModule):
    """The training side of the corpora with generated sheets, drawn anew every epoch; and the development side."""

    def __init__(self, config: RunConfig, sheets: Sequence[LabelledSheet], edges: bool) -> None:
        super().__init__()
        self.config = config
        real, self.dev = sides(sheets, config.data.held_out)
        self.examples = real + synthetic_examples(config.data.synthetic, config.seed)
        self.cache = PieceCache(config.data.max_cells, edges, teacher(config.training.teachers))
        self.dev_cache = PieceCache(DEV_CELLS, edges)

    def train_dataloader(self) -> DataLoader[Batch]:
        """The batches of the current epoch."""
        epoch = self.trainer.current_epoch if self.trainer else 0
        seed = self.config.seed + 1_000 * epoch
        return DataLoader(Epoch(self.examples, self.cache, self.config.data, seed), batch_size=None)

    def val_dataloader(self) -> DataLoader[Batch]:
        """All development sheets, whole, in order."""
        whole = Whole([Example(labelled) for labelled in self.dev], self.dev_cache, DEV_CELLS)
        return DataLoader(whole, batch_size=None)


def sides(sheets: Sequence[LabelledSheet], held_out: Collection[str] = ()) -> tuple[list[Example], list[LabelledSheet]]:
    """What is trained on and what is measured: the two sides of the split, or all others and the `held_out` corpora."""
    if held_out:
        measured = [labelled.source in held_out for labelled in sheets]
    else:
        measured = [split(labelled) == "dev" for labelled in sheets]
    kept = list(zip(sheets, measured, strict=True))
    return [Example(sheet) for sheet, dev in kept if not dev], [sheet for sheet, dev in kept if dev]


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


def averaging(decay: float) -> Callable[[Tensor, Tensor, Tensor | int], Tensor]:
    """Exponential moving average that soon forgets the first steps: (average, current, updates) -> average."""

    def update(average: Tensor, current: Tensor, updates: Tensor | int) -> Tensor:
        return average.lerp(current, 1 - min(decay, (1 + int(updates)) / (10 + int(updates))))

    return update


def make_model(config: RunConfig) -> RoleModel:
    """The untrained model of a configuration."""
    options = dataclasses.asdict(config.model)
    model: RoleModel = MODELS[options.pop("name")](**options)
    return model


def fit(config: RunConfig, module: RoleModule, data: RoleData, output: Path, resume: bool) -> dict[str, Any]:
    """Train `module` and give it the averaged weights of the best epoch on the dev side; return what was saved then."""
    best = ModelCheckpoint(output, "best", monitor="dev", mode="max", save_last=True, enable_version_counter=False)
    trainer = pl.Trainer(
        accelerator="cpu",
        precision=config.training.precision,  # type: ignore[arg-type]
        max_epochs=config.training.epochs,
        gradient_clip_val=config.training.clip,
        callbacks=[WeightAveraging(avg_fn=averaging(config.training.ema_decay)), best, Lines()],
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


def train(config: RunConfig, output: Path, resume: bool = False) -> dict[str, Any]:
    """Train as configured; write the checkpoint and `report.json`: what was run and what it scores when predicting."""
    torch.set_num_threads(1)
    pl.seed_everything(config.seed, verbose=False)
    model = make_model(config)
    data = RoleData(config, load_corpora(config.data.corpora), "edges" in model.fields)
    alpha = class_weights((entry.labelled.targets for entry in data.examples), config.training.alpha_exponent)
    module = RoleModule(model, config.training, alpha, data.dev)
    saved = fit(config, module, data, output, resume)
    training = training_facts(config, module.minutes, saved)
    unscored = save_checkpoint(model.eval(), output / "checkpoint", training)
    predictor = load_predictor(output / "checkpoint")
    scores = evaluate(predictor, data.dev)
    write_config(output / "checkpoint", dataclasses.replace(unscored, scores=scores))
    report = {"training": training, "scores": scores, "paths": evaluate_paths(predictor, data.dev)}
    (output / "report.json").write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    return report


def training_facts(config: RunConfig, minutes: float, saved: dict[str, Any]) -> dict[str, Any]:
    """What was run, for how long and at which commit, and when the chosen weights were reached."""
    return {
        "config": dataclasses.asdict(config),
        "epochs": saved["epoch"] + 1,
        "steps": saved["global_step"],
        "cpu_minutes": round(minutes, 1),
        "commit": git_commit(),
    }


def git_commit() -> str:
    """The commit of the checkout, or an empty string outside one."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parent, check=False)
    return done.stdout.strip()


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(prog="python -m train.roles", description=__doc__)
    parser.add_argument("config", type=Path, help="a TOML file of configs/roles")
    parser.add_argument("--output", type=Path, help="folder of the run (default: runs/NAME)")
    parser.add_argument("--epochs", type=int, help="instead of the configuration's")
    parser.add_argument("--max-minutes", type=float, help="CPU minutes, instead of the configuration's")
    parser.add_argument("--seed", type=int, help="instead of the configuration's")
    parser.add_argument("--resume", action="store_true", help="go on from last.ckpt in the output folder")
    given = parser.parse_args(arguments)
    config = load_run(given.config)
    limits = {"epochs": given.epochs, "max_minutes": given.max_minutes}
    training = dataclasses.replace(config.training, **{k: v for k, v in limits.items() if v is not None})
    config = dataclasses.replace(config, training=training, seed=config.seed if given.seed is None else given.seed)
    output = given.output or Path("runs") / given.config.stem
    report = train(config, output, given.resume)
    print(f"{markdown(report['scores'])}\n\ncheckpoint in {output / 'checkpoint'}")


if __name__ == "__main__":
    main()
