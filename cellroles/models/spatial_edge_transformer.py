"""Cells of a patch -> embeddings by a transformer that knows where cells stand to each other."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from cellroles.models.adj_transformer import PatchTransformer
from cellroles.models.adjacency import StructureRefinement
from cellroles.models.attention import HEADS, visible
from cellroles.models.spatial import PAIR_FEATURES, PairScorer, candidate_pairs, pair_features
from cellroles.patches import MIN_TOKENS, PATCH


class SpatialEdgeTransformer(PatchTransformer):
    """The transformer with attention biased by 7 spatial features of every pair, and edges scored between each cell and
    at most `candidates` others within `radius` rows and columns; about 3.62 M parameters at hidden 256 (paper, appendix
    A.2, figure 11, where all pairs within the radius are candidates)."""

    name = "spatial_edge_transformer"
    adjacency: PairScorer

    def __init__(
        self, hidden: int = 256, dropout: float = 0.2, refine: bool = True, radius: int = 50, candidates: int = 16
    ) -> None:
        if radius < 1 or not 1 <= candidates <= MIN_TOKENS:
            raise ValueError(f"radius is at least 1, candidates 1 to {MIN_TOKENS}, got {radius} and {candidates}")
        super().__init__(hidden, dropout, refine)
        self.options |= {"radius": radius, "candidates": candidates}
        self.radius, self.candidates = radius, candidates
        self.spatial_bias = nn.Parameter(torch.zeros(self.layer_count * HEADS, len(PAIR_FEATURES)))
        self.adjacency = PairScorer(hidden, radius)

    def biases(self, tokens: Tensor) -> Sequence[Tensor]:
        """The patches apart, and per layer and head a linear function of the spatial features."""
        features = pair_features(tokens[:, :, None], tokens[:, None], self.radius, dim=1)
        spatial = (self.spatial_bias @ features.flatten(2)).view(*tokens.shape[:1], -1, *features.shape[2:])
        return (spatial + visible(tokens[..., PATCH]).to(spatial.dtype)).chunk(self.layer_count, dim=1)

    def strengths(self, hidden: Tensor, tokens: Tensor, refinement: StructureRefinement) -> Tensor:
        """Of the candidate pairs; 0 for all others."""
        index, reached = candidate_pairs(tokens, self.candidates, self.radius)
        found = refinement.strength(self.adjacency(hidden, tokens, index), 3) * reached
        return found.new_zeros(*tokens.shape[:2], tokens.shape[1]).scatter(2, index, found)

    def score(self, cells: Tensor, tokens: Tensor, pairs: Tensor) -> Tensor:
        """The scorer's logits of the pairs."""
        first, second = pairs.T
        return self.adjacency.of_pairs(cells[first], cells[second], (tokens[first], tokens[second]))
