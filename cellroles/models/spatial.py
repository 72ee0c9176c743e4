"""Tokens -> where pairs of them stand to each other, and the edges that a typed pairwise scorer sees there."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding, linear

from cellroles.models.adjacency import EDGE_TYPES
from cellroles.patches import AREA, COL, COL_PLACE, MIDDLE, NONE, PATCH, ROW, ROW_PLACE

PAIR_FEATURES = ("d_row", "d_col", "manhattan", "chebyshev", "same_row", "same_col", "log_area_ratio")
OUTSIDE = 1e6


def steps(first: Tensor, second: Tensor, line: int) -> tuple[Tensor, Tensor]:
    """Rows (or columns) from the first token to the second, 0 where a pooled one has none; whether they share it."""
    start, end = first[..., line].float(), second[..., line].float()
    known = (start != NONE) & (end != NONE)
    apart = (end - start) * known
    return apart, known & (apart == 0)


def pair_features(first: Tensor, second: Tensor, radius: int, dim: int = -1) -> Tensor:
    """The 7 spatial features of pairs of tokens (paper, A.2): (…, 7 columns) twice, broadcast, and a new `dim`.

    Distances are logarithms, 1 at `radius`, so that the next row and the one after it are told apart.
    """
    (d_row, same_row), (d_col, same_col) = (steps(first, second, line) for line in (ROW, COL))
    rows, cols = d_row.abs(), d_col.abs()
    row, col, both, most = (
        (far + 1).log() / math.log(radius + 1) for far in (rows, cols, rows + cols, torch.maximum(rows, cols))
    )
    area = (first[..., AREA].float().log() - second[..., AREA].float().log()) / 3
    features = (d_row.sign() * row, d_col.sign() * col, both, most, same_row.float(), same_col.float(), area)
    return torch.stack(features, dim=dim)


def candidate_pairs(tokens: Tensor, count: int, radius: int) -> tuple[Tensor, Tensor]:
    """The `count` tokens that each may have edges to: their places in its row (t, T, count), and which are in reach.

    Candidates are tokens of the patch within `radius` rows and columns, those of the same row or column first: the
    nearest, and those near the top and the left edge, or beyond it, where headers stand.
    """
    first, second = tokens[:, :, None], tokens[:, None]
    (d_row, same_row), (d_col, same_col) = (steps(first, second, line) for line in (ROW, COL))
    near = d_row.abs() + d_col.abs()
    top, left = ((second[..., place] - MIDDLE).clamp(min=0).float() for place in (ROW_PLACE, COL_PLACE))
    near = torch.where(same_col, torch.minimum(near, top), near)
    near = torch.where(same_row, torch.minimum(near, left), near)
    near = near + torch.where(same_row | same_col, 0, radius)
    near = near + torch.arange(near.shape[2], device=near.device) / 1024  # no ties: runtimes break them differently
    reached = (torch.maximum(d_row.abs(), d_col.abs()) <= radius) & (first[..., PATCH] == second[..., PATCH])
    found = torch.where(reached, -near, -OUTSIDE).topk(count, dim=2)
    return found.indices, found.values > -OUTSIDE


def pick(values: Tensor, index: Tensor) -> Tensor:
    """Per token the values of others of its row: (t, T, …), (t, T, S) -> (t, T, S, …)."""
    rows = torch.arange(values.shape[0], device=values.device)[:, None, None] * values.shape[1]
    return embedding(index + rows, values.flatten(0, 1))  # whose backward pass is the fastest of its kind


class PairScorer(nn.Module):
    """A multilayer perceptron per edge type over both tokens of a pair and its spatial features (paper, appendix A.2).

    Each end passes a layer of its own before they meet, since tokens are fewer than pairs.
    """

    def __init__(self, hidden: int, radius: int) -> None:
        super().__init__()
        self.radius = radius
        self.first, self.second = (
            nn.Sequential(nn.Linear(hidden, 2 * hidden), nn.GELU(), nn.Linear(2 * hidden, hidden)) for _ in range(2)
        )
        self.place = nn.Linear(len(PAIR_FEATURES), hidden, bias=False)
        self.out = nn.Parameter(torch.empty(len(EDGE_TYPES), hidden // len(EDGE_TYPES)))
        self.bias = nn.Parameter(torch.zeros(len(EDGE_TYPES)))
        nn.init.xavier_uniform_(self.out)

    def met(self, first: Tensor, second: Tensor, features: Tensor) -> Tensor:
        """Logits from the two ends' layers and the features: (…, hidden) twice, (…, 7) -> (…, types)."""
        joined = torch.relu(first + second + self.place(features))
        apart = torch.eye(len(EDGE_TYPES), device=joined.device).repeat_interleave(self.out.shape[1], dim=1)
        return linear(joined, apart * self.out.flatten(), self.bias)

    def of_pairs(self, first: Tensor, second: Tensor, tokens: tuple[Tensor, Tensor]) -> Tensor:
        """Logits of given pairs: twice (p, hidden), twice (p, 7) -> (p, types)."""
        return self.met(self.first(first), self.second(second), pair_features(*tokens, self.radius))

    def forward(self, hidden: Tensor, tokens: Tensor, index: Tensor) -> Tensor:
        """Logits from each token to its candidates: (t, T, hidden), (t, T, 7), (t, T, S) -> (t, T, S, types)."""
        features = pair_features(tokens[:, :, None], pick(tokens, index), self.radius)
        return self.met(self.first(hidden).unsqueeze(2), pick(self.second(hidden), index), features)
