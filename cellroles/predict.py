"""Sheet -> probabilities of the 13 roles per filled cell, band by band, with onnxruntime and without torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from cellroles.checkpoint import ONNX, load_config, load_model, resolve
from cellroles.errors import CheckpointError
from cellroles.features import extract
from cellroles.graph import Longs, SheetGraph, TileInputs, build_graph
from cellroles.patches import cut, groups
from cellroles.repeats import find_repeats
from cellroles.sheet import Bools, Floats, Role, Sheet

MAX_CELLS = 1280
NEAR = 256  # cells between two runs of wanted ones that are predicted with them

Run = Callable[[TileInputs, bool], Floats]


@dataclass(frozen=True, slots=True)
class Predictor:
    """A loaded checkpoint; `run` maps the inputs of a tile of k cells to probabilities (k, 13), and gives its working
    memory back after the last tile of a sheet. The model reads features of `edges`, or the tokens of `patches`."""

    checkpoint: str
    depth: int
    edges: bool
    run: Run
    patches: bool = False

    def probabilities(self, sheet: Sheet, max_cells: int = MAX_CELLS, every_row: bool = False) -> Floats:
        """Probability of every role for every filled cell, shape (n, 13), rows summing to 1.

        Tiles of about `max_cells` cells bound the memory; their halo, or that they are whole patches, makes the result
        that of the whole sheet. Rows of long tables that repeat each other take the mean of some of them (`repeats`),
        unless `every_row`.
        """
        result = np.empty((len(sheet), len(Role)), np.float32)
        features = extract(sheet)
        graph, repeats = build_graph(features), None if every_row else find_repeats(features)
        wanted = repeats.wanted if repeats else np.ones(len(sheet), np.bool_)
        for tile, inputs, found_at in self._tiles(graph, wanted, max_cells) if len(sheet) else ():
            result[tile] = self.run(inputs, tile[-1] == len(sheet) - 1)[found_at]
        if repeats:
            repeats.fill(result)
        return result

    def _tiles(self, graph: SheetGraph, wanted: Bools, max_cells: int) -> Iterator[tuple[Longs, TileInputs, Longs]]:
        """Sorted cells, the inputs that they need, and where they are among the cells of these inputs."""
        if self.patches:
            sheet = graph.features.sheet
            patch = cut(sheet.row, sheet.col)
            for cells in groups(patch, wanted, max_cells):
                yield cells, graph.inputs_of(cells, self.edges, patch[cells]), np.arange(len(cells))
            return
        for lo, hi in _runs(wanted):
            for tile, cells in graph.tiles(max_cells, self.depth, lo, hi):
                yield tile, graph.inputs_of(cells, self.edges), np.searchsorted(cells, tile)


def _runs(wanted: Bools) -> list[tuple[int, int]]:
    """First and last + 1 of the runs of wanted cells; gaps that are not worth a band of their own are closed.

    >>> _runs(np.array([True, False, True]))
    [(0, 3)]
    """
    edges = np.flatnonzero(np.diff(wanted, prepend=False, append=False))
    first, last = edges[::2], edges[1::2]
    apart = np.flatnonzero(first[1:] - last[:-1] > NEAR)
    return list(zip(first[np.r_[0, apart + 1]].tolist(), last[np.r_[apart, -1]].tolist(), strict=True))


@lru_cache(maxsize=4)
def load_predictor(name_or_dir: str | Path = "default") -> Predictor:
    """Load a bundled checkpoint by name, or one from a folder; CheckpointError if it does not fit this version."""
    folder = resolve(name_or_dir)
    config = load_config(folder)
    run, fields = _onnx_run(folder / ONNX) if (folder / ONNX).is_file() else _torch_run(folder)
    return Predictor(folder.name, config.depth, "edges" in fields, run, "tokens" in fields)


def _onnx_run(path: Path) -> tuple[Run, frozenset[str]]:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # The default order computes all terms of a sum before it adds them: a third more time and twice the memory.
    options.execution_order = onnxruntime.ExecutionOrder.PRIORITY_BASED
    try:
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime raises its own types, derived from Exception alone
        raise CheckpointError(f"{path} cannot be loaded by onnxruntime {onnxruntime.__version__}: {error}") from error
    names = [entry.name for entry in session.get_inputs()]
    releasing = onnxruntime.RunOptions()
    releasing.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")

    def run(tile: TileInputs, last: bool) -> Floats:
        feed: Mapping[str, object] = {name: getattr(tile, name) for name in names}
        return np.asarray(session.run(None, feed, releasing if last else None)[0], np.float32)

    return run, frozenset(names)


def _torch_run(folder: Path) -> tuple[Run, frozenset[str]]:
    try:
        import torch
    except ImportError as error:
        raise CheckpointError(
            f"{folder} has no {ONNX}, so torch must run it: pip install 'cellroles[train]', or export the checkpoint"
        ) from error
    from cellroles.models.base import Inputs, RoleProbabilities

    model = load_model(folder)
    probabilities = RoleProbabilities(model)

    def run(tile: TileInputs, last: bool) -> Floats:
        inputs = Inputs.of(tile)
        with torch.inference_mode():
            return np.asarray(probabilities(*(getattr(inputs, name) for name in model.fields)).numpy(), np.float32)

    return run, frozenset(model.fields)
