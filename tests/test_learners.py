"""Graph learners: attention against PyTorch's, patches apart, and what adjacency is learnt from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from cellroles.checkpoint import load_model, save_checkpoint
from cellroles.features import ENGINEERED_WIDTH, GROUPS
from cellroles.models.adjacency import EDGE_TYPES, BilinearHeads, StructureRefinement
from cellroles.models.attention import TransformerLayer, visible
from cellroles.models.base import Inputs
from cellroles.models.modalities import CONTENT, LOOK, DualEncoder, columns_of
from cellroles.models.spatial import PairScorer, candidate_pairs, pair_features
from cellroles.patches import AREA, MIDDLE, NONE, PATCH
from cellroles.registry import MODELS
from data.synthetic import generate, to_labelled
from tests.tiles import random_tile
from train.adjacency import labelled_structure, link_loss, links_of, synthetic_structure
from train.config import load_run

LEARNERS = tuple(name for name in MODELS if MODELS[name].edge_types)
TABLE, HIERARCHY, ROW, COLUMN = range(4)


def test_a_layer_equals_pytorchs():
    layer = TransformerLayer(32, 0.0).eval()
    reference = torch.nn.TransformerEncoderLayer(32, 4, 64, 0.0, "gelu", batch_first=True, norm_first=True).eval()
    names = {
        "self_attn.in_proj_weight": layer.project.weight,
        "self_attn.in_proj_bias": layer.project.bias,
        "self_attn.out_proj.weight": layer.mix.weight,
        "self_attn.out_proj.bias": layer.mix.bias,
        "linear1.weight": layer.widen.weight,
        "linear1.bias": layer.widen.bias,
        "linear2.weight": layer.narrow.weight,
        "linear2.bias": layer.narrow.bias,
    }
    norms = {
        f"norm{i}.{part}": getattr(getattr(layer, f"norm{i}"), part) for i in (1, 2) for part in ("weight", "bias")
    }
    reference.load_state_dict(names | norms)
    tokens, patch = torch.randn(3, 9, 32), torch.tensor([[0, 0, 0, 0, 1, 1, 1, -1, -1]] * 3)
    apart = (patch[:, :, None] != patch[:, None, :]).repeat_interleave(4, dim=0)
    expected = reference(tokens, src_mask=apart)
    torch.testing.assert_close(layer(tokens, visible(patch)), expected, atol=1e-5, rtol=1e-5)


def test_bilinear_logits_of_pairs_are_those_of_all():
    heads, tokens = BilinearHeads(8), torch.randn(1, 6, 8)
    torch.nn.init.normal_(heads.bias)
    pairs = torch.tensor([[0, 5], [3, 1]])
    found = heads.of_pairs(tokens[0, pairs[:, 0]], tokens[0, pairs[:, 1]])
    torch.testing.assert_close(found, heads(tokens)[0][:, pairs[:, 0], pairs[:, 1]].T)


def test_messages_run_both_ways_and_only_along_edges():
    refinement = StructureRefinement(8, 0.0).eval()
    tokens, strength = torch.randn(1, 4, 8), torch.zeros(1, 4, 4)
    strength[0, 0, 1] = 0.5
    changed = tokens.clone()
    changed[0, 1] += 1
    before, after = refinement(tokens, strength)[0], refinement(changed, strength)[0]
    moved = ~torch.isclose(before, after, atol=1e-6).all(dim=1)
    assert moved.tolist() == [True, True, False, False]
    changed[0, 1], changed[0, 0] = tokens[0, 1], tokens[0, 0] + 1
    assert not torch.isclose(before[1], refinement(changed, strength)[0, 1]).all()


@pytest.mark.parametrize("name", LEARNERS)
def test_patches_do_not_see_each_other(name):
    torch.manual_seed(0)
    net = MODELS[name](hidden=16).eval()
    tile = random_tile(50)
    changed = replace(tile, engineered=tile.engineered.copy())
    changed.engineered[3] += 1
    with torch.inference_mode():
        before, after = net(Inputs.of(tile)), net(Inputs.of(changed))
    patch = tile.tokens.reshape(-1, 7)[tile.cell_tokens, PATCH]
    moved = (before - after).abs().amax(dim=1).numpy() > 1e-6
    assert moved[3] and not moved[patch != patch[3]].any()
    assert moved[patch == patch[3]].mean() > 0.5


@pytest.mark.parametrize("name", LEARNERS)
def test_every_parameter_of_the_adjacency_heads_receives_gradient(name):
    torch.manual_seed(0)
    net = MODELS[name](hidden=16)
    _, logits = net.learn(Inputs.of(random_tile(30)), torch.tensor([[0, 1], [2, 3], [7, 2]]))
    assert logits.shape == (3, len(EDGE_TYPES))
    for edge_type in range(len(EDGE_TYPES)):
        net.zero_grad()
        logits[:, edge_type].square().sum().backward(retain_graph=True)
        touched = {name.partition(".")[0] for name, parameter in net.named_parameters() if parameter.grad is not None}
        assert {"adjacency", "encoder", "layers"} <= touched


def test_synthetic_structure_is_the_sheets_own():
    for seed in range(8):
        source = generate(seed)
        labelled, structure = to_labelled(source), synthetic_structure(source)
        at = list(source.cells)
        for number, (position, table, parents) in enumerate(
            zip(at, structure.table.tolist(), structure.parents.tolist(), strict=True)
        ):
            assert (int(labelled.sheet.row[number]), int(labelled.sheet.col[number])) == position
            assert table < 0 or source.tables[table].contains(*position)
            paths = [source.col_paths.get(position, ()), source.row_paths.get(position, ())]
            assert [path[-1] if path else None for path in paths] == [at[i] if i >= 0 else None for i in parents]


def test_labels_by_our_own_rules_agree_with_the_synthetic_truth():
    same = []
    for source in map(generate, range(30)):
        true = synthetic_structure(source).parents
        found = labelled_structure(replace(to_labelled(source), source="saus")).parents
        same.append((true == found)[true >= 0])
    assert np.concatenate(same).mean() > 0.9


def test_labels_of_other_corpora_and_uncertain_cells_say_nothing():
    labelled = to_labelled(generate(3))
    assert (labelled_structure(replace(labelled, source="hitab")).parents < 0).all()
    unsure = replace(labelled, source="saus", targets=np.zeros_like(labelled.targets))
    structure = labelled_structure(unsure)
    assert (structure.parents < 0).all() and (structure.table < 0).all()
    links = links_of(labelled, structure, 0, len(labelled.sheet))
    assert np.isnan(links.types[:, [TABLE, HIERARCHY]]).all() and not np.isnan(links.types[:, [ROW, COLUMN]]).any()


@pytest.mark.parametrize("seed", range(6))
def test_links_say_what_the_sheet_says(seed):
    source = generate(seed)
    labelled, structure = to_labelled(source), synthetic_structure(source)
    n = len(labelled.sheet)
    lo, hi = n // 4, n
    links = links_of(labelled, structure, lo, hi)
    assert links.pairs.min() >= 0 and links.pairs.max() < hi - lo
    first, second = links.pairs.T + lo
    np.testing.assert_array_equal(links.types[:, ROW], labelled.sheet.row[first] == labelled.sheet.row[second])
    np.testing.assert_array_equal(links.types[:, COLUMN], labelled.sheet.col[first] == labelled.sheet.col[second])
    table = links.types[:, TABLE]
    known = ~np.isnan(table)
    np.testing.assert_array_equal(table[known], (structure.table[first] == structure.table[second])[known])
    for a, b, edge in zip(first, second, links.types[:, HIERARCHY], strict=True):
        if not np.isnan(edge):
            assert edge == (a in structure.parents[b])


def test_unknown_links_do_not_count():
    logits = torch.tensor([[2.0, 5.0], [0.0, -1.0]])
    types = torch.tensor([[1.0, float("nan")], [float("nan"), 0.0]])
    expected = (np.log1p(np.exp(-2)) + np.log1p(np.exp(-1))) / 2
    assert float(link_loss(logits, types)) == pytest.approx(expected, rel=1e-5)


def test_options_of_a_model_stand_beside_the_others(tmp_path):
    path = tmp_path / "run.toml"
    path.write_text('[model]\nname = "adj_transformer"\nhidden = 16\nrefine = false\n')
    chosen = load_run(path).model
    assert chosen.hidden == 16 and chosen.options == {"refine": False}
    assert MODELS[chosen.name](hidden=16, **chosen.options).options == {"hidden": 16, "dropout": 0.2, "refine": False}
    path.write_text('[model]\nname = "adj_transformer"\nradius = 3\n')
    with pytest.raises(ValueError, match=r"\[model\] accepts name, hidden, dropout, refine; got radius"):
        load_run(path)


def tokens_of(places, pooled=()):
    """Tokens (1, n, 7) of one patch, cells covering one each, at (row, col); those of `pooled` have neither."""
    rows = [[i, 0, row, col, MIDDLE + row, MIDDLE + col, 1] for i, (row, col) in enumerate(places)]
    tokens = torch.tensor([rows])
    tokens[0, list(pooled), 2:4] = NONE
    return tokens


def test_spatial_features_say_where_the_second_stands():
    tokens = tokens_of([(3, 4), (5, 1), (3, 9), (0, 0)], pooled=[3])[0]
    tokens[2, AREA] = 4
    down, right, pooled = pair_features(tokens[0], tokens[1:], radius=9)
    scaled = np.log1p([2, 3, 5, 3]) / np.log(10) * [1, -1, 1, 1]
    np.testing.assert_allclose(down, [*scaled, 0, 0, 0], atol=1e-6)
    np.testing.assert_allclose(right[4:], [1, 0, -np.log(4) / 3], atol=1e-6)
    np.testing.assert_allclose(pooled, np.zeros(7), atol=1e-6)


def test_candidates_are_near_or_at_the_edge_and_never_out_of_reach():
    places = [(row, col) for row in range(12) for col in range(4)]
    tokens = tokens_of(places)
    tokens[0, 40:, PATCH] = 1
    index, reached = candidate_pairs(tokens, 8, radius=6)
    from_cell = {places[i] for i in index[0, places.index((5, 2))].tolist()}
    assert {(0, 2), (5, 0), (4, 2), (6, 2), (5, 1), (5, 3)} <= from_cell
    assert reached[0, places.index((5, 2))].all()
    for cell, (others, near) in enumerate(zip(index[0].tolist(), reached[0].tolist(), strict=True)):
        for other in (other for other, kept in zip(others, near, strict=True) if kept):
            assert max(abs(a - b) for a, b in zip(places[cell], places[other], strict=True)) <= 6
            assert (cell < 40) == (other < 40)


def test_scores_of_pairs_are_those_of_candidates():
    torch.manual_seed(0)
    scorer, tokens, hidden = PairScorer(16, 9).eval(), tokens_of([(0, 0), (0, 3), (2, 1)]), torch.randn(1, 3, 16)
    index = torch.tensor([[[1, 2], [0, 2], [0, 1]]])
    all_, first, second = scorer(hidden, tokens, index), torch.tensor([0, 1, 2]), torch.tensor([2, 0, 1])
    found = scorer.of_pairs(hidden[0, first], hidden[0, second], (tokens[0, first], tokens[0, second]))
    torch.testing.assert_close(found, torch.stack([all_[0, 0, 1], all_[0, 1, 0], all_[0, 2, 1]]))


def test_a_scorer_is_one_network_per_type():
    torch.manual_seed(0)
    scorer = PairScorer(16, 9)
    first, second, features = torch.randn(5, 16), torch.randn(5, 16), torch.randn(5, 7)
    joined = torch.relu(first + second + scorer.place(features)).reshape(5, 4, 4)
    expected = torch.stack([joined[:, k] @ scorer.out[k] + scorer.bias[k] for k in range(4)], dim=1)
    torch.testing.assert_close(scorer.met(first, second, features), expected)


def test_each_modality_reads_its_own_features():
    assert set(CONTENT) | set(LOOK) == set(GROUPS) and not set(CONTENT) & set(LOOK)
    both = torch.cat([columns_of(CONTENT), columns_of(LOOK)])
    assert sorted(both.tolist()) == list(range(ENGINEERED_WIDTH))
    torch.manual_seed(0)
    encoder, tile = DualEncoder(16, 0.0).eval(), Inputs.of(random_tile(12))
    changed = tile.engineered.clone()
    changed[:, columns_of(CONTENT)] += 1
    before = encoder.look_linear(tile.engineered.index_select(1, encoder.look_columns))
    torch.testing.assert_close(encoder.look_linear(changed.index_select(1, encoder.look_columns)), before)
    assert not torch.isclose(
        encoder(tile.strings, tile.string, changed), encoder(tile.strings, tile.string, tile.engineered)
    ).all()


@pytest.mark.parametrize("neighbours", [1, 4])
def test_neighbours_are_the_nearest_embeddings_of_the_patch(neighbours):
    torch.manual_seed(0)
    net, hidden = MODELS["dual_modality_gnn"](hidden=16, neighbours=neighbours), torch.randn(2, 32, 16)
    patch = torch.arange(32).div(16, rounding_mode="floor").expand(2, -1)
    found = net._nearest(hidden, visible(patch).squeeze(1))
    for row in range(2):
        for token in range(32):
            others = range(16 * (token // 16), 16 * (token // 16) + 16)
            nearest = sorted(others, key=lambda other: float((hidden[row, other] - hidden[row, token]).norm()))
            assert set(found[row, token].tolist()) == set(nearest[:neighbours])


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("spatial_edge_transformer", {"radius": 0}, "radius is at least 1, candidates 1 to 32, got 0 and 16"),
        ("spatial_edge_transformer", {"candidates": 33}, "got 50 and 33"),
        ("dual_modality_gnn", {"neighbours": 0}, "neighbours is 1 to 32, got 0"),
    ],
)
def test_options_out_of_range_are_refused(name, options, message):
    with pytest.raises(ValueError, match=message):
        MODELS[name](hidden=16, **options)


@pytest.mark.parametrize("name", LEARNERS[:2])
def test_options_travel_in_the_checkpoint(name, tmp_path):
    options = {"adj_transformer": {"refine": False}, "dual_modality_gnn": {"neighbours": 3}}[name]
    net = MODELS[name](hidden=16, **options).eval()
    save_checkpoint(net, tmp_path, {})
    again = load_model(tmp_path)
    assert again.options == net.options and options.items() <= again.options.items()
    tile = Inputs.of(random_tile(30))
    torch.testing.assert_close(again(tile), net(tile))
