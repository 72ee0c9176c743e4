"""Folds, runs that are skipped, resumed and stopped, and what their reports say."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cellroles.checkpoint import load_config
from cellroles.predict import load_predictor
from cellroles.sheet import Role
from chunkers.listing import listing
from data.labelled import LabelledSheet
from data.synthetic import generate, to_labelled
from train import checkpoints, crossval, runner
from train.calibration import expected_calibration_error
from train.config import RunConfig, load_run
from train.measure import calibration_table, matrix_scores, score_table
from train.metrics import headline_f1, macro_f1
from train.run import compact_json, run
from train.runner import Run, log_lines, standing
from train.sides import SPLITS, Sides, fold_sides, held_out_sides

TINY = "[model]\nname = 'mlp'\nhidden = 8\n[data]\nsynthetic = 2\n[training]\nepochs = 1\nwarmup_steps = 1\n"


def sheets(count: int = 10, sources: str = "ab") -> list[LabelledSheet]:
    made = [to_labelled(generate(seed)) for seed in range(count)]
    return [replace(one, source=sources[i % len(sources)], group=f"g{i}") for i, one in enumerate(made)]


def groups_of(side: list[LabelledSheet]) -> set[str]:
    return {labelled.group for labelled in side}


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("train.run.load_corpora", lambda names: sheets())
    path = tmp_path / "tiny.toml"
    path.write_text(TINY)
    return path


@pytest.fixture
def faked(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Runs whose process only writes a report, or does what the file `act.py` beside the configuration says."""
    act = tiny.parent / "act.py"
    act.write_text("import pathlib, sys\nprint('epoch  3    1.5 min  step 9  loss 1.0  dev 0.5000')\n")
    done = "pathlib.Path(sys.argv[1], 'report.json').write_text('{}')\n"
    act.write_text(act.read_text() + done)
    monkeypatch.setattr(Run, "command", property(lambda self: [sys.executable, str(act), str(self.folder.resolve())]))
    monkeypatch.setattr(runner, "POLL_SECONDS", 0.02)
    return act


def test_every_group_measures_in_one_fold_and_is_on_one_side() -> None:
    every = sheets(24)
    every[1] = replace(every[1], group="g0")
    parts = [fold_sides(every, fold) for fold in range(1, 6)]
    tested = [labelled for sides in parts for labelled in sides.test]
    assert sorted(map(id, tested)) == sorted(map(id, every))
    for sides in parts:
        assert len(sides.train) + len(sides.choose) + len(sides.test) == len(every)
        train, choose, test = map(groups_of, (sides.train, sides.choose, sides.test))
        assert train and choose and test
        assert not (train & choose or train & test or choose & test)
    with pytest.raises(ValueError, match="numbered 1 to 5, got 6"):
        fold_sides(every, 6)


def test_left_out_corpora_neither_teach_nor_choose() -> None:
    every = sheets(20, "abcd")
    every[0] = replace(every[0], group="g1")  # a workbook that a left-out and another corpus share
    sides = held_out_sides(every, ["b"])
    assert {labelled.source for labelled in sides.test} == {"b"}
    assert len(sides.test) == 5
    assert {labelled.source for labelled in sides.train + sides.choose} == {"a", "c", "d"}
    assert "g1" not in groups_of(sides.train + sides.choose)


def test_calibration_error_by_hand() -> None:
    confidence = np.array([0.95, 0.9, 0.55, 0.6, 0.6])
    right = np.array([True, False, True, True, False])
    # Fifteenths: .95 in the last bin, .9 in the one before, the others in (8/15, 9/15].
    expected = (abs(0.95 - 1) + abs(0.9 - 0) + abs(0.55 + 0.6 + 0.6 - 2)) / 5
    assert expected_calibration_error(confidence, right) == pytest.approx(expected)
    assert expected_calibration_error(np.array([1.0, 0.0]), np.array([True, False])) == 0
    assert np.isnan(expected_calibration_error(np.zeros(0), np.zeros(0, bool)))


def test_calibration_looks_at_scored_cells_and_allowed_roles() -> None:
    labelled = sheets(1)[0]
    both = np.uint16(1 << Role.ROW_HEADER_1 | 1 << Role.ROW_HEADER_2)
    targets = np.zeros(len(labelled.sheet), np.uint16)
    targets[:2] = both
    kept = np.zeros((len(targets), len(Role)), np.float32)
    kept[:, Role.ROW_HEADER_2] = 0.75
    kept[:, Role.VALUE] = 0.25
    table = calibration_table([(replace(labelled, targets=targets), kept)])
    assert table["ece"] == table["corpora"]["a"] == pytest.approx(0.25)


