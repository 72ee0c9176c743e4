"""The table of left-out corpora from made-up reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from train import held_out, runner
from train.held_out import held_out_table
from train.runner import Run


def made_up(fold: str, seed: int, raw: dict[str, float]) -> dict[str, Any]:
    return {
        "split": f"held-out-{fold}",
        "seed": seed,
        "model": {},
        "raw": {"dev_parts": raw},
        "decoded": {"dev_parts": {corpus: value + 0.1 for corpus, value in raw.items()}},
        "paths": {corpus: [0.9, 0.6, 0.5] for corpus in raw},
    }


A, B = {"statsheets": 0.4, "deco": 0.6}, {"troy200": 0.7, "saus": 0.8, "aitqa": 0.9}


def test_a_row_per_corpus_and_means_of_folds_and_of_all() -> None:
    table = held_out_table({"gat": [made_up("A", 42, A), made_up("B", 42, B)]})
    rows = {row[1]: row[2:] for row in table.rows}
    assert rows["statsheets"] == (".400", ".500", ".900", ".600", ".500")
    assert rows["mean A"][:2] == (".500", ".600")
    assert rows["mean B"][:2] == (".800", ".900")
    assert rows["mean"][0] == ".680"


def test_seeds_are_paired_and_means_need_all_corpora() -> None:
    runs = [made_up("A", 1, A), made_up("A", 2, {"statsheets": 0.6, "deco": 0.8}), made_up("B", 2, B)]
    rows = {row[1]: row[2] for row in held_out_table({"gat": runs}).rows}
    assert rows["mean A"] == ".600 ± .141"
    assert rows["mean"] == f"{(0.6 + 0.8 + 0.7 + 0.8 + 0.9) / 5:.3f}"[1:]
    assert "mean" not in {row[1] for row in held_out_table({"gat": runs[:2]}).rows}


def test_the_command_makes_both_runs_and_writes_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for fold, values in (("A", A), ("B", B)):
        (tmp_path / f"held-out-{fold}.json").write_text(json.dumps(made_up(fold, 42, values)))
    command = property(lambda run: ["cp", str(tmp_path / f"{run.split}.json"), str(run.folder / "report.json")])
    monkeypatch.setattr(Run, "command", command)
    monkeypatch.setattr(runner, "POLL_SECONDS", 0.02)
    (tmp_path / "tiny.toml").write_text("")
    held_out.main([str(tmp_path / "tiny.toml"), "--output", str(tmp_path / "runs")])
    written = (tmp_path / "runs" / "held_out.md").read_text()
    assert written in capsys.readouterr().out
    assert "| tiny | mean | .680 | .780 | .900 | .600 | .500 |" in written
