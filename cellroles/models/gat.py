"""Cells and their neighbours -> embeddings by graph attention with edge features."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cellroles.graph import EDGE_WIDTH
from cellroles.models.base import Inputs, RoleModel
from cellroles.models.gcn import Residual, gather_sum

HEADS = 4


def gather_sums(nodes: Tensor, neighbours: Tensor, shares: Tensor) -> Tensor:
    """`gather_sum` per head: (m, hidden), (k, K), (k, K, heads) -> (k, heads * hidden)."""
    if torch.onnx.is_in_onnx_export():
        return (shares.transpose(1, 2) @ nodes[neighbours]).flatten(1)
    return torch.cat([gather_sum(nodes, neighbours, share) for share in shares.unbind(2)], dim=1)


class Attention(nn.Module):
    """Graph attention (Velickovic et al. 2018, eq. 3-6, heads averaged) with edge features; equals PyG's
    `GATConv(heads=4, concat=False, edge_dim=hidden)` over `edge_encoder(edges)`.

    Only inner products of projected nodes and edges with the attention vectors enter the logits, so those are folded
    into (hidden -> heads) and (23 -> heads) matrices, and nodes are averaged per head before they are projected.
    """

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.project = nn.Parameter(torch.empty(HEADS, hidden, hidden))
        self.project_edge = nn.Parameter(torch.empty(HEADS, hidden, hidden))
        self.source = nn.Parameter(torch.empty(HEADS, hidden))
        self.target = nn.Parameter(torch.empty(HEADS, hidden))
        self.edge = nn.Parameter(torch.empty(HEADS, hidden))
        self.bias = nn.Parameter(torch.zeros(hidden))
        self.edge_encoder = nn.Linear(EDGE_WIDTH, hidden)
        for parameter in (self.project, self.project_edge):
            nn.init.xavier_uniform_(parameter.flatten(0, 1))
        for parameter in (self.source, self.target, self.edge):
            nn.init.xavier_uniform_(parameter)

    def shares(self, cells: Tensor, nodes: Tensor, inputs: Inputs) -> Tensor:
        """How much of each neighbour a cell takes in, summing to 1 per head; shape (k, K, heads)."""
        by_node = torch.einsum("hoi,dho->idh", self.project, torch.stack([self.source, self.target]))
        by_edge = torch.einsum("hoi,ho->ih", self.project_edge, self.edge)
        edge = nn.functional.linear(
            inputs.edges, (self.edge_encoder.weight.T @ by_edge).T, self.edge_encoder.bias @ by_edge
        )
        logits = (nodes @ by_node[:, 0])[inputs.neighbours] + (cells @ by_node[:, 1]).unsqueeze(1) + edge
        logits = nn.functional.leaky_relu(logits, 0.2)
        return logits.masked_fill(inputs.mask.unsqueeze(2) == 0, -1e9).softmax(dim=1)

    def forward(self, cells: Tensor, context: Tensor, inputs: Inputs) -> Tensor:
        """(k, hidden), (c, hidden) -> (k, hidden)."""
        nodes = torch.cat([cells, context])
        mixed = gather_sums(nodes, inputs.neighbours, self.shares(cells, nodes, inputs))
        project = self.project.transpose(1, 2).flatten(0, 1) / HEADS
        return mixed @ project + self.bias


class GAT(RoleModel):
    """Three attention layers, 4 averaged heads, 23-d edge encoder; about 2.18 M parameters at hidden 256."""

    name = "gat"
    depth = 3
    fields = ("strings", "string", "engineered", "neighbours", "mask", "edges")

    def make_layer(self, hidden: int, dropout: float) -> nn.Module:
        """An `Attention` in its residual frame."""
        return Residual(Attention(hidden), hidden, dropout)
