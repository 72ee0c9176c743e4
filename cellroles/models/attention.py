"""Tokens of patches -> tokens that have looked at each other: the layer of a transformer encoder."""

from __future__ import annotations

from torch import Tensor, nn

from cellroles.models.base import Dropout

HEADS = 4
FAR = -1e4


def visible(patch: Tensor) -> Tensor:
    """What is added to logits, so that only tokens of one patch see each other: (t, T) -> (t, 1, T, T)."""
    return ((patch[:, :, None] != patch[:, None, :]) * FAR).unsqueeze(1)


class TransformerLayer(nn.Module):
    """Attention and a feed-forward network of twice the width, each added to what it reads after a LayerNorm; equals
    PyTorch's `TransformerEncoderLayer(norm_first=True, activation="gelu")` (Vaswani et al. 2017; Xiong et al. 2020)
    but for dropout, which leaves the shares of attention alone."""

    def __init__(self, hidden: int, dropout: float) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(hidden), nn.LayerNorm(hidden)
        self.project, self.mix = nn.Linear(hidden, 3 * hidden), nn.Linear(hidden, hidden)
        self.widen, self.narrow = nn.Linear(hidden, 2 * hidden), nn.Linear(2 * hidden, hidden)
        self.dropout = Dropout(dropout)

    def attend(self, tokens: Tensor, bias: Tensor) -> Tensor:
        """(t, T, hidden), additive logits (t, 1 or heads, T, T) -> (t, T, hidden)."""
        parts = self.project(tokens).unflatten(2, (3, HEADS, -1)).permute(2, 0, 3, 1, 4)
        query, key, value = parts.unbind(0)
        # Spelled out, since the backward pass of the fused form takes twice the time on processors.
        shares = (query * query.shape[3] ** -0.5 @ key.transpose(2, 3) + bias.to(query.dtype)).softmax(dim=3)
        mixed = shares.to(value.dtype) @ value
        return self.mix(mixed.transpose(1, 2).flatten(2))

    def forward(self, tokens: Tensor, bias: Tensor) -> Tensor:
        """(t, T, hidden), additive logits (t, 1 or heads, T, T) -> (t, T, hidden)."""
        tokens = tokens + self.dropout(self.attend(self.norm1(tokens), bias))
        wide = self.dropout(nn.functional.gelu(self.widen(self.norm2(tokens))))
        return tokens + self.dropout(self.narrow(wide))
