"""Tokens of patches -> predicted edges of four types, and what messages along them make of the tokens."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cellroles.models.base import Dropout

EDGE_TYPES = ("table", "hierarchy", "row", "column")
"""Both cells are in one table; the first is the innermost header of the second; both are in one row; in one column."""


class BilinearHeads(nn.Module):
    """One query-key space per edge type: logits Q_k K_k^T / sqrt(hidden) + b_k (paper, appendix A.2)."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.query, self.key = (nn.Linear(hidden, len(EDGE_TYPES) * hidden) for _ in range(2))
        self.bias = nn.Parameter(torch.zeros(len(EDGE_TYPES)))
        self.scale = hidden**-0.5

    def forward(self, tokens: Tensor) -> Tensor:
        """Logits of all pairs of a row: (t, T, hidden) -> (t, types, T, T)."""
        query, key = (
            layer(tokens).unflatten(2, (len(EDGE_TYPES), -1)).transpose(1, 2) for layer in (self.query, self.key)
        )
        return query @ key.transpose(2, 3) * self.scale + self.bias[:, None, None]

    def of_pairs(self, first: Tensor, second: Tensor) -> Tensor:
        """Logits of given pairs: twice (p, hidden) -> (p, types)."""
        query, key = (
            layer(cells).unflatten(1, (len(EDGE_TYPES), -1))
            for layer, cells in ((self.query, first), (self.key, second))
        )
        return (query * key).sum(dim=2) * self.scale + self.bias


class Strength(nn.Module):
    """Logits of edges -> how strong the edges are: by how much each type's probability exceeds its learned threshold,
    summed with learned weights."""

    def __init__(self) -> None:
        super().__init__()
        self.threshold = nn.Parameter(torch.full((len(EDGE_TYPES),), -0.4))  # a logit
        self.weight = nn.Parameter(torch.zeros(len(EDGE_TYPES)))

    def forward(self, logits: Tensor, dim: int) -> Tensor:
        """`dim` of `logits` holds the types, and is summed."""
        shape = [-1 if i == dim else 1 for i in range(logits.dim())]
        excess = torch.relu(logits.sigmoid() - self.threshold.sigmoid().view(shape))
        return (excess * self.weight.softmax(0).view(shape)).sum(dim)


class StructureRefinement(nn.Module):
    """Two graph convolutions over the predicted edges, both ways along each, every token's messages averaged by
    strength (the paper's StructureRefinementGNN, appendix A.2)."""

    def __init__(self, hidden: int, dropout: float) -> None:
        super().__init__()
        self.strength = Strength()
        self.linears = nn.ModuleList(nn.Linear(hidden, hidden) for _ in range(2))
        self.norms = nn.ModuleList(nn.LayerNorm(hidden) for _ in range(2))
        self.dropout = Dropout(dropout)

    def forward(self, tokens: Tensor, strength: Tensor) -> Tensor:
        """(t, T, hidden), strengths (t, T, T), 0 for no edge -> (t, T, hidden)."""
        both = strength + strength.transpose(1, 2)
        share = both / both.sum(dim=2, keepdim=True).clamp(min=1e-6)
        for linear, norm in zip(self.linears, self.norms, strict=True):
            tokens = norm(tokens + self.dropout(torch.relu(linear(share @ tokens))))
        return tokens
