"""Role model -> ONNX file: the classification head alone, dynamic in cells, nodes and strings."""

from __future__ import annotations

from pathlib import Path

import torch

from cellroles.features import ENGINEERED_WIDTH
from cellroles.features.text import TEXT_WIDTH
from cellroles.graph import EDGE_WIDTH, SLOTS
from cellroles.models.base import Inputs, RoleModel, RoleProbabilities

OUTPUT = "probabilities"


def example_inputs(cells: int = 24, context: int = 9, strings: int = 7) -> Inputs:
    """Inputs of the right shapes and types, for tracing."""
    neighbours = torch.arange(cells * SLOTS).reshape(cells, SLOTS) % (cells + context)
    return Inputs(
        strings=torch.rand(strings, TEXT_WIDTH),
        string=torch.arange(cells + context) % strings,
        engineered=torch.rand(cells + context, ENGINEERED_WIDTH),
        neighbours=neighbours,
        mask=torch.ones(cells, SLOTS),
        weight=torch.full((cells, SLOTS), 1 / SLOTS),
        edges=torch.rand(cells, SLOTS, EDGE_WIDTH),
    )


def export_onnx(model: RoleModel, path: Path) -> None:
    """Write `model` so that onnxruntime maps the fields of a tile that it reads to role probabilities (k, 13)."""
    cells, nodes, strings = (torch.export.Dim(name) for name in ("cells", "nodes", "strings"))
    first = Inputs(strings, nodes, nodes, cells, cells, cells, cells)  # type: ignore[arg-type]
    example = example_inputs()
    torch.onnx.export(
        RoleProbabilities(model).eval(),
        tuple(getattr(example, name) for name in model.fields),
        path,
        input_names=list(model.fields),
        output_names=[OUTPUT],
        dynamic_shapes={"tensors": tuple({0: getattr(first, name)} for name in model.fields)},
        dynamo=True,
        external_data=False,
        verbose=False,
    )
