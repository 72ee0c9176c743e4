"""Tensors of a tile -> node embeddings (k, hidden) -> logits of roles and edges: what all role models share."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import torch
from torch import Tensor, nn

from cellroles.features import ENGINEERED_WIDTH
from cellroles.features.text import TEXT_WIDTH
from cellroles.graph import TileInputs
from cellroles.sheet import Role


class Inputs(NamedTuple):
    """One tile, or several side by side: k cells, then context nodes, m in all, over d distinct strings.

    Slot 0 of the K slots of `neighbours` is the cell itself; padded slots have mask and weight 0.
    """

    strings: Tensor  # (d, 768) float
    string: Tensor  # (m,) index into strings
    engineered: Tensor  # (m, 89) float
    neighbours: Tensor  # (k, K) index into the m nodes
    mask: Tensor  # (k, K) float, 1 = edge
    weight: Tensor  # (k, K) float, symmetric normalisation
    edges: Tensor  # (k, K, 23) float
    tokens: Tensor  # (t, T, 7) of `cellroles.patches`: cells and keys, patches side by side in t rows
    cell_tokens: Tensor  # (k,) place of each cell among the t * T tokens

    @classmethod
    def of(cls, tile: TileInputs) -> Inputs:
        """The arrays of a tile as tensors, without copying where types agree."""
        return cls(*(torch.from_numpy(getattr(tile, name)) for name in cls._fields))


class Dropout(nn.Module):
    """Inverted dropout with a share that is a multiple of 1/256: one random byte decides on each element, since drawing
    floats takes a fifth of a training step."""

    def __init__(self, share: float) -> None:
        super().__init__()
        if not 0 <= share < 1:
            raise ValueError(f"dropout is a share in [0, 1), got {share}")
        self.dropped = round(256 * share)

    def forward(self, values: Tensor) -> Tensor:
        """The values, in training with the dropped ones 0 and the others scaled up."""
        if not self.training or not self.dropped:
            return values
        count = values.numel()
        words = torch.empty((count + 7) // 8, dtype=torch.int64).random_(torch.iinfo(torch.int64).min, None)
        kept = words.view(torch.uint8)[:count].view(values.shape) >= self.dropped
        return values * kept * (256 / (256 - self.dropped))


class InputEncoder(nn.Module):
    """Linear(857 -> hidden), LayerNorm, ReLU, Dropout; the Linear is folded: distinct strings are projected once."""

    def __init__(self, hidden: int, dropout: float) -> None:
        super().__init__()
        self.linear = nn.Linear(TEXT_WIDTH + ENGINEERED_WIDTH, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.dropout = Dropout(dropout)

    def forward(self, strings: Tensor, string: Tensor, engineered: Tensor) -> Tensor:
        """(d, 768), (m,), (m, 89) -> (m, hidden); equal to the Linear over concat(text, engineered)."""
        text, rest = self.linear.weight[:, :TEXT_WIDTH], self.linear.weight[:, TEXT_WIDTH:]
        projected = (strings @ text.T).index_select(0, string)
        summed = projected + nn.functional.linear(engineered, rest, self.linear.bias)
        return self.dropout(torch.relu(self.norm(summed)))


def two_layer_head(width: int, hidden: int, outputs: int, dropout: float) -> nn.Sequential:
    """Linear, ReLU, Dropout, Linear."""
    return nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), Dropout(dropout), nn.Linear(hidden, outputs))


class RoleModel(nn.Module):
    """Encoder, `layers` of the family, and the three heads of the paper's Table 6.

    In the node models, whose `forward` is the one here, context nodes (pooled row, column and table, a column's top
    cell, a row's lead cell) keep the encoder's embedding: layers update the cells alone, so a band of rows and the
    whole sheet see the same context.
    """

    name: ClassVar[str]
    depth: ClassVar[int]  # how many steps of the graph a cell sees
    fields: ClassVar[tuple[str, ...]]  # the `Inputs` that the model reads
    layer_count: ClassVar[int] = 3
    edge_types: ClassVar[tuple[str, ...]] = ()  # of the edges that the model predicts and learns from

    def __init__(self, hidden: int = 256, dropout: float = 0.2) -> None:
        super().__init__()
        self.options = {"hidden": hidden, "dropout": dropout}
        self.encoder = self.make_encoder(hidden, dropout)
        self.layers = nn.ModuleList(self.make_layer(hidden, dropout) for _ in range(self.layer_count))
        self.roles = two_layer_head(hidden, hidden, len(Role), dropout)
        self.hierarchy = two_layer_head(2 * hidden, hidden, 1, dropout)
        self.boundary = two_layer_head(2 * hidden, hidden, 1, dropout)

    def make_encoder(self, hidden: int, dropout: float) -> nn.Module:
        """The first stage: strings (d, 768), string (m,), engineered (m, 89) -> nodes (m, hidden)."""
        return InputEncoder(hidden, dropout)

    def make_layer(self, hidden: int, dropout: float) -> nn.Module:
        """One layer of the family: (cells (k, hidden), context, inputs) -> cells (k, hidden)."""
        raise NotImplementedError

    def context(self, nodes: Tensor, inputs: Inputs) -> Tensor:
        """What all layers see of the context nodes, computed once from the encoded (m, hidden): here (c, hidden)."""
        return nodes[inputs.neighbours.shape[0] :]

    def forward(self, inputs: Inputs) -> Tensor:
        """Embeddings of the cells, shape (k, hidden)."""
        nodes = self.encoder(inputs.strings, inputs.string, inputs.engineered)
        cells, context = nodes[: inputs.neighbours.shape[0]], self.context(nodes, inputs)
        for layer in self.layers:
            cells = layer(cells, context, inputs)
        return cells

    def learn(self, inputs: Inputs, pairs: Tensor) -> tuple[Tensor, Tensor]:
        """What `forward` gives, and the logits that pairs (p, 2) of cells are edges of the `edge_types`: (p, types)."""
        return self(inputs), torch.zeros(len(pairs), 0)

    def classify_nodes(self, cells: Tensor) -> Tensor:
        """Logits in the order of `Role`: (k, hidden) -> (k, 13)."""
        return self.roles(cells)

    def predict_edges(self, cells: Tensor, pairs: Tensor) -> tuple[Tensor, Tensor]:
        """Logits that a pair (p, 2) of cells is (header, its cell), and that two tables meet in it: (p,), (p,)."""
        joined = torch.cat([cells[pairs[:, 0]], cells[pairs[:, 1]]], dim=1)
        return self.hierarchy(joined).squeeze(1), self.boundary(joined).squeeze(1)


class RoleProbabilities(nn.Module):
    """What a checkpoint exports: tensors of a tile -> probabilities of the 13 roles, shape (k, 13)."""

    def __init__(self, model: RoleModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, *tensors: Tensor) -> Tensor:
        """The `Inputs` that the model reads, in the order of `fields`: ONNX inputs have no structure."""
        unread = dict.fromkeys(Inputs._fields, torch.empty(0))
        given = dict(zip(self.model.fields, tensors, strict=True))
        cells = self.model(Inputs(**(unread | given)))
        return self.model.classify_nodes(cells).softmax(dim=1)
