"""Boosted trees and a text projection -> ONNX file that maps the inputs of a tile to role probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import lightgbm as lgb
import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from cellroles.features import ENGINEERED_WIDTH
from cellroles.features.text import TEXT_WIDTH
from cellroles.graph import SLOTS as GRAPH_SLOTS
from cellroles.sheet import Floats, Role
from train.gathered import SLOTS

OUTPUT = "probabilities"
INPUTS: dict[str, tuple[int, list[str | int]]] = {
    "strings": (TensorProto.FLOAT, ["strings", TEXT_WIDTH]),
    "string": (TensorProto.INT64, ["nodes"]),
    "engineered": (TensorProto.FLOAT, ["nodes", ENGINEERED_WIDTH]),
    "neighbours": (TensorProto.INT64, ["cells", GRAPH_SLOTS]),
    "mask": (TensorProto.FLOAT, ["cells", GRAPH_SLOTS]),
}
"""The fields of `TileInputs` that the model reads."""


@dataclass(slots=True)
class Ensemble:
    """The nodes of all trees as the parallel lists of the ONNX operator TreeEnsembleRegressor."""

    nodes_treeids: list[int] = field(default_factory=list)
    nodes_nodeids: list[int] = field(default_factory=list)
    nodes_featureids: list[int] = field(default_factory=list)
    nodes_modes: list[str] = field(default_factory=list)
    nodes_values: list[float] = field(default_factory=list)
    nodes_truenodeids: list[int] = field(default_factory=list)
    nodes_falsenodeids: list[int] = field(default_factory=list)
    target_treeids: list[int] = field(default_factory=list)
    target_nodeids: list[int] = field(default_factory=list)
    target_ids: list[int] = field(default_factory=list)
    target_weights: list[float] = field(default_factory=list)

    def add(self, tree: int, role: int, node: dict[str, Any], number: Iterator[int]) -> int:
        """Add a node and those below it; returns its number in the tree."""
        own, split = next(number), "split_feature" in node
        place = len(self.nodes_nodeids)
        self.nodes_treeids.append(tree)
        self.nodes_nodeids.append(own)
        self.nodes_featureids.append(node["split_feature"] if split else 0)
        self.nodes_modes.append("BRANCH_LEQ" if split else "LEAF")
        self.nodes_values.append(rounded_down(node["threshold"]) if split else 0.0)
        self.nodes_truenodeids.append(0)
        self.nodes_falsenodeids.append(0)
        if split:
            self.nodes_truenodeids[place] = self.add(tree, role, node["left_child"], number)
            self.nodes_falsenodeids[place] = self.add(tree, role, node["right_child"], number)
        else:
            self.target_treeids.append(tree)
            self.target_nodeids.append(own)
            self.target_ids.append(role)
            self.target_weights.append(node["leaf_value"])
        return own

    @property
    def depth(self) -> int:
        """Splits on the longest way to a leaf."""
        above = [0] * len(self.nodes_modes)
        first = 0
        for place, mode in enumerate(self.nodes_modes):
            first = place if self.nodes_nodeids[place] == 0 else first
            for child in (self.nodes_truenodeids[place], self.nodes_falsenodeids[place]) if mode != "LEAF" else ():
                above[first + child] = above[place] + 1
        return max(above, default=0)


def rounded_down(threshold: float) -> float:
    """The largest single-precision number that is not above a threshold: features are single, thresholds double.

    >>> rounded_down(0.1) <= 0.1, rounded_down(0.5)
    (True, 0.5)
    """
    single = np.float32(threshold)
    return float(np.nextafter(single, np.float32(-np.inf)) if float(single) > threshold else single)


def ensemble_of(booster: lgb.Booster, rounds: int) -> Ensemble:
    """The first `rounds` rounds of a booster, each with one tree per role."""
    found = Ensemble()
    for tree in booster.dump_model(num_iteration=rounds)["tree_info"]:
        index = tree["tree_index"]
        found.add(index, index % len(Role), tree["tree_structure"], iter(range(2 * tree["num_leaves"])))
    return found


def export_trees(trees: Ensemble, projection: Floats, path: Path) -> None:
    """Write the steps of `train.gathered` and the trees as one ONNX model."""
    width = ENGINEERED_WIDTH + projection.shape[1]
    constants: dict[str, NDArray[Any]] = {
        "projection": projection.astype(np.float32),
        "slots": np.array(SLOTS, np.int64),
        "last": np.array([2], np.int64),
        "flat": np.array([-1, len(SLOTS) * width], np.int64),
    }
    node = helper.make_node
    steps = [
        node("MatMul", ["strings", "projection"], ["projected"]),
        node("Gather", ["projected", "string"], ["text"]),
        node("Concat", ["engineered", "text"], ["described"], axis=1),
        node("Gather", ["neighbours", "slots"], ["wanted"], axis=1),
        node("Gather", ["described", "wanted"], ["unmasked"]),
        node("Gather", ["mask", "slots"], ["filled"], axis=1),
        node("Unsqueeze", ["filled", "last"], ["factor"]),
        node("Mul", ["unmasked", "factor"], ["masked"]),
        node("Reshape", ["masked", "flat"], ["slot_rows"]),
        node("Concat", ["slot_rows", "filled"], ["rows"], axis=1),
        node("TreeEnsembleRegressor", ["rows"], ["scores"], domain="ai.onnx.ml", n_targets=len(Role), **asdict(trees)),
        node("Softmax", ["scores"], [OUTPUT], axis=1),
    ]
    graph = helper.make_graph(
        steps,
        "boosting",
        [helper.make_tensor_value_info(name, kind, shape) for name, (kind, shape) in INPUTS.items()],
        [helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, ["cells", len(Role)])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", 3)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, path)
