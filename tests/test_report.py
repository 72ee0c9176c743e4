"""Tables and figure from made-up reports of runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cellroles.sheet import Role
from train import report
from train.measure import matrix_scores
from train.reports import missing_runs, read_reports
from train.tables import class_table, mean_and_sd, row_of, size_table

PNG = b"\x89PNG"


def made_up(split: str, seed: int, wrong: int) -> dict[str, Any]:
    """A report on 100 values, of which `wrong` were taken for totals, and on 10 totals."""
    matrix = np.zeros((13, 13), np.int64)
    matrix[Role.VALUE, Role.VALUE], matrix[Role.VALUE, Role.AGGREGATION] = 100 - wrong, wrong
    matrix[Role.AGGREGATION, Role.AGGREGATION] = 10
    scores = {**matrix_scores(matrix), "dev": 0.5, "corpora": {}}
    return {
        "split": split,
        "seed": seed,
        "training": {"epochs": 3, "cpu_minutes": 1.5},
        "model": {"architecture": "gcn", "parameters": 784_000, "layers": 3, "depth": 7, "hidden": 256},
        "raw": scores,
        "decoded": scores,
        "calibration": {"ece": 0.1},
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, split, seed, wrong in (
        ("small", "fold-1", 42, 10),
        ("small", "fold-2", 42, 20),
        ("large", "fold-1", 42, 0),
        ("large", "fold-2", 42, 10),
    ):
        run = tmp_path / name / f"{split}-seed-{seed}"
        run.mkdir(parents=True)
        (run / "report.json").write_text(json.dumps(made_up(split, seed, wrong)))
    return tmp_path


def test_table_1_has_means_deviations_and_the_best_in_bold(folder: Path) -> None:
    table = class_table(read_reports(folder), "raw")
    assert table.head == ("class", "% cells", "large", "small")
    rows = {row[0]: row[1:] for row in table.rows}
    better, worse = 2 * 90 / (90 + 100), 2 * 80 / (80 + 100)
    assert rows["value"] == (
        "90.91",
        f"**{mean_and_sd([1.0, better])}**",
        mean_and_sd([better, worse]),
    )
    assert rows["runs"] == ("", "2", "2")
    assert rows["expected calibration error"] == ("", ".100 ± .000", ".100 ± .000")
    assert "header" not in rows
    assert "row_header_3" in table.notes[1]
    assert "| value | 90.91 | **" in table.markdown()


def test_a_mean_over_13_classes_counts_those_without_gold_cells_as_0(folder: Path) -> None:
    rows = {row[0]: row[2] for row in class_table(read_reports(folder), "decoded").rows}
    first, second = ((1 + 1) / 13, (2 * 90 / 190 + 2 * 10 / 30) / 13)
    assert rows["13 classes"].strip("*") == mean_and_sd([first, second])
    assert "expected calibration error" not in rows


def test_equal_bests_are_all_bold_and_absent_values_never() -> None:
    assert row_of("x", [[0.5], [0.5], []]) == ("x", "**.500**", "**.500**", "–")


def test_table_6_says_how_large_each_is(folder: Path) -> None:
    assert size_table(read_reports(folder)).rows[0] == ("large", "gcn", "3", "7", "784,000", "256", "3.0", "1.5")


def test_missing_runs_of_the_grid_are_listed(folder: Path) -> None:
    lines = missing_runs(read_reports(folder), ("fold-1", "fold-2", "fold-3"), (42, 7), ["gat", "small"])
    assert lines == [
        "gat: no run yet",
        "large: 4 of 6 missing: fold-1, fold-2 with seeds 7; fold-3 with seeds 42, 7",
        "small: 4 of 6 missing: fold-1, fold-2 with seeds 7; fold-3 with seeds 42, 7",
    ]


def test_the_command_writes_markdown_and_pictures(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = folder / "written"
    report.main([str(folder), "-o", str(output)])
    text = (output / "report.md").read_text()
    assert text in capsys.readouterr().out
    for heading in ("Table 1: F1 per class, best role per cell", "Figure 3", "Table 6", "Missing of the grid"):
        assert f"## {heading}" in text
    for name in ("table_1", "table_1_decoded", "figure_3", "table_6"):
        assert (output / f"{name}.png").read_bytes().startswith(PNG)


def test_a_folder_without_reports_says_how_to_make_some(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        report.main([str(tmp_path / "none")])
    assert "no finished run in" in (said := capsys.readouterr().err)
    assert "python -m train.crossval" in said


@pytest.mark.parametrize(("text", "reason"), [("{", "is no report of a run"), ("{}", "it needs split, seed, raw")])
def test_a_broken_report_is_named(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "gcn" / "fold-1-seed-42" / "report.json"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(ValueError, match=f"{path}.*{reason}"):
        read_reports(tmp_path)
