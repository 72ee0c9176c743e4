"""Cells of a patch -> embeddings by a transformer, then by messages along the edges that it predicts."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor, nn

from cellroles.models.adjacency import BilinearHeads, StructureRefinement
from cellroles.models.attention import TransformerLayer, visible
from cellroles.models.learner import GraphLearner, Positions
from cellroles.patches import PATCH


class PatchTransformer(GraphLearner):
    """Position embeddings, four layers with 4 heads, adjacency heads of the family, and with `refine` two convolutions
    over the predicted edges."""

    layer_count = 4

    def __init__(self, hidden: int, dropout: float, refine: bool) -> None:
        super().__init__(hidden, dropout)
        self.options["refine"] = refine
        self.positions = Positions(hidden)
        self.norm = nn.LayerNorm(hidden)
        self.refinement = StructureRefinement(hidden, dropout) if refine else None

    def make_layer(self, hidden: int, dropout: float) -> nn.Module:
        """A `TransformerLayer`."""
        return TransformerLayer(hidden, dropout)

    def biases(self, tokens: Tensor) -> Sequence[Tensor]:
        """What each layer adds to the logits of attention, (t, 1 or heads, T, T): patches do not see each other."""
        return [visible(tokens[..., PATCH])] * self.layer_count

    def strengths(self, hidden: Tensor, tokens: Tensor, refinement: StructureRefinement) -> Tensor:
        """How strong the predicted edges of a patch are: (t, T, hidden), (t, T, 7) -> (t, T, T)."""
        raise NotImplementedError

    def reason(self, hidden: Tensor, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """Attention in patches, then messages along the edges predicted in them."""
        hidden = hidden + self.positions(tokens)
        for layer, bias in zip(self.layers, self.biases(tokens), strict=True):
            hidden = layer(hidden, bias)
        hidden = self.norm(hidden)
        if self.refinement is None:
            return hidden, hidden
        return hidden, self.refinement(hidden, self.strengths(hidden, tokens, self.refinement))


class AdjTransformer(PatchTransformer):
    """The transformer with four bilinear adjacency heads over all pairs of a patch; about 3.57 M parameters at hidden
    256 (paper, appendix A.2, figure 9)."""

    name = "adj_transformer"
    adjacency: BilinearHeads

    def __init__(self, hidden: int = 256, dropout: float = 0.2, refine: bool = True) -> None:
        super().__init__(hidden, dropout, refine)
        self.adjacency = BilinearHeads(hidden)

    def strengths(self, hidden: Tensor, tokens: Tensor, refinement: StructureRefinement) -> Tensor:
        """Of all pairs of a patch."""
        logits = self.adjacency(hidden) + visible(tokens[..., PATCH])
        return refinement.strength(logits, 1)

    def score(self, cells: Tensor, tokens: Tensor, pairs: Tensor) -> Tensor:
        """The bilinear logits of the pairs."""
        return self.adjacency.of_pairs(cells[pairs[:, 0]], cells[pairs[:, 1]])
