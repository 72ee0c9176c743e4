"""Batches -> a trained role model: loss, optimiser and schedule, as a Lightning module."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import lightning.pytorch as pl
import numpy as np
import torch
from lightning.pytorch.utilities.types import OptimizerLRSchedulerConfig
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from cellroles.models.base import RoleModel
from data.labelled import LabelledSheet
from train.adjacency import link_loss
from train.batches import Batch
from train.config import TrainingConfig
from train.losses import focal_loss, soft_loss
from train.metrics import dev_score


class RoleModule(pl.LightningModule):
    """A role model under training. Progress runs from 0 to 1 with the epochs or with the process's CPU minutes,
    whichever is faster; the learning rate follows it, so a run that must end in time still ends at rate 0."""

    alpha: Tensor

    def __init__(
        self, model: RoleModel, config: TrainingConfig, alpha: Tensor, dev: Sequence[LabelledSheet] = ()
    ) -> None:
        super().__init__()
        self.dev = dev
        self.predicted: list[Tensor] = []
        self.model = model
        self.config = config
        self.register_buffer("alpha", alpha)
        self.minutes_before = 0.0
        self.started = time.process_time()

    @property
    def minutes(self) -> float:
        """CPU minutes of this run, those before a resume included."""
        return self.minutes_before + (time.process_time() - self.started) / 60

    @property
    def progress(self) -> float:
        """The share of the run that is done, in [0, 1]."""
        batches = max(float(self.trainer.num_training_batches), 1.0)
        epochs = self.trainer.global_step / (batches * self.config.epochs)
        minutes = self.minutes / self.config.max_minutes if self.config.max_minutes else 0.0
        return min(max(epochs, minutes), 1.0)

    @property
    def warmth(self) -> float:
        """The share of its weight that adjacency has by now, in [0, 1]: roles come first."""
        return min(1.0, (self.trainer.global_step + 1) / max(self.config.adjacency_warmup_steps, 1))

    def loss(self, batch: Batch, warmth: float = 1.0) -> Tensor:
        """Focal loss of the roles plus, weighted, that against a teacher's, where there is one, the losses of both
        edge heads, where pairs are labelled, and that of adjacency, where the model predicts it, scaled by `warmth`."""
        cells, links = self.model.learn(batch.inputs, batch.links)
        logits = self.model.classify_nodes(cells)
        loss = focal_loss(
            logits,
            batch.targets,
            batch.candidates,
            batch.shares,
            self.alpha,
            self.config.gamma,
        )
        if batch.soft.shape[1]:
            loss = loss + self.config.teacher_weight * soft_loss(logits, batch.soft, batch.soft_shares)
        if len(batch.pairs):
            hierarchy, boundary = self.model.predict_edges(cells, batch.pairs)
            edges = binary_cross_entropy_with_logits(hierarchy, batch.hierarchy)
            edges = edges + binary_cross_entropy_with_logits(boundary, batch.boundary)
            loss = loss + self.config.edge_weight * edges
        if links.numel():
            loss = loss + self.config.adjacency_weight * warmth * link_loss(links, batch.link_types)
        return loss

    def training_step(self, batch: Batch, index: int) -> Tensor:
        """Loss of one batch; asks the trainer to stop when the minutes are over."""
        loss = self.loss(batch, self.warmth)
        self.log("loss", loss, on_step=False, on_epoch=True, batch_size=len(batch.targets))
        if self.progress >= 1:
            self.trainer.should_stop = True
        return loss

    def validation_step(self, batch: Batch, index: int) -> None:
        """Keep the best role of each cell among those that its corpus uses."""
        logits = self.model.classify_nodes(self.model(batch.inputs))
        self.predicted.append(logits.masked_fill(~batch.candidates, -torch.inf).argmax(dim=1))

    def on_validation_epoch_end(self) -> None:
        """Log the development score, `dev`, and its part per corpus."""
        roles = torch.cat(self.predicted).numpy().astype(np.uint8)
        self.predicted.clear()
        ends = np.cumsum([len(labelled.sheet) for labelled in self.dev])
        score, parts = dev_score(zip(self.dev, np.split(roles, ends[:-1]), strict=True))
        self.log("dev", score, prog_bar=True)
        self.log_dict({f"dev/{source}": part for source, part in parts.items()})

    def configure_gradient_clipping(
        self, optimizer: Any, gradient_clip_val: Any = None, gradient_clip_algorithm: Any = None
    ) -> None:
        """Clip by norm: bfloat16 gradients are not scaled, so clipping them is safe with a fused optimiser too."""
        torch.nn.utils.clip_grad_norm_(self.parameters(), gradient_clip_val)

    def configure_optimizers(self) -> OptimizerLRSchedulerConfig:
        """AdamW with a linear warm-up and a cosine decay to 0 over the progress of the run."""
        optimizer = torch.optim.AdamW(
            self.parameters(), lr=self.config.learning_rate, weight_decay=self.config.weight_decay, fused=True
        )

        def rate(step: int) -> float:
            warmup = min(1.0, (step + 1) / max(self.config.warmup_steps, 1))
            return warmup * 0.5 * (1 + math.cos(math.pi * self.progress))

        scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": scheduler, "interval": "step"}}

    def on_save_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        """Keep the minutes, so that a resumed run goes on in its schedule."""
        checkpoint["minutes"] = self.minutes

    def on_load_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        """Go on counting minutes from where the saved run was."""
        self.minutes_before, self.started = checkpoint["minutes"], time.process_time()
