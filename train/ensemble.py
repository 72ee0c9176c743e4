"""Checkpoints -> one checkpoint that gives the mean of their probabilities.

`python -m train.ensemble runs/default/checkpoint runs/boosting/checkpoint -o cellroles/checkpoints/default`. The
members' ONNX graphs become one that reads each input once, so that features and tiles are computed once for all; it is
scored on the development sheets.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence
from pathlib import Path

import onnx
from onnx import compose, helper

from cellroles.checkpoint import ONNX, CheckpointConfig, load_config, write_config
from cellroles.models.export import OUTPUT
from cellroles.predict import load_predictor
from data.registry import ROLE_CORPORA
from train.evaluate import development_sheets, evaluate, markdown


def mean_graph(models: Sequence[onnx.ModelProto]) -> onnx.ModelProto:
    """One model with the union of the inputs, which have equal names and shapes, and the mean of the outputs."""
    parts = [compose.add_prefix(model, f"{number}/") for number, model in enumerate(models)]
    inputs = {entry.name.split("/", 1)[1]: entry for part in parts for entry in part.graph.input}
    outputs = [part.graph.output[0].name for part in parts]
    nodes = [node for part in parts for node in part.graph.node]
    shared = {f"{number}/{name}": name for number in range(len(parts)) for name in inputs}
    for node in nodes:
        node.input[:] = [shared.get(name, name) for name in node.input]
    for name, entry in inputs.items():
        entry.name = name
    result = helper.make_tensor_value_info(OUTPUT, onnx.TensorProto.FLOAT, ["cells", None])
    graph = helper.make_graph(
        [*nodes, helper.make_node("Mean", outputs, [OUTPUT])],
        "ensemble",
        list(inputs.values()),
        [result],
        [entry for part in parts for entry in part.graph.initializer],
    )
    versions: dict[str, int] = {}
    for part in parts:
        for entry in part.opset_import:
            versions[entry.domain] = max(entry.version, versions.get(entry.domain, 0))
    merged = helper.make_model(graph, opset_imports=[helper.make_opsetid(*entry) for entry in versions.items()])
    merged.ir_version = max(part.ir_version for part in parts)
    merged.functions.extend(function for part in parts for function in part.functions)
    onnx.checker.check_model(merged)
    return merged


def ensemble(members: Sequence[Path], output: Path) -> CheckpointConfig:
    """Write `config.json` and `model.onnx`, as yet without scores; an ensemble has no weights to train on."""
    configs = [load_config(member) for member in members]
    merged = mean_graph([onnx.load(member / ONNX) for member in members])
    config = CheckpointConfig(
        "ensemble",
        {"members": [member.architecture for member in configs]},
        max(member.depth for member in configs),
        training={"members": [{"architecture": one.architecture, **one.training} for one in configs]},
    )
    output.mkdir(parents=True, exist_ok=True)
    onnx.save(merged, output / ONNX)
    write_config(output, config)
    return config


def main(arguments: Sequence[str] | None = None) -> None:
    """Join, score and print the scores."""
    parser = argparse.ArgumentParser(prog="python -m train.ensemble", description=__doc__)
    parser.add_argument("members", type=Path, nargs="+", help="folders of checkpoints with an ONNX file")
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder of the new checkpoint")
    given = parser.parse_args(arguments)
    config = ensemble(given.members, given.output)
    scores = evaluate(load_predictor(given.output), development_sheets(ROLE_CORPORA))
    write_config(given.output, dataclasses.replace(config, scores=scores))
    print(markdown(scores))


if __name__ == "__main__":
    main()
