"""Graph learners: attention against PyTorch's, patches apart, and what adjacency is learnt from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from cellroles.models.adjacency import EDGE_TYPES, BilinearHeads, StructureRefinement
from cellroles.models.attention import TransformerLayer, visible
from cellroles.models.base import Inputs
from cellroles.patches import PATCH
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
    same = [
        (synthetic_structure(source).parents == labelled_structure(replace(to_labelled(source), source="saus")).parents)
        for source in map(generate, range(30))
    ]
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
