"""Role model -> ONNX file: the classification head alone, dynamic in cells, nodes and strings."""

from __future__ import annotations

from pathlib import Path

import torch

from cellroles.features import ENGINEERED_WIDTH
from cellroles.features.text import TEXT_WIDTH
from cellroles.graph import EDGE_WIDTH, SLOTS
from cellroles.models.base import Inputs, RoleModel, RoleProbabilities
from cellroles.patches import MIN_TOKENS, TOKEN_WIDTH

OUTPUT = "probabilities"


def example_inputs(cells: int = 24, context: int = 9, strings: int = 7, rows: int = 3) -> Inputs:
    """Inputs of the right shapes and types, for tracing."""
    neighbours = torch.arange(cells * SLOTS).reshape(cells, SLOTS) % (cells + context)
    tokens = torch.zeros(rows, MIN_TOKENS + 5, TOKEN_WIDTH, dtype=torch.int64)
    tokens[:] = torch.arange(MIN_TOKENS + 5)[:, None] % cells
    return Inputs(
        strings=torch.rand(strings, TEXT_WIDTH),
        string=torch.arange(cells + context) % strings,
        engineered=torch.rand(cells + context, ENGINEERED_WIDTH),
        neighbours=neighbours,
        mask=torch.ones(cells, SLOTS),
        weight=torch.full((cells, SLOTS), 1 / SLOTS),
        edges=torch.rand(cells, SLOTS, EDGE_WIDTH),
        tokens=tokens,
        cell_tokens=torch.arange(cells),
    )


def export_onnx(model: RoleModel, path: Path) -> None:
    """Write `model` so that onnxruntime maps the fields of a tile that it reads to role probabilities (k, 13)."""
    cells, nodes, strings, rows, length = map(torch.export.Dim, ("cells", "nodes", "strings", "rows", "length"))
    first: dict[str, dict[int, torch.export.Dim]] = {
        name: {0: nodes if name in ("string", "engineered") else cells} for name in Inputs._fields
    }
    first |= {"strings": {0: strings}, "tokens": {0: rows, 1: length}}
    example = example_inputs()
    torch.onnx.export(
        RoleProbabilities(model).eval(),
        tuple(getattr(example, name) for name in model.fields),
        path,
        input_names=list(model.fields),
        output_names=[OUTPUT],
        dynamic_shapes={"tensors": tuple(first[name] for name in model.fields)},
        dynamo=True,
        external_data=False,
        verbose=False,
    )
