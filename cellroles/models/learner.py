"""Tensors of a tile -> tokens of its patches -> node embeddings: what the graph learners share."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding

from cellroles.models.adjacency import EDGE_TYPES
from cellroles.models.base import Inputs, RoleModel
from cellroles.patches import COL_PLACE, NODE, PLACES, POOLED, ROW_PLACE


class Positions(nn.Module):
    """Learned embeddings of a token's row and of its column in the patch, added to it. They start as sinusoids (Vaswani
    et al. 2017, 3.5) in one half of the width each, so that places that training rarely sees are told apart."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        half = hidden // 2
        angle = torch.arange(PLACES)[:, None] * torch.exp(torch.arange(half // 2) * (-math.log(PLACES) / (half // 2)))
        wave = torch.cat([angle.sin(), angle.cos()], dim=1) / 2
        wave[POOLED] = 0
        start = torch.zeros(2, PLACES, hidden)
        start[0, :, : wave.shape[1]] = wave
        start[1, :, half : half + wave.shape[1]] = wave
        self.row, self.col = nn.Parameter(start[0]), nn.Parameter(start[1])

    def forward(self, tokens: Tensor) -> Tensor:
        """(t, T, 7) -> (t, T, hidden)."""
        return embedding(tokens[..., ROW_PLACE], self.row) + embedding(tokens[..., COL_PLACE], self.col)


class GraphLearner(RoleModel):
    """A model that relates the cells of a patch and predicts the edges between them (paper, appendix A.2).

    A cell sees its patch and nothing else, so tiles of whole patches give exactly the result of the whole sheet, in
    time and memory linear in its cells. Where the paper relates all cells of a sheet, here a patch's keys stand for
    those outside, and training windows, which are cut into patches of their own, differ from whole sheets.
    """

    depth = 0
    fields = ("strings", "string", "engineered", "tokens", "cell_tokens")
    edge_types = EDGE_TYPES

    def reason(self, hidden: Tensor, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """Encoded tokens (t, T, hidden) -> those that edges are predicted from, and those that roles are."""
        raise NotImplementedError

    def score(self, cells: Tensor, tokens: Tensor, pairs: Tensor) -> Tensor:
        """Logits (p, types) that pairs (p, 2) of cells are edges; (k, hidden) and (k, 7) of the cells alone."""
        raise NotImplementedError

    def _reason(self, inputs: Inputs) -> tuple[Tensor, Tensor]:
        """`reason`, of the cells alone: twice (k, hidden)."""
        nodes = self.encoder(inputs.strings, inputs.string, inputs.engineered)
        found = self.reason(nodes[inputs.tokens[..., NODE]], inputs.tokens)
        return tuple(part.flatten(0, 1).index_select(0, inputs.cell_tokens) for part in found)  # type: ignore[return-value]

    def forward(self, inputs: Inputs) -> Tensor:
        """Embeddings of the cells, shape (k, hidden)."""
        return self._reason(inputs)[1]

    def learn(self, inputs: Inputs, pairs: Tensor) -> tuple[Tensor, Tensor]:
        """What `forward` gives, and the logits that pairs (p, 2) of cells are edges of the `edge_types`: (p, types)."""
        before, cells = self._reason(inputs)
        tokens = inputs.tokens.flatten(0, 1).index_select(0, inputs.cell_tokens)
        return cells, self.score(before, tokens, pairs)
