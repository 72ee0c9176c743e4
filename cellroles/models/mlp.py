"""Cells one by one -> embeddings: the multilayer perceptron, which sees no neighbour but in its features."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cellroles.models.base import Dropout, Inputs, RoleModel


class Block(nn.Module):
    """Linear, LayerNorm, ReLU, Dropout."""

    def __init__(self, hidden: int, dropout: float) -> None:
        super().__init__()
        self.linear = nn.Linear(hidden, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.dropout = Dropout(dropout)

    def forward(self, cells: Tensor, context: Tensor, inputs: Inputs) -> Tensor:
        """(k, hidden) -> (k, hidden); context and graph are not used."""
        return self.dropout(torch.relu(self.norm(self.linear(cells))))


class MLP(RoleModel):
    """Three blocks after the input encoder; about 718 K parameters at hidden 256."""

    name = "mlp"
    depth = 0
    fields = ("strings", "string", "engineered", "neighbours")

    def make_layer(self, hidden: int, dropout: float) -> nn.Module:
        """A `Block`."""
        return Block(hidden, dropout)
