import numpy as np
import onnxruntime
import pytest
import torch
from torch_geometric.nn import GATConv, GCNConv

from cellroles.models.base import Inputs, RoleModel
from cellroles.models.export import export_onnx
from cellroles.models.gat import HEADS, Attention
from cellroles.models.gcn import Convolution, context_sum
from cellroles.registry import MODELS
from tests.tiles import random_tile

PARAMETERS = {
    "mlp": 718_000,
    "gcn": 784_000,
    "gat": 2_180_000,
    "adj_transformer": 3_570_000,
    "dual_modality_gnn": 1_930_000,
    "spatial_edge_transformer": 3_620_000,
}
NAMES = tuple(MODELS)


def model(name: str, **options: object) -> RoleModel:
    torch.manual_seed(0)
    return MODELS[name](**options).eval()


@pytest.mark.parametrize("name", NAMES)
def test_parameter_count_is_that_of_the_paper(name):
    count = sum(parameter.numel() for parameter in model(name).parameters())
    assert count == pytest.approx(PARAMETERS[name], rel=0.05)


@pytest.mark.parametrize("name", NAMES)
def test_all_that_a_model_holds_can_be_averaged(name):
    assert all(value.is_floating_point() for value in model(name, hidden=16).state_dict().values())
    assert not list(model(name, hidden=16).buffers())


@pytest.mark.parametrize("name", NAMES)
def test_shapes_of_the_one_interface(name):
    net = model(name, hidden=16)
    cells = net(Inputs.of(random_tile(12)))
    hierarchy, boundary = net.predict_edges(cells, torch.tensor([[0, 1], [2, 3], [4, 4]]))
    assert cells.shape == (12, 16)
    assert net.classify_nodes(cells).shape == (12, 13)
    assert hierarchy.shape == boundary.shape == (3,)


def test_folded_encoder_equals_one_linear_over_text_and_engineered():
    encoder, tile = model("mlp").encoder, Inputs.of(random_tile(12))
    whole = torch.cat([tile.strings[tile.string], tile.engineered], dim=1)
    expected = torch.relu(encoder.norm(encoder.linear(whole)))
    folded = encoder(tile.strings, tile.string, tile.engineered)
    torch.testing.assert_close(folded, expected, atol=1e-5, rtol=1e-5)


def sparse_graph(tile: Inputs) -> tuple[torch.Tensor, torch.Tensor]:
    """Edge index (2, e), from neighbour to cell, and the (cell, slot) places of its edges."""
    places = tile.mask.nonzero()
    return torch.stack([tile.neighbours[places[:, 0], places[:, 1]], places[:, 0]]), places


def test_convolution_equals_pyg():
    tile, hidden = Inputs.of(random_tile(40, 12)), 32
    nodes = torch.randn(52, hidden)
    layer, reference = Convolution(hidden), GCNConv(hidden, hidden, normalize=False)
    reference.load_state_dict({"lin.weight": layer.linear.weight, "bias": layer.linear.bias})
    edge_index, places = sparse_graph(tile)
    expected = reference(nodes, edge_index, tile.weight[places[:, 0], places[:, 1]])[:40]
    torch.testing.assert_close(layer(nodes[:40], context_sum(nodes, tile), tile), expected, atol=1e-5, rtol=1e-5)


def test_attention_equals_pyg():
    tile, hidden = Inputs.of(random_tile(40, 12)), 32
    nodes = torch.randn(52, hidden)
    layer = Attention(hidden)
    reference = GATConv(hidden, hidden, heads=HEADS, concat=False, edge_dim=hidden, add_self_loops=False)
    reference.load_state_dict(
        {
            "lin.weight": layer.project.flatten(0, 1),
            "lin_edge.weight": layer.project_edge.flatten(0, 1),
            "att_src": layer.source[None],
            "att_dst": layer.target[None],
            "att_edge": layer.edge[None],
            "bias": layer.bias,
        }
    )
    edge_index, places = sparse_graph(tile)
    encoded = layer.edge_encoder(tile.edges[places[:, 0], places[:, 1]])
    expected = reference(nodes, edge_index, encoded)[:40]
    torch.testing.assert_close(layer(nodes[:40], nodes[40:], tile), expected, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_onnx_equals_torch_at_other_sizes(name, tmp_path):
    net = model(name)
    export_onnx(net, tmp_path / "model.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "model.onnx")
    names = [entry.name for entry in session.get_inputs()]
    assert ("edges" in names) == (name == "gat")
    for cells, context, strings in ((1, 5, 2), (300, 41, 77)):
        tile = random_tile(cells, context, strings)
        found = session.run(None, {field: getattr(tile, field) for field in names})[0]
        with torch.inference_mode():
            expected = net.classify_nodes(net(Inputs.of(tile))).softmax(dim=1).numpy()
        np.testing.assert_allclose(found, expected, atol=1e-4)


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_receives_gradient(name):
    net = model(name, hidden=16)
    cells = net(Inputs.of(random_tile(30)))
    hierarchy, boundary = net.predict_edges(cells, torch.tensor([[0, 1], [2, 3]]))
    (net.classify_nodes(cells).square().sum() + hierarchy.sum() + boundary.sum()).backward()
    assert all(parameter.grad is not None and parameter.grad.any() for parameter in net.parameters())
