"""Sides of labelled sheets -> boosted trees over engineered features, as a checkpoint that onnxruntime runs.

The earlier generation: features made by hand and gradient-boosted trees (LightGBM, Ke et al. 2017), as in Koci et al.
2016 for cells of spreadsheets. Sheets, targets, candidates and masks are those of the networks; `epochs` are rounds
with one tree per role. Training takes minutes, so an interrupted run starts again.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import lightgbm as lgb
import numpy as np
from sklearn.decomposition import TruncatedSVD

from cellroles.checkpoint import ONNX, CheckpointConfig, write_config
from cellroles.sheet import Floats, Role
from data.labelled import LabelledSheet
from data.registry import SHEETS_PER_EPOCH
from data.synthetic import generate, to_labelled
from train.config import RunConfig
from train.facts import Size, training_facts
from train.gathered import BITS, Cells, gather
from train.losses import class_weights
from train.network import SYNTHETIC_SEEDS
from train.sides import Sides
from train.trees import ensemble_of, export_trees

TREES = "model.txt"
SETTINGS = {
    "num_class": len(Role),
    "num_leaves": 31,
    "min_data_in_leaf": 20,
    "min_sum_hessian_in_leaf": 1.0,
    "feature_fraction": 0.25,
    "lambda_l2": 1.0,
    "max_bin": 63,
    "force_col_wise": True,
    "num_threads": 1,
    "metric": "None",
    "verbosity": -1,
}
TOPICS = 16
RIDGE = 10.0
PATIENCE = 20  # rounds without a better loss on the side that chooses
LINE_ROUNDS = 10


def train_boosting(config: RunConfig, sides: Sides, output: Path, resume: bool) -> tuple[CheckpointConfig, Size]:
    """Train as configured; write `output`/checkpoint, as yet without scores."""
    started = time.process_time()
    most, data = config.data.balance, config.data
    learnt = gather(drawn(sides.train, config), most, data.style_dropout, config.seed)
    chosen = gather(sides.choose, most, 0.0, config.seed)
    minutes = (time.process_time() - started) / 60
    print(f"epoch   0  {minutes:5.1f} min  {len(learnt.filled)} cells teach, {len(chosen.filled)} choose", flush=True)
    projection = text_projection(learnt, config.seed)
    booster = boost(config, learnt, chosen, projection, started)
    rounds = booster.best_iteration or booster.current_iteration()
    minutes = (time.process_time() - started) / 60
    folder = output / "checkpoint"
    folder.mkdir(parents=True, exist_ok=True)
    booster.save_model(folder / TREES, num_iteration=rounds)
    trees = ensemble_of(booster, rounds)
    export_trees(trees, projection, folder / ONNX)
    facts = training_facts(config, rounds, rounds * len(Role), minutes)
    checkpoint = CheckpointConfig("boosting", {}, depth=1, training=facts)
    write_config(folder, checkpoint)
    return checkpoint, Size(len(trees.nodes_modes), rounds, trees.depth, 0)


def drawn(sheets: list[LabelledSheet], config: RunConfig) -> Iterator[LabelledSheet]:
    """Real sheets, as many of a corpus as in an epoch of the networks, and the generated ones of the seed."""
    rng = np.random.default_rng(config.seed)
    sources = np.array([labelled.source for labelled in sheets])
    for source in np.unique(sources):
        members = rng.permutation(np.flatnonzero(sources == source))
        yield from (sheets[index] for index in members[: SHEETS_PER_EPOCH.get(str(source), len(members))])
    for number in range(config.data.synthetic):
        yield to_labelled(generate(config.seed * SYNTHETIC_SEEDS + number))


def text_projection(cells: Cells, seed: int) -> Floats:
    """(768, 13 + 16): ridge regression of the roles on a cell's own text, then the main directions of the texts."""
    own = cells.strings[cells.string[:, 0]]
    roles = cells.targets / cells.targets.sum(axis=1, keepdims=True)
    gram = (own.T @ own).toarray() + RIDGE * np.eye(own.shape[1])
    ridge = np.linalg.solve(gram, own.T @ roles)
    topics = TruncatedSVD(TOPICS, n_iter=4, random_state=seed).fit(own).components_.T
    return np.concatenate([ridge, topics], axis=1, dtype=np.float32)


def boost(config: RunConfig, learnt: Cells, chosen: Cells, projection: Floats, started: float) -> lgb.Booster:
    """Trees until the rounds, the minutes or the patience end."""
    training = config.training
    labels = (learnt.targets * BITS).sum(axis=1).astype(np.uint16)
    alpha = class_weights([labels], training.alpha_exponent).numpy().astype(np.float64)
    weights = (learnt.targets * alpha).sum(axis=1) / learnt.targets.sum(axis=1)
    settings = SETTINGS | {
        "objective": lambda scores, data: gradients(scores, learnt, weights),
        "learning_rate": training.learning_rate,
        "seed": config.seed,
    }
    data = lgb.Dataset(learnt.rows(projection), params=SETTINGS)
    side = lgb.Dataset(chosen.rows(projection), reference=data)
    return lgb.train(
        settings,
        data,
        num_boost_round=training.epochs,
        valid_sets=[side],
        feval=lambda scores, data: ("loss", log_loss(scores, chosen), False),
        callbacks=[lgb.early_stopping(PATIENCE, verbose=False), Lines(started, training.max_minutes)],
    )


def likelihoods(scores: Floats, cells: Cells) -> tuple[Floats, Floats]:
    """Probabilities among the candidate roles and among the allowed ones, (n, 13) each, rows summing to 1."""
    scores = scores.reshape(cells.targets.shape, order="F") if scores.ndim == 1 else scores
    found = []
    for kept in (cells.candidates, cells.targets):
        masked = np.where(kept, scores, -np.inf)
        powers = np.exp(masked - masked.max(axis=1, keepdims=True))
        found.append(powers / powers.sum(axis=1, keepdims=True))
    return found[0], found[1]


def gradients(scores: Floats, cells: Cells, weights: Floats) -> tuple[Floats, Floats]:
    """First and (diagonal, bounded) second derivatives of minus the log of the summed probability of the allowed roles
    among the candidates: the networks' loss without focusing."""
    candidates, allowed = likelihoods(scores, cells)
    factor = len(Role) / (len(Role) - 1)  # as LightGBM's own softmax has it (Friedman 2001, eq. 37)
    hessian = factor * candidates * (1 - candidates)
    return (candidates - allowed) * weights[:, None], np.maximum(hessian, 1e-6) * weights[:, None]


def log_loss(scores: Floats, cells: Cells) -> float:
    """Mean of minus the log of the summed probability of the allowed roles among the candidates."""
    summed = (likelihoods(scores, cells)[0] * cells.targets).sum(axis=1)
    return float(-np.log(np.maximum(summed, 1e-12)).mean())


class Lines:
    """Callback: a line every ten rounds; stops when the minutes are over."""

    order = 40

    def __init__(self, started: float, max_minutes: float) -> None:
        self.started, self.max_minutes = started, max_minutes

    def __call__(self, env: lgb.callback.CallbackEnv) -> None:
        """After every round."""
        minutes = (time.process_time() - self.started) / 60
        results = env.evaluation_result_list or []
        (loss,) = (value for _, _, value, *_ in results)
        if (env.iteration + 1) % LINE_ROUNDS == 0:
            print(f"epoch {env.iteration + 1:3d}  {minutes:5.1f} min  loss of the choosing side {loss:.4f}", flush=True)
        if self.max_minutes and minutes >= self.max_minutes:
            raise lgb.callback.EarlyStopException(env.iteration, results)
