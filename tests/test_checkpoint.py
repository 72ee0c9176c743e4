import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from cellroles.checkpoint import CONFIG, ONNX, load_config, load_model, resolve, save_checkpoint, write_config
from cellroles.errors import CheckpointError
from cellroles.features import extract
from cellroles.graph import build_graph
from cellroles.models.base import Inputs
from cellroles.patches import cut
from cellroles.predict import load_predictor
from cellroles.registry import MODELS
from cellroles.sheet import Kind, Sheet, Style


def tall_sheet(rows: int = 120, cols: int = 4) -> Sheet:
    row, col = (grid.ravel().astype(np.int32) for grid in np.mgrid[:rows, :cols])
    text = np.array([f"label {r}" if c == 0 or r == 0 else str(r * c) for r, c in zip(row, col, strict=True)], object)
    number = np.array([float(t) if t.isdigit() else np.nan for t in text])
    return Sheet(
        workbook="tall.xlsx",
        name="Sheet1",
        row=row,
        col=col,
        kind=np.where(np.isnan(number), Kind.TEXT, Kind.NUMBER).astype(np.uint8),
        value=text,
        number=number,
        text=text,
        formula=np.full(len(text), None, object),
        uncached=np.zeros(len(text), bool),
        style=(row % 2).astype(np.int32),
        styles=(Style(), Style(bold=True)),
    )


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("checkpoints")
    for name in MODELS:
        torch.manual_seed(1)
        save_checkpoint(MODELS[name](hidden=16), root / name, {"seed": 1})
    return {name: root / name for name in MODELS}


@pytest.mark.parametrize("name", tuple(MODELS))
def test_bands_equal_the_whole_sheet(folders, name):
    predictor, sheet = load_predictor(folders[name]), tall_sheet()
    whole = predictor.probabilities(sheet, max_cells=10_000)
    np.testing.assert_allclose(predictor.probabilities(sheet, max_cells=40), whole, atol=1e-5)
    np.testing.assert_allclose(whole.sum(axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("name", tuple(MODELS))
def test_onnx_and_torch_weights_of_a_checkpoint_agree(folders, name):
    sheet = tall_sheet()
    tile = build_graph(extract(sheet)).inputs_of(np.arange(len(sheet)), patch=cut(sheet.row, sheet.col))
    with torch.inference_mode():
        net = load_model(folders[name])
        expected = net.classify_nodes(net(Inputs.of(tile))).softmax(dim=1).numpy()
    np.testing.assert_allclose(load_predictor(folders[name]).probabilities(sheet), expected, atol=1e-4)


def test_without_onnx_torch_predicts(folders, tmp_path):
    sheet, copy = tall_sheet(10), tmp_path / "torch-only"
    copy.mkdir()
    for path in folders["gat"].iterdir():
        if path.name != ONNX:
            (copy / path.name).write_bytes(path.read_bytes())
    expected = load_predictor(folders["gat"]).probabilities(sheet)
    np.testing.assert_allclose(load_predictor(copy).probabilities(sheet), expected, atol=1e-4)


def test_every_file_of_a_checkpoint_is_readable_by_all(folders):
    assert all(path.stat().st_mode & 0o444 == 0o444 for path in folders["mlp"].iterdir())


def test_scores_are_added_later(folders, tmp_path):
    config = replace(load_config(folders["gcn"]), scores={"dev": 0.5})
    write_config(tmp_path, config)
    assert load_config(tmp_path) == config


def test_empty_sheet_has_no_rows(folders):
    sheet = tall_sheet(1, 1).keep(np.array([False]), "hidden")
    assert load_predictor(folders["gcn"]).probabilities(sheet).shape == (0, 13)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("feature_version", 0, "0 instead of"),
        ("roles", ["junk", "value"], "2 instead of 13"),
        ("features", ["x"] * 89, "'x' instead of"),
        ("text_encoder", "e5", "'e5' instead of 'hash'"),
    ],
)
def test_a_checkpoint_of_other_features_is_refused(folders, tmp_path, field, value, said):
    fields = json.loads((folders["mlp"] / CONFIG).read_text())
    (tmp_path / CONFIG).write_text(json.dumps(fields | {field: value}))
    with pytest.raises(CheckpointError, match=f"other {field} .*{said}.* train it again"):
        load_config(tmp_path)


def test_a_broken_configuration_names_the_file(tmp_path):
    (tmp_path / CONFIG).write_text("{}")
    with pytest.raises(CheckpointError, match=CONFIG):
        load_config(tmp_path)


def test_an_unknown_name_lists_what_there_is():
    with pytest.raises(CheckpointError, match="got 'no-such'"):
        resolve("no-such")


def test_prediction_loads_no_torch(folders):
    code = (
        "import sys; from cellroles.predict import load_predictor; assert 'onnxruntime' not in sys.modules;"
        f"load_predictor({str(folders['gcn'])!r}); assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
