"""Cells and their neighbours -> embeddings by graph convolution."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cellroles.models.base import Dropout, Inputs, RoleModel


def gather_sum(nodes: Tensor, neighbours: Tensor, weights: Tensor) -> Tensor:
    """Weighted sums of each cell's neighbours, one per head: (m, hidden), (k, K), (k, K, heads) -> (k, heads * hidden).

    `embedding_bag` never holds the k x K gathered rows; ONNX has no such operator and multiplies them.
    """
    if torch.onnx.is_in_onnx_export():
        return (weights.transpose(1, 2) @ nodes[neighbours]).flatten(1)
    nodes, weights = nodes.float(), weights.float()  # both may be half precision under autocast
    sums = [
        nn.functional.embedding_bag(neighbours, nodes, per_sample_weights=weight, mode="sum")
        for weight in weights.unbind(2)
    ]
    return torch.cat(sums, dim=1)


class Convolution(nn.Module):
    """A graph convolution (Kipf and Welling 2017, eq. 2) over the padded neighbour table; equals PyG's `GCNConv`.

    Neighbours are summed before the Linear, which is the same and leaves the context nodes unprojected.
    """

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.linear = nn.Linear(hidden, hidden)

    def forward(self, cells: Tensor, context: Tensor, inputs: Inputs) -> Tensor:
        """(k, hidden), (c, hidden) -> (k, hidden)."""
        nodes = torch.cat([cells, context])
        return self.linear(gather_sum(nodes, inputs.neighbours, inputs.weight.unsqueeze(2)))


class Residual(nn.Module):
    """cells -> LayerNorm(cells + Dropout(ReLU(convolution(cells)))), the frame of every graph layer."""

    def __init__(self, convolution: nn.Module, hidden: int, dropout: float) -> None:
        super().__init__()
        self.convolution = convolution
        self.norm = nn.LayerNorm(hidden)
        self.dropout = Dropout(dropout)

    def forward(self, cells: Tensor, context: Tensor, inputs: Inputs) -> Tensor:
        """(k, hidden), (c, hidden) -> (k, hidden)."""
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
