"""Cells and their neighbours -> embeddings by graph convolution."""

from __future__ import annotations

from functools import reduce

import torch
from torch import Tensor, nn

from cellroles.graph import CELL_SLOTS
from cellroles.models.base import Dropout, Inputs, RoleModel


def gather_sum(nodes: Tensor, neighbours: Tensor, weight: Tensor) -> Tensor:
    """Weighted sum of each cell's neighbours: (m, hidden), (k, S), (k, S) -> (k, hidden)."""
    # Both may be half precision under autocast, which embedding_bag does not mix.
    return nn.functional.embedding_bag(neighbours, nodes.float(), per_sample_weights=weight.float(), mode="sum")


def slot_sum(nodes: Tensor, neighbours: Tensor) -> Tensor:
    """Plain sum of each cell's neighbours, slot by slot: what ONNX, which lacks `embedding_bag`, runs fastest."""
    return reduce(torch.add, (nodes.index_select(0, slot) for slot in neighbours.unbind(1)))


def root_degree(inputs: Inputs) -> Tensor:
    """1 / sqrt(degree) of every cell, (k, 1): a weight of the symmetric normalisation is the product of two of them."""
    return inputs.weight[:, :1].sqrt()


def context_sum(nodes: Tensor, inputs: Inputs) -> Tensor:
    """The part of every convolution's sum that comes from context nodes: (m, hidden) -> (k, hidden)."""
    neighbours = inputs.neighbours[:, CELL_SLOTS:]
    if torch.onnx.is_in_onnx_export():
        return slot_sum(nodes, neighbours) * root_degree(inputs)
    return gather_sum(nodes, neighbours, inputs.weight[:, CELL_SLOTS:])


def cell_sum(cells: Tensor, inputs: Inputs) -> Tensor:
    """The part that comes from cells, the cell itself included: (k, hidden) -> (k, hidden)."""
    neighbours, weight = inputs.neighbours[:, 1:CELL_SLOTS], inputs.weight[:, 1:CELL_SLOTS]
    if torch.onnx.is_in_onnx_export():
        scaled = cells * root_degree(inputs)
        padded = torch.cat([torch.zeros_like(cells[:1]), scaled])  # row 0 for empty slots
        return (scaled + slot_sum(padded, (neighbours + 1) * (weight > 0))) * root_degree(inputs)
    return cells * inputs.weight[:, :1] + gather_sum(cells, neighbours, weight)


class Convolution(nn.Module):
    """A graph convolution (Kipf and Welling 2017, eq. 2) over the padded neighbour table; equals PyG's `GCNConv`.

    Neighbours are summed before the Linear, which is the same; context nodes never change, so theirs is summed once.
    """

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.linear = nn.Linear(hidden, hidden)

    def forward(self, cells: Tensor, context: Tensor, inputs: Inputs) -> Tensor:
        """(k, hidden) and the `context_sum` (k, hidden) -> (k, hidden)."""
        return self.linear(cell_sum(cells, inputs) + context)


class Residual(nn.Module):
    """cells -> LayerNorm(cells + Dropout(ReLU(convolution(cells)))), the frame of every graph layer."""

    def __init__(self, convolution: nn.Module, hidden: int, dropout: float) -> None:
        super().__init__()
        self.convolution = convolution
        self.norm = nn.LayerNorm(hidden)
        self.dropout = Dropout(dropout)

    def forward(self, cells: Tensor, context: Tensor, inputs: Inputs) -> Tensor:
        """(k, hidden) and what the convolution takes as context -> (k, hidden)."""
        update = torch.relu(self.convolution(cells, context, inputs))
        return self.norm(cells + self.dropout(update))


class GCN(RoleModel):
    """Three graph convolutions with residual and LayerNorm; about 784 K parameters at hidden 256."""

    name = "gcn"
    depth = 3
    fields = ("strings", "string", "engineered", "neighbours", "weight")

    def make_layer(self, hidden: int, dropout: float) -> nn.Module:
        """A `Convolution` in its residual frame."""
        return Residual(Convolution(hidden), hidden, dropout)

    def context(self, nodes: Tensor, inputs: Inputs) -> Tensor:
        """The summed messages of the context nodes, (k, hidden)."""
        return context_sum(nodes, inputs)
