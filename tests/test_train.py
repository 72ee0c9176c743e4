import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from cellroles.checkpoint import load_config
from cellroles.features import extract
from cellroles.graph import build_graph
from cellroles.models.base import Dropout, Inputs
from cellroles.predict import load_predictor
from cellroles.registry import MODELS
from cellroles.sheet import Role
from data.labelled import role_set
from data.synthetic import generate, to_labelled
from train.batches import Epoch, Example, Whole, blanked, collate
from train.config import DataConfig, RunConfig, TrainingConfig, load_run
from train.edges import edge_labels
from train.losses import class_weights, focal_loss, soft_loss
from train.module import RoleModule
from train.network import synthetic_examples, teacher
from train.pieces import PieceCache, join, pieces_of, without_styles
from train.roles import main
from train.sides import development_sides

SEEDS = (1, 2, 3, 4)


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    sources = [generate(seed) for seed in SEEDS]
    return [Example(to_labelled(source), edge_labels(source, np.random.default_rng(0))) for source in sources]


def batch_of(examples, edges=True):
    reads = {"edges": edges, "patches": True, "links": True}
    pieces = [pieces_of(entry.labelled, 800, **reads, labels=entry.labels) for entry in examples]
    return collate([piece for group in pieces for piece in group])


def test_joined_pieces_predict_like_single_sheets(examples):
    torch.manual_seed(0)
    net = MODELS["gat"](hidden=16).eval()
    pieces = [pieces_of(entry.labelled, 10_000, edges=True)[0] for entry in examples]
    tiles = [build_graph(extract(entry.labelled.sheet)) for entry in examples]
    with torch.inference_mode():
        together = net(Inputs.of(join(pieces)))
        alone = [net(Inputs.of(tile.inputs(0, len(tile.features.sheet)))) for tile in tiles]
    torch.testing.assert_close(together, torch.cat(alone), atol=5e-3, rtol=0)  # pieces are kept in half precision


def test_windows_cover_a_large_sheet_once(examples):
    largest = max((entry.labelled for entry in examples), key=lambda labelled: len(labelled.sheet))
    pieces = pieces_of(largest, 40)
    assert len(pieces) > 2
    assert [piece.first for piece in pieces] == np.cumsum([0] + [piece.cells for piece in pieces[:-1]]).tolist()
    np.testing.assert_array_equal(np.concatenate([piece.targets for piece in pieces]), largest.targets)


