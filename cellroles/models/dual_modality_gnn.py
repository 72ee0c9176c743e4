"""Cells of a patch -> embeddings by messages along a learned k-NN graph and the edges that are predicted from it."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cellroles.models.adjacency import BilinearHeads, Strength
from cellroles.models.attention import FAR, HEADS, visible
from cellroles.models.base import Dropout
from cellroles.models.learner import GraphLearner, Positions
from cellroles.models.modalities import DualEncoder
from cellroles.models.spatial import PAIR_FEATURES, pair_features, pick
from cellroles.patches import MIN_TOKENS, PATCH

RADIUS = 50


class GraphReasoning(nn.Module):
    """Edge MLP, attention, node update (paper, appendix A.2): an edge is made of its two ends and of how they stand to
    each other; a token takes in its edges by attention, 4 heads, and is updated with what it took in."""

    def __init__(self, hidden: int, dropout: float) -> None:
        super().__init__()
        self.own, self.other = nn.Linear(hidden, hidden), nn.Linear(hidden, hidden, bias=False)
        self.place = nn.Linear(len(PAIR_FEATURES), hidden, bias=False)
        self.attention = nn.Linear(hidden, HEADS)
        self.update = nn.Linear(2 * hidden, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.dropout = Dropout(dropout)

    def forward(self, hidden: Tensor, index: Tensor, features: Tensor, bias: Tensor) -> Tensor:
        """(t, T, hidden) and, of S edges per token, their other ends (t, T, S), spatial features (t, T, S, 7) and what
        is added to their logits, (t, T, S, 1 or heads)."""
        edges = torch.relu(self.own(hidden).unsqueeze(2) + pick(self.other(hidden), index) + self.place(features))
        shares = (self.attention(edges) + bias).softmax(dim=2).to(edges.dtype)
        parts = edges.reshape(*shares.shape, -1)
        taken = (parts * shares.unsqueeze(4)).sum(dim=2).flatten(2)
        update = torch.relu(self.update(torch.cat([hidden, taken], dim=2)))
        return self.norm(hidden + self.dropout(update))


class DualModalityGNN(GraphLearner):
    """Content and look encoded apart and fused; a graph of the `neighbours` nearest embeddings of a patch; two layers
    of reasoning, the second also along the strongest `neighbours` edges that four bilinear heads predict after the
    first; about 1.93 M parameters at hidden 256 (paper, appendix A.2, figure 10).

    Embeddings know their place in the patch, so that what is near on the grid counts as near in the k-NN graph.
    """

    name = "dual_modality_gnn"
    layer_count = 2

    def __init__(self, hidden: int = 256, dropout: float = 0.2, neighbours: int = 8) -> None:
        if not 1 <= neighbours <= MIN_TOKENS:
            raise ValueError(f"neighbours is 1 to {MIN_TOKENS}, got {neighbours}")
        super().__init__(hidden, dropout)
        self.options["neighbours"] = neighbours
        self.neighbours = neighbours
        self.positions = Positions(hidden)
        self.adjacency = BilinearHeads(hidden)
        self.strength = Strength()
        self.gain = nn.Parameter(torch.ones(HEADS))

    def make_encoder(self, hidden: int, dropout: float) -> nn.Module:
        """A `DualEncoder`."""
        return DualEncoder(hidden, dropout)

    def make_layer(self, hidden: int, dropout: float) -> nn.Module:
        """A `GraphReasoning`."""
        return GraphReasoning(hidden, dropout)

    def reason(self, hidden: Tensor, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """One layer along the k-NN graph, the edges predicted from it, one layer along both."""
        apart = visible(tokens[..., PATCH])
        hidden = hidden + self.positions(tokens)
        first, second = self.layers
        near = self._nearest(hidden, apart.squeeze(1))
        hidden = first(hidden, *self._edges(tokens, near, near == near))
        found = self.strength(self.adjacency(hidden) + apart, 1)
        strength = found + found.transpose(1, 2)
        strong = strength.detach().topk(self.neighbours, dim=2)
        index, real = torch.cat([near, strong.indices], dim=2), torch.cat([near == near, strong.values > 0], dim=2)
        index, features, bias = self._edges(tokens, index, real)
        return hidden, second(hidden, index, features, bias + strength.gather(2, index).unsqueeze(3) * self.gain)

    def _nearest(self, hidden: Tensor, apart: Tensor) -> Tensor:
        """The tokens of the same patch with the nearest embeddings, (t, T, neighbours), itself among them."""
        known = hidden.detach()
        return (apart - torch.cdist(known, known)).topk(self.neighbours, dim=2).indices

    def _edges(self, tokens: Tensor, index: Tensor, real: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """What a layer takes of these edges, some of which are `real` (t, T, S); none leads to another patch."""
        others = pick(tokens, index)
        real = real & (others[..., PATCH] == tokens[..., PATCH].unsqueeze(2))
        return index, pair_features(tokens.unsqueeze(2), others, RADIUS), (~real * FAR).unsqueeze(3)

    def score(self, cells: Tensor, tokens: Tensor, pairs: Tensor) -> Tensor:
        """The bilinear logits of the pairs."""
        return self.adjacency.of_pairs(cells[pairs[:, 0]], cells[pairs[:, 1]])
