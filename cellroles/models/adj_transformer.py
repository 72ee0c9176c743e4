"""Cells of a patch -> embeddings by a transformer, then by messages along the edges that it predicts."""

from __future__ import annotations

from torch import Tensor, nn

from cellroles.models.adjacency import BilinearHeads, StructureRefinement
from cellroles.models.attention import TransformerLayer, visible
from cellroles.models.learner import GraphLearner, Positions
from cellroles.patches import PATCH


class AdjTransformer(GraphLearner):
    """Position embeddings, four layers with 4 heads, four bilinear adjacency heads, and with `refine` two convolutions
    over the predicted edges; about 3.57 M parameters at hidden 256 (paper, appendix A.2, figure 9)."""

    name = "adj_transformer"
    layer_count = 4

    def __init__(self, hidden: int = 256, dropout: float = 0.2, refine: bool = True) -> None:
        super().__init__(hidden, dropout)
        self.options["refine"] = refine
        self.positions = Positions(hidden)
        self.norm = nn.LayerNorm(hidden)
        self.adjacency = BilinearHeads(hidden)
        self.refinement = StructureRefinement(hidden, dropout) if refine else None

    def make_layer(self, hidden: int, dropout: float) -> nn.Module:
        """A `TransformerLayer`."""
        return TransformerLayer(hidden, dropout)

    def reason(self, hidden: Tensor, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """Attention in patches, then messages along the edges predicted in them; logits of all pairs of a patch."""
        patch = tokens[..., PATCH]
        bias = visible(patch)
        hidden = hidden + self.positions(tokens)
        for layer in self.layers:
            hidden = layer(hidden, bias)
        hidden = self.norm(hidden)
        if self.refinement is None:
            return hidden, hidden
        logits = self.adjacency(hidden) + bias
        return hidden, self.refinement(hidden, self.refinement.strength(logits, 1))

    def score(self, cells: Tensor, tokens: Tensor, pairs: Tensor) -> Tensor:
        """The bilinear logits of the pairs."""
        return self.adjacency.of_pairs(cells[pairs[:, 0]], cells[pairs[:, 1]])