def test_an_epoch_is_the_same_for_the_same_seed_and_keeps_the_top_window(examples):
    config = DataConfig(batch_cells=60, style_dropout=0.5)
    cache = PieceCache(40, edges=False)
    first, again, other = (Epoch(examples, cache, config, seed) for seed in (1, 1, 2))
    drawn = [[piece.first for group in epoch.batches for piece in group] for epoch in (first, again, other)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert drawn[0].count(0) == len(examples)
    assert len(first[0].targets) == sum(piece.cells for piece in first.batches[0])


def test_whole_sheets_come_in_order(examples):
    whole = Whole(examples, PieceCache(10_000, edges=False), 100)
    targets = torch.cat([batch.targets for batch in (whole[i] for i in range(len(whole)))])
    expected = np.concatenate([entry.labelled.targets for entry in examples])
    np.testing.assert_array_equal(targets.numpy() @ (1 << np.arange(13)), expected)


def test_without_styles_nothing_is_emphasised(examples):
    sheet = without_styles(examples[0].labelled.sheet)
    assert len(sheet.styles) == 1
    assert not sheet.style.any()


def plain_focal(logits, target, candidates, alpha, gamma):
    scores = np.exp(logits[candidates])
    p = np.exp(logits[target]).sum() / scores.sum()
    return -alpha[target].mean() * (1 - p) ** gamma * np.log(p)


def test_focal_loss_equals_the_formula_over_bit_sets():
    rng = np.random.default_rng(0)
    logits, alpha = rng.normal(size=(3, 13)), rng.random(13)
    targets, candidates = np.zeros((3, 13), bool), np.ones((3, 13), bool)
    targets[0, 2] = True
    targets[1, [10, 11, 12]] = True
    candidates[1, [4, 5, 6]] = False
    shares = np.array([1.0, 0.25, 1.0])
    plain = [plain_focal(logits[i], targets[i], candidates[i], alpha, 2.0) for i in (0, 1)]
    expected = np.average(plain, weights=shares[:2])
    arrays = (logits, targets, candidates, shares, alpha)
    found = focal_loss(*(torch.from_numpy(array) for array in arrays), gamma=2.0)
    assert float(found) == pytest.approx(expected, rel=1e-5)


def test_masked_cells_and_unused_roles_get_no_gradient():
    logits = torch.zeros(2, 13, requires_grad=True)
    targets, candidates = torch.zeros(2, 13, dtype=torch.bool), torch.ones(2, 13, dtype=torch.bool)
    targets[0, Role.VALUE] = True
    candidates[:, Role.JUNK] = False
    focal_loss(logits, targets, candidates, torch.ones(2), torch.ones(13), 2.0).backward()
    assert logits.grad is not None
    assert not logits.grad[1].any()
    assert logits.grad[0, Role.JUNK] == 0
    assert logits.grad[0, Role.VALUE] < 0 < logits.grad[0, Role.HEADER]


def test_soft_loss_is_the_cross_entropy_with_the_teacher():
    logits = torch.tensor([[0.0, 0.0], [1.0, 0.0], [5.0, -5.0]])
    soft = torch.tensor([[0.5, 0.5], [0.9, 0.1], [0.0, 1.0]])
    first, second = np.log(2), -0.9 * np.log(np.e / (np.e + 1)) - 0.1 * np.log(1 / (np.e + 1))
    found = soft_loss(logits, soft, torch.tensor([1.0, 3.0, 0.0]))
    assert float(found) == pytest.approx((first + 3 * second) / 4, rel=1e-5)


def test_a_student_learns_what_its_teacher_says_where_nothing_is_labelled(examples):
    taught = np.array([0.0, 0.2, 0, 0, 0, 0, 0, 0.8, 0, 0, 0, 0, 0], np.float32)
    teach = lambda sheet: np.tile(taught, (len(sheet), 1))  # noqa: E731
    blank = [replace(entry.labelled, targets=np.zeros_like(entry.labelled.targets)) for entry in examples]
    batch = collate([pieces_of(labelled, 800, teach=teach)[0] for labelled in blank], balance=8)
    torch.manual_seed(0)
    module = RoleModule(MODELS["mlp"](hidden=16), TrainingConfig(), torch.ones(13))
    optimizer = torch.optim.AdamW(module.parameters(), lr=1e-2)
    for _ in range(150):
        optimizer.zero_grad()
        module.loss(batch).backward()
        optimizer.step()
    module.eval()
    with torch.inference_mode():
        learnt = module.model.classify_nodes(module.model(batch.inputs)).softmax(dim=1).mean(dim=0)
    np.testing.assert_allclose(learnt, taught, atol=0.05)


def test_several_teachers_say_their_mean(examples, monkeypatch):
    class Constant:
        def __init__(self, share):
            self.share = share

        def probabilities(self, sheet, every_row=False):
            assert every_row
            return np.full((len(sheet), 13), self.share, np.float32)

    monkeypatch.setattr("train.network.load_predictor", lambda name: Constant(float(name)))
    assert teacher([]) is None
    np.testing.assert_allclose(teacher(["0.1", "0.3"])(examples[0].labelled.sheet), 0.2)


def test_blanked_sheets_lose_texts(examples):
    piece = pieces_of(examples[0].labelled, 10_000)[0]
    same = blanked(piece, DataConfig(), np.random.default_rng(0))
    assert same is piece
    less = blanked(piece, DataConfig(text_dropout=1.0), np.random.default_rng(0))
    before, after = piece.strings.toarray(), less.strings.toarray()
    lost = ~after.any(axis=1) & before.any(axis=1)
    assert lost.any()
    np.testing.assert_array_equal(after[~lost], before[~lost])


def test_held_out_corpora_are_measured_whole_and_never_trained_on(examples):
    sheets = [replace(entry.labelled, source=source) for entry, source in zip(examples, "abca", strict=True)]
    sides = development_sides(sheets, ("a",))
    assert [labelled.source for labelled in sides.train] == ["b", "c"]
    assert [labelled.source for labelled in sides.choose] == [labelled.source for labelled in sides.test] == ["a", "a"]


def test_class_weights_are_powers_of_the_inverse_frequency():
    targets = [np.array([1] * 16 + [1 << Role.HEADER] + [role_set([Role.VALUE, Role.HEADER])], np.uint16)]
    weights = class_weights(targets, 0.5)
    assert float(weights[Role.HEADER] / weights[Role.VALUE]) == pytest.approx(4)
    assert float(weights[[Role.VALUE, Role.HEADER]].mean()) == pytest.approx(1)


def test_dropout_keeps_the_mean_and_rests_in_evaluation():
    torch.manual_seed(0)
    layer, ones = Dropout(0.25), torch.ones(400, 101)
    dropped = layer(ones)
    assert float((dropped == 0).float().mean()) == pytest.approx(0.25, abs=0.01)
    assert float(dropped.mean()) == pytest.approx(1, abs=0.01)
    assert layer.eval()(ones) is ones


def test_edge_labels_tell_governing_headers_from_others(examples):
    for entry in examples:
        labels, roles = entry.labels, entry.labelled.roles
        true = labels.pairs[labels.hierarchy == 1]
        assert np.isin(roles[true[:, 0]], [role for role in Role if "header" in role.label]).all()
        assert labels.hierarchy[: len(labels.pairs) // 2].all()


@pytest.mark.parametrize("name", tuple(MODELS))
def test_a_model_learns_four_sheets_by_heart(name, examples):
    torch.manual_seed(0)
    model = MODELS[name](hidden=32, dropout=0.0)
    alpha = class_weights((entry.labelled.targets for entry in examples), 0.25)
    module, batch = RoleModule(model, TrainingConfig(), alpha), batch_of(examples)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    losses = []
    for _ in range(30):
        optimizer.zero_grad()
        loss = module.loss(batch)
        loss.backward()
        optimizer.step()
        losses.append(float(loss))
    assert losses[-1] < losses[0] / 3
    assert all(parameter.grad is not None and parameter.grad.any() for parameter in model.parameters())


def test_synthetic_examples_differ_between_seeds():
    first, second = (synthetic_examples(3, seed)[0].labelled.sheet for seed in (1, 2))
    assert first.text.tolist() != second.text.tolist()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[model]\nlayers = 3", r"\[model\] accepts name, hidden, dropout; got layers"),
        ("[optimiser]\nrate = 1", "accepts seed, model, data, training; got optimiser"),
        ("seed =", "is no TOML file"),
    ],
)
def test_wrong_configurations_name_what_is_accepted(tmp_path, text, message):
    path = tmp_path / "run.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=message):
        load_run(path)


