"""Logits and bit-set targets -> losses."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from cellroles.sheet import Role
from data.labelled import Targets


def focal_loss(
    logits: Tensor, targets: Tensor, candidates: Tensor, shares: Tensor, alpha: Tensor, gamma: float
) -> Tensor:
    """Focal loss (Lin et al. 2017, eq. 5) for labels that allow several roles; mean over the labelled cells,
    weighted by their `shares`.

    p_t is the summed probability of the allowed roles, by a softmax over the corpus's `candidates` alone; a cell's
    alpha is the mean of its allowed roles'. logits, targets, candidates: (k, 13); shares: (k,); alpha: (13,).
    Cells without a target do not count.
    """
    labelled = targets.any(dim=1)
    logits, targets, candidates = logits[labelled].float(), targets[labelled], candidates[labelled]
    shares = shares[labelled]
    total = logits.masked_fill(~candidates, -torch.inf).logsumexp(dim=1)
    log_p = (logits.masked_fill(~targets, -torch.inf).logsumexp(dim=1) - total).clamp(max=0)
    weight = (targets * alpha).sum(dim=1) / targets.sum(dim=1)
    loss = -weight * (1 - log_p.exp()).clamp(min=1e-8) ** gamma * log_p
    return (loss * shares).sum() / shares.sum().clamp(min=1e-8)


def soft_loss(logits: Tensor, soft: Tensor, shares: Tensor) -> Tensor:
    """Cross-entropy with the probabilities of a teacher (Hinton et al. 2015, temperature 1), weighted by `shares`.

    logits, soft: (k, 13); shares: (k,).
    """
    loss = -(soft * logits.float().log_softmax(dim=1)).sum(dim=1)
    return (loss * shares).sum() / shares.sum().clamp(min=1e-8)


def balanced_shares(targets: Targets, most: int) -> NDArray[np.float32]:
    """How much each cell of a sheet counts, shape (k,): cells with one label count as `most` of them at the most.

    Sheets teach, not cells: a long column of values must not outweigh the header above it. 0: all count fully.

    >>> balanced_shares(np.array([1, 1, 1, 1, 4], np.uint16), 2).tolist()
    [0.5, 0.5, 0.5, 0.5, 1.0]
    """
    if not most:
        return np.ones(len(targets), np.float32)
    _, label, count = np.unique(targets, return_inverse=True, return_counts=True)
    return np.minimum(1, most / count[label]).astype(np.float32)


def class_weights(targets: Iterable[Targets], exponent: float) -> Tensor:
    """Inverse frequency of every role among unambiguous targets to the power of `exponent`, mean 1; shape (13,).

    A role that never occurs weighs as much as one that occurs once.
    """
    counts = np.zeros(len(Role))
    for array in targets:
        counts += [np.count_nonzero(array == 1 << role) for role in Role]
    weights = np.maximum(counts, 1.0) ** -exponent
    seen = weights[counts > 0] if counts.any() else weights
    return torch.tensor(weights / seen.mean(), dtype=torch.float32)
