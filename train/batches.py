"""Labelled sheets -> the batches of an epoch: sheets drawn per corpus, windows with the top rows, styles dropped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import Dataset

from cellroles.models.base import Inputs
from cellroles.sheet import Role
from data.labelled import LabelledSheet
from data.registry import SHEETS_PER_EPOCH
from train.config import DataConfig
from train.edges import EdgeLabels
from train.losses import balanced_shares
from train.pieces import Piece, PieceCache, has_styles, join

BITS = np.left_shift(1, np.arange(len(Role)))


class Batch(NamedTuple):
    """Several pieces side by side: k cells in all, p labelled pairs of cells."""

    inputs: Inputs
    targets: Tensor  # (k, 13) bool: the roles that the label allows; none where it is masked
    shares: Tensor  # (k,) float: how much each cell counts in the loss
    candidates: Tensor  # (k, 13) bool: the roles that the sheet's corpus uses
    soft: Tensor  # (k, 13) float: the probabilities of a teacher; (k, 0) without one
    soft_shares: Tensor  # (k,) float: how much each cell counts in the loss against them
    pairs: Tensor  # (p, 2) indices of cells
    hierarchy: Tensor  # (p,) float
    boundary: Tensor  # (p,) float
    links: Tensor  # (l, 2) indices of cells
    link_types: Tensor  # (l, 4) float: whether they are edges of each type, NaN where unknown


def collate(pieces: Sequence[Piece], balance: int = 0) -> Batch:
    """Join pieces; bit sets become one column per role. `balance` as in `losses.balanced_shares`."""
    cells = [piece.cells for piece in pieces]
    start = np.cumsum([0, *cells[:-1]])
    targets = np.concatenate([piece.targets for piece in pieces])
    candidates = np.repeat([piece.candidates for piece in pieces], cells)
    labels = [piece.labels for piece in pieces]
    pairs = np.concatenate([part.pairs + first for part, first in zip(labels, start, strict=True)])
    links = np.concatenate([piece.links.pairs + first for piece, first in zip(pieces, start, strict=True)])
    return Batch(
        inputs=Inputs.of(join(pieces)),
        targets=torch.from_numpy((targets[:, None] & BITS) > 0),
        shares=torch.from_numpy(np.concatenate([balanced_shares(piece.targets, balance) for piece in pieces])),
        candidates=torch.from_numpy((candidates[:, None] & BITS) > 0),
        soft=torch.from_numpy(np.concatenate([piece.soft for piece in pieces]).astype(np.float32)),
        soft_shares=torch.from_numpy(np.concatenate([_soft_shares(piece, balance) for piece in pieces])),
        pairs=torch.from_numpy(pairs),
        hierarchy=torch.from_numpy(np.concatenate([part.hierarchy for part in labels])),
        boundary=torch.from_numpy(np.concatenate([part.boundary for part in labels])),
        links=torch.from_numpy(links),
        link_types=torch.from_numpy(np.concatenate([piece.links.types for piece in pieces])),
    )


def _soft_shares(piece: Piece, balance: int) -> NDArray[np.float32]:
    """As if the teacher's most likely roles were the labels."""
    taught = piece.soft.argmax(axis=1) if piece.soft.size else np.zeros(piece.cells, np.int64)
    return balanced_shares((1 << taught).astype(np.uint16), balance)


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A labelled sheet to train on, and its labelled pairs of cells where its tables and paths are known."""

    labelled: LabelledSheet
    labels: EdgeLabels | None = None


def blanked(piece: Piece, config: DataConfig, rng: np.random.Generator) -> Piece:
    """The piece or, by the chance of `config`, the piece without some of its texts."""
    if rng.random() < config.text_dropout:
        kept = np.where(rng.random(piece.strings.shape[0]) >= rng.random(), np.float32(1), np.float32(0))
        piece = replace(piece, strings=sp.csr_array(sp.diags_array(kept) @ piece.strings))
    return piece


class Epoch(Dataset[Batch]):
    """The batches of one epoch; the same for the same seed."""

    def __init__(self, examples: Sequence[Example], cache: PieceCache, config: DataConfig, seed: int) -> None:
        self.config, self.seed = config, seed
        rng = np.random.default_rng(seed)
        chosen = rng.permutation(np.concatenate(list(_drawn(examples, rng))))
        drawn = [piece for index in chosen for piece in _windows(examples[index], int(index), cache, config, rng)]
        self.batches = list(_filled(drawn, config.batch_cells))
        self.cells = sum(piece.cells for piece in drawn)

    def __len__(self) -> int:
        return len(self.batches)

    def __getitem__(self, index: int) -> Batch:
        rng = np.random.default_rng([self.seed, index])
        return collate([blanked(piece, self.config, rng) for piece in self.batches[index]], self.config.balance)


class Whole(Dataset[Batch]):
    """All windows of all sheets, in order, to be predicted."""

    def __init__(self, examples: Sequence[Example], cache: PieceCache, batch_cells: int) -> None:
        made = (cache.get(index, example.labelled, None) for index, example in enumerate(examples))
        self.batches = list(_filled((piece for pieces in made for piece in pieces), batch_cells))

    def __len__(self) -> int:
        return len(self.batches)

    def __getitem__(self, index: int) -> Batch:
        return collate(self.batches[index])


def _drawn(examples: Sequence[Example], rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Indices of the sheets of an epoch, corpus by corpus."""
    sources = np.array([example.labelled.source for example in examples])
    for source in np.unique(sources):
        members = rng.permutation(np.flatnonzero(sources == source))
        yield members[: SHEETS_PER_EPOCH.get(str(source), len(members))]


def _windows(
    example: Example, index: int, cache: PieceCache, config: DataConfig, rng: np.random.Generator
) -> list[Piece]:
    """The whole sheet, or its top window and one other."""
    plain = has_styles(example.labelled.sheet) and rng.random() < config.style_dropout
    pieces = cache.get(index, example.labelled, example.labels, plain)
    return pieces if len(pieces) <= 2 else [pieces[0], pieces[int(rng.integers(1, len(pieces)))]]


def _filled(pieces: Iterable[Piece], batch_cells: int) -> Iterator[list[Piece]]:
    """Group pieces, in order, until about `batch_cells` cells are together."""
    group: list[Piece] = []
    for piece in pieces:
        if group and sum(entry.cells for entry in group) + piece.cells > batch_cells:
            yield group
            group = []
        group.append(piece)
    if group:
        yield group