def test_a_table_is_a_constructor_call(tmp_path):
    path = tmp_path / "run.toml"
    path.write_text('seed = 7\n[data]\ncorpora = ["saus"]\n')
    assert load_run(path) == replace(RunConfig(), seed=7, data=DataConfig(corpora=("saus",)))


def test_a_short_run_writes_a_checkpoint_that_predicts_and_resumes(tmp_path, monkeypatch, capsys):
    dev = [replace(entry.labelled, source="dev") for entry in synthetic_examples(4, 9)]
    monkeypatch.setattr("train.sides.split", lambda labelled: "dev")
    monkeypatch.setattr("train.roles.load_corpora", lambda names: dev)
    path = tmp_path / "run.toml"
    path.write_text("[model]\nhidden = 16\n[data]\nsynthetic = 6\n[training]\nepochs = 1\nwarmup_steps = 1\n")
    main([str(path), "--output", str(tmp_path / "run")])
    first = json.loads((tmp_path / "run" / "report.json").read_text())
    assert first["training"]["epochs"] == 1
    assert load_config(tmp_path / "run" / "checkpoint").scores == first["scores"]
    assert "| dev |" in capsys.readouterr().out
    probabilities = load_predictor(tmp_path / "run" / "checkpoint").probabilities(dev[0].sheet)
    assert probabilities.shape == (len(dev[0].sheet), 13)

    main([str(path), "--output", str(tmp_path / "run"), "--epochs", "3", "--resume"])
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("epoch")]
    assert [int(line.split()[1]) for line in lines] == [2, 3]