def test_the_pooled_matrix_counts_cells_and_empty_places() -> None:
    every = sheets(4)
    table = score_table([(labelled, labelled.roles) for labelled in every])
    assert set(table["corpora"]) == {"a", "b"}
    assert table["macro"] == table["accuracy"] == table["dev"] == 1
    assert table["cells"] == sum(part["cells"] for part in table["corpora"].values())
    assert table["support"]["empty"] > 0
    matrix = np.array(table["confusion"])
    matrix[Role.VALUE, Role.AGGREGATION] += 5
    found = matrix_scores(matrix)
    assert found["headline"] == headline_f1(matrix)
    assert found["macro"] == macro_f1(matrix)
    assert found["thirteen"] == pytest.approx(sum(found["per_class"].values()) / 13)
    assert found["ten"] == pytest.approx((found["headline"] * 11 - 1) / 10)


def test_a_run_reports_what_it_was_and_goes_on_from_its_last_epoch(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, folder = load_run(tiny), tmp_path / "run"
    report = run(config, "fold-2", folder)
    written = json.loads((folder / "report.json").read_text())
    assert written["split"] == "fold-2"
    assert written["seed"] == config.seed
    assert written["training"]["config"]["data"]["synthetic"] == 2
    assert written["model"]["architecture"] == "mlp"
    assert written["model"]["layers"] == 3
    assert written["model"]["parameters"] > 1000
    assert written["sheets"]["test"]["sheets"] == 2
    assert written["sheets"]["test"]["cells"] == sum(len(s.sheet) for s in SPLITS["fold-2"](sheets()).test)
    for way in ("raw", "decoded"):
        assert written[way]["macro"] == macro_f1(np.array(written[way]["confusion"])) == report[way]["macro"]
        assert set(written[way]["corpora"]) <= {"a", "b"}
    assert 0 <= written["calibration"]["ece"] <= 1
    (folder / "report.json").unlink()
    capsys.readouterr()
    run(replace(config, training=replace(config.training, epochs=2)), "fold-2", folder)
    assert [line.split()[1] for line in capsys.readouterr().out.splitlines() if line.startswith("epoch")] == ["2"]


def test_snapshots_become_checkpoints_of_low_and_mid_quality(tiny: Path, tmp_path: Path) -> None:
    config = load_run(tiny)
    config = replace(config, training=replace(config.training, snapshots=(2, 1), epochs=3))
    run(config, "fold-2", tmp_path / "runs" / "tiny" / "fold-2-seed-42")
    runs = checkpoints.best_runs(tmp_path / "runs")
    made = list(checkpoints.collect(runs, tmp_path / "out"))
    assert [path.name for path in made] == ["tiny-low", "tiny-mid", "tiny-high"]
    steps = [load_config(path).training["steps"] for path in made]
    assert steps[:2] == [1, 2]
    sheet = sheets(1)[0].sheet
    low, mid = (load_predictor(path).probabilities(sheet) for path in made[:2])
    assert np.abs(low - mid).max() > 1e-6
    lines = [line for line in listing([tmp_path / "out"]) if "tiny-" in line]
    assert len(lines) == 3
    assert all("macro 0." in line for line in lines)


def test_the_test_fold_neither_teaches_nor_chooses(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Sides] = []
    monkeypatch.setattr("train.run.fit_model", lambda config, sides, output, resume: seen.append(sides) or 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run(RunConfig(), "fold-1", tmp_path)
    assert not groups_of(seen[0].test) & groups_of(seen[0].train + seen[0].choose)


def test_a_grid_runs_once_and_then_is_skipped(
    faked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "runs"
    command = [str(tmp_path / "tiny.toml"), "--folds", "1,3", "--seeds", "1,2", "--output", str(output)]
    crossval.main(command)
    assert sorted(path.parent.name for path in output.glob("tiny/*/report.json")) == [
        f"fold-{fold}-seed-{seed}" for fold in (1, 3) for seed in (1, 2)
    ]
    said = capsys.readouterr().out
    assert "4 runs: 0 done before, 0 begun, 4 new" in said
    assert said.count("done: tiny fold-") == 4
    assert "epoch 3, 1.5 CPU min, dev 0.5000" in said
    monkeypatch.setattr(runner, "_start", lambda run: pytest.fail("a finished run was started"))
    crossval.main(command)
    assert "4 runs: 4 done before" in capsys.readouterr().out


def test_other_settings_in_a_folder_are_an_error(
    faked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [str(tmp_path / "tiny.toml"), "--folds", "1", "--seeds", "1", "--output", str(tmp_path / "runs")]
    crossval.main(command)
    with pytest.raises(SystemExit, match="2"):
        crossval.main([*command, "--epochs", "7"])
    assert "other settings (training.epochs: 1 there, 7 now)" in capsys.readouterr().err


def test_a_failing_run_is_named_and_the_others_go_on(
    faked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = faked.read_text()
    faked.write_text(f"import sys\nif 'fold-1' in sys.argv[1]: sys.exit('no corpus there')\n{text}")
    command = [str(tmp_path / "tiny.toml"), "--folds", "1,2", "--seeds", "1", "--output", str(tmp_path / "runs")]
    with pytest.raises(SystemExit, match="1"):
        crossval.main(command)
    said = capsys.readouterr()
    assert "FAILED (exit 1): tiny fold-1 seed 1: no corpus there" in said.out
    assert "done: tiny fold-2" in said.out
    assert "1 of 2 runs failed" in said.err


def test_a_stop_ends_the_processes(faked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    faked.write_text("import os, pathlib, sys, time\npathlib.Path(sys.argv[1], 'pid').write_text(str(os.getpid()))\n")
    faked.write_text(faked.read_text() + "time.sleep(60)\n")
    folder = tmp_path / "runs" / "tiny" / "fold-1-seed-1"
    timer = threading.Thread(target=lambda: (wait_for(folder / "pid"), os.kill(os.getpid(), signal.SIGINT)))
    timer.start()
    with pytest.raises(SystemExit, match="130"):
        crossval.main([str(tmp_path / "tiny.toml"), "--folds", "1", "--seeds", "1", "--output", str(tmp_path / "runs")])
    timer.join()
    assert "the same command goes on" in capsys.readouterr().err
    with pytest.raises(ProcessLookupError):
        os.kill(int((folder / "pid").read_text()), 0)


def wait_for(path: Path) -> None:
    while not (path.is_file() and path.read_text()):
        pass


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--folds", "6"], "folds are numbered 1 to 5, got 6"),
        (["--folds", "one"], "numbers parted by commas, got 'one'"),
        (["--jobs", "0"], "--jobs is at least 1"),
    ],
)
def test_wrong_usage_says_the_rule(
    arguments: list[str], message: str, tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        crossval.main([str(tiny), *arguments])
    assert message in capsys.readouterr().err


def test_a_run_stands_where_its_log_says(tmp_path: Path) -> None:
    one = Run(tmp_path, RunConfig(), "fold-1", tmp_path)
    assert (log_lines(one), standing(one)) == ([], "before its first epoch")
    (tmp_path / "log.txt").write_text("epoch   2    0.4 min  step 8  loss 0.5  dev 0.6100  a 0.6\nsome warning\n")
    assert standing(one) == "epoch 2, 0.4 CPU min, dev 0.6100"


def test_lists_of_numbers_take_one_line() -> None:
    report = {"confusion": [[1, 2], [3, 4]], "names": ["a", "b"], "share": 0.5}
    text = compact_json(report)
    assert json.loads(text) == report
    assert "[ 1, 2 ]" in text


@pytest.mark.slow
def test_a_process_trains_a_fold_of_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [[0, 0, "Year"], [0, 1, "Men"], [1, 0, "first"], [1, 1, 5.0], [2, 0, "second"], [2, 1, 7.0]]
    roles = ["row_header_1", "col_header_1", "row_header_1", "value", "row_header_1", "value"]
    record = {
        "cells": [[r, c, v, "n" if isinstance(v, float) else "s", {}] for r, c, v in rows],
        "roles": [[r, c, role] for (r, c, _), role in zip(rows, roles, strict=True)],
        "uncertain": [],
        "merges": [],
    }
    with gzip.open(tmp_path / "deco.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(record | {"id": f"book{i}.xlsx_S.csv"}) + "\n" for i in range(10))
    (tmp_path / "tiny.toml").write_text(TINY.replace("[data]", "[data]\ncorpora = ['deco']"))
    monkeypatch.setenv("CELLROLES_CORPORA", str(tmp_path))
    command = [sys.executable, "-m", "train.crossval", str(tmp_path / "tiny.toml"), "--folds", "1", "--seeds", "1"]
    done = subprocess.run(
        [*command, "--output", str(tmp_path / "runs")], capture_output=True, text=True, cwd=runner.ROOT, check=False
    )
    log = tmp_path / "runs" / "tiny" / "fold-1-seed-1" / "log.txt"
    assert done.returncode == 0, done.stdout + done.stderr + log.read_text()
    assert "done: tiny fold-1 seed 1, macro-F1" in done.stdout
