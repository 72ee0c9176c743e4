"""Strings and engineered features -> nodes: what cells say and how they look, encoded apart and then fused."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cellroles.features import ENGINEERED
from cellroles.features.text import TEXT_WIDTH
from cellroles.models.base import Dropout

CONTENT, LOOK = ("content", "formula"), ("format", "neighbourhood")
"""The groups of engineered features that each encoder reads; the text goes with the content."""


def columns_of(groups: tuple[str, ...]) -> Tensor:
    """Which engineered features belong to these groups, in order."""
    return torch.tensor([i for i, name in enumerate(ENGINEERED) if name.partition(".")[0] in groups])


class Pathway(nn.Module):
    """LayerNorm, ReLU, Dropout, Linear, ReLU: what follows the first Linear of a modality."""

    def __init__(self, width: int, dropout: float) -> None:
        super().__init__()
        self.norm, self.linear = nn.LayerNorm(width), nn.Linear(width, width)
        self.dropout = Dropout(dropout)

    def forward(self, projected: Tensor) -> Tensor:
        """(m, width) -> (m, width)."""
        return torch.relu(self.linear(self.dropout(torch.relu(self.norm(projected)))))


class DualEncoder(nn.Module):
    """Two two-layer encoders of half the width and a bilinear fusion of low rank (Kim et al. 2017, eq. 5: the product
    of two projections), beside which both pass straight on."""

    def __init__(self, hidden: int, dropout: float) -> None:
        super().__init__()
        width = hidden // 2
        self.content_columns, self.look_columns = columns_of(CONTENT), columns_of(LOOK)
        self.text = nn.Linear(TEXT_WIDTH, width, bias=False)
        self.content_linear = nn.Linear(len(self.content_columns), width)
        self.look_linear = nn.Linear(len(self.look_columns), width)
        self.content, self.look = Pathway(width, dropout), Pathway(width, dropout)
        self.content_factor, self.look_factor = nn.Linear(width, hidden), nn.Linear(width, hidden)
        self.mix = nn.Linear(2 * hidden, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.dropout = Dropout(dropout)

    def forward(self, strings: Tensor, string: Tensor, engineered: Tensor) -> Tensor:
        """(d, 768), (m,), (m, 89) -> (m, hidden); distinct strings are projected once."""
        said = self.text(strings).index_select(0, string)
        said = said + self.content_linear(engineered.index_select(1, self.content_columns))
        looks = self.look_linear(engineered.index_select(1, self.look_columns))
        content, look = self.content(said), self.look(looks)
        fused = self.content_factor(content) * self.look_factor(look)
        joined = self.mix(torch.cat([fused, content, look], dim=1))
        return self.dropout(torch.relu(self.norm(joined)))
