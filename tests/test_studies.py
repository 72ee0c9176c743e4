"""The studies of comparisons, on three small workbooks."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from cellroles.checkpoint import BUNDLED, CONFIG
from cellroles.sheet import Role
from chunkers.compare import run as running
from chunkers.compare.files import write_files
from chunkers.compare.methods import parse_methods
from chunkers.compare.progress import Lines
from chunkers.compare.results import paired_difference
from chunkers.compare.run import Options
from tests.compared import corpus
from train.studies import role_ablation, role_quality, structure
from train.studies.comparison import mean_of, read_results
from train.studies.fits import draw_fits, fit


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The workbooks, which are read in this process."""
    monkeypatch.setattr("chunkers.parts._source_files", list)
    monkeypatch.setattr(running, "build", lambda making, sources, jobs, advance: map(making, sources))
    return corpus(tmp_path)


def arguments(folder: Path, *more: object) -> list[str]:
    given = ["--corpus", folder / "books", "--questions", folder / "questions.jsonl", "-o", folder / "out", *more]
    return list(map(str, given))


def rows_of(path: Path) -> dict[str, dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return {next(iter(row.values())): row for row in csv.DictReader(lines)}


def test_ablation_tells_what_is_lost_without_each_role(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    role_ablation.main(arguments(folder, "--labels", folder / "set" / "labels"))
    rows = rows_of(folder / "out" / "role_ablation.csv")
    assert set(rows) == {"none (score)", *(role.label for role in role_ablation.ROLES)}
    assert rows["none (score)"]["association"] == "1.000"
    assert float(rows["col_header_2"]["association"].split()[0]) == pytest.approx(2 / 3, abs=1e-3)
    assert rows["aggregation"]["association"].startswith("+0.000 (1.00)")
    text = (folder / "out" / "role_ablation.md").read_text("utf-8")
    assert text.startswith("## Table 4") and text in capsys.readouterr().out
    losses = [float(row["completeness"].split()[0]) for row in list(rows.values())[1:]]
    assert losses == sorted(losses, reverse=True)


def test_only_a_role_in_the_labels_is_ablated_and_no_value() -> None:
    assert Role.VALUE not in role_ablation.ROLES and Role.EMPTY not in role_ablation.ROLES
    assert [method.demoted for method in role_ablation.methods()] == [None, *role_ablation.ROLES]


@pytest.fixture
def checkpoints(tmp_path: Path) -> Path:
    """Three copies of the bundled checkpoint that say different scores, and one that says none."""
    for name, macro in (("a-low", 0.5), ("a-mid", 0.7), ("a-high", 0.8), ("a-none", None)):
        target = tmp_path / "checkpoints" / name
        shutil.copytree(BUNDLED / "default", target)
        config = json.loads((target / CONFIG).read_text("utf-8"))
        config["scores"] = {"decoded": {"macro": macro}} if macro else {}
        (target / CONFIG).write_text(json.dumps(config), "utf-8")
    return tmp_path / "checkpoints"


def test_quality_by_the_scores_of_checkpoints(folder: Path, checkpoints: Path) -> None:
    role_quality.main(arguments(folder, "--checkpoints", checkpoints))
    fits = rows_of(folder / "out" / "role_quality.csv")
    assert fits["recall@5"]["slope ± standard error"] == "+0.000 ± 0.000" and fits["recall@5"]["p"] == "1.00"
    assert "labelled roles" not in fits["recall@5"]
    points = rows_of(folder / "out" / "role_quality_2.csv")
    assert [(name, row["macro-F1"]) for name, row in points.items()] == [
        ("a-low", "0.500"),
        ("a-mid", "0.700"),
        ("a-high", "0.800"),
        ("a-none", "–"),
        ("default", "–"),
    ]
    assert "from its config.json" in (folder / "out" / "role_quality.md").read_text("utf-8")
    assert (folder / "out" / "role_quality.png").read_bytes()[:4] == b"\x89PNG"
    assert "<svg" in (folder / "out" / "role_quality.svg").read_text("utf-8")


def test_quality_by_labels_shows_the_ceiling(folder: Path, checkpoints: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = role_quality.label_macros(["default"], folder / "set" / "labels")
    assert 0 < (real["default"] or 0) <= 1
    monkeypatch.setattr(
        role_quality, "label_macros", lambda names, _: {name: 0.5 + 0.1 * k for k, name in enumerate(names)}
    )
    role_quality.main(arguments(folder, "--checkpoints", checkpoints, "--labels", folder / "set" / "labels"))
    assert rows_of(folder / "out" / "role_quality.csv")["exact paths"]["labelled roles"] == "1.000"
    last = list(rows_of(folder / "out" / "role_quality_2.csv").values())[-1]
    assert (last["checkpoint"], last["macro-F1"]) == ("labelled roles", "1.000")
    assert "measured on the label files" in (folder / "out" / "role_quality.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("chosen", "complaint"),
    [
        (["nowhere"], "no checkpoint"),
        (["checkpoints/a-low"], "a fit needs 3 checkpoints"),
        (["books"], "no checkpoint"),
    ],
)
def test_what_quality_cannot_be_fitted_to(
    folder: Path, checkpoints: Path, capsys: pytest.CaptureFixture[str], chosen: list[str], complaint: str
) -> None:
    with pytest.raises(SystemExit) as stopped:
        role_quality.main(arguments(folder, "--checkpoints", *(folder / name for name in chosen)))
    assert stopped.value.code == 2 and complaint in capsys.readouterr().err


def test_fits_are_ordinary_least_squares() -> None:
    x, y = np.array([0.5, 0.6, 0.8, 0.9]), np.array([0.1, 0.3, 0.4, 0.65])
    line = fit(x.tolist(), y.tolist())
    design = np.stack([x, np.ones(4)], axis=1)
    (slope, intercept), residuals, *_ = np.linalg.lstsq(design, y, rcond=None)
    assert (line.slope, line.intercept) == pytest.approx((slope, intercept))
    assert line.error == pytest.approx(np.sqrt(residuals[0] / 2 / ((x - x.mean()) ** 2).sum()))
    assert line.r2 == pytest.approx(1 - residuals[0] / ((y - y.mean()) ** 2).sum())
    assert 0 < line.p < 0.1
    flat = fit([0.5, 0.6, 0.8], [0.3, 0.3, 0.3])
    assert (flat.slope, flat.intercept, flat.p) == (0, 0.3, 1)


def test_the_figure_takes_any_number_of_panels(tmp_path: Path) -> None:
    line = fit([0.5, 0.6, 0.8], [0.1, 0.3, 0.4])
    for count in (1, 4, 5):
        names = [f"score {k}" for k in range(count)]
        points = {f"c{k}": (0.5 + k / 10, dict.fromkeys(names, 0.2 * k)) for k in range(3)}
        drawn = draw_fits(points, dict.fromkeys(names, line), dict.fromkeys(names, 1.0), tmp_path / f"f{count}")
        assert [path.suffix for path in drawn] == [".png", ".svg"]
        assert all(path.stat().st_size > 5_000 for path in drawn)


@pytest.fixture
def results(folder: Path) -> Iterator[Path]:
    """The results of a comparison as a file."""
    methods = tuple(parse_methods("row,flat,stc,row@gold"))
    options = Options(
        folder / "books",
        folder / "questions.jsonl",
        methods,
        folder / "run",
        index="bm25",
        labels=folder / "set" / "labels",
    )
    found = running.compare(options, Lines())
    yield write_files(found, folder / "run")[0]
    again = read_results(folder / "run" / "results.json")
    assert again.rows == found.rows and again.differences == found.differences


def test_tables_by_structure(folder: Path, results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    structure.main(["--results", str(results), "-o", str(folder / "tables")])
    text = (folder / "tables" / "structure.md").read_text("utf-8")
    assert text in capsys.readouterr().out and text.count("## Table 3") == text.count("## Table 5") == 3
    found = read_results(results)
    (row,) = [
        row for row in structure.gain_table(found, "association", "stc", ["row"], "row@gold").rows if row[0] == "nested"
    ]
    assert (row[:3], row[4]) == (("nested", "2", "0.000"), "1.000") and row[5] == "+1.000"
    assert structure.structures(found) == ["flat", "nested", "all"]
    three = structure.assembly_table(found, "recall@5", ["row", "stc"])
    assert [row[0] for row in three.rows] == ["flat", "nested", "All questions"]
    assert any(cell.startswith("**") for cell in three.rows[-1])
    gap = paired_difference(found.methods[3], found.methods[2], found.questions, "association", "nested")
    assert gap and (gap.mean, gap.n) == (1, 2) and mean_of(found, "row@gold", "association", "nested") == 1


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (["--baseline", "recursive"], "no method 'recursive' in these results; there are row, flat, stc, row@gold"),
        (["--ours", "kg"], "no method 'kg'"),
        (["--measure", "beauty"], "none of beauty is in these results"),
    ],
)
def test_what_structure_does_not_find(
    folder: Path, results: Path, capsys: pytest.CaptureFixture[str], more: list[str], complaint: str
) -> None:
    with pytest.raises(SystemExit):
        structure.main(["--results", str(results), "-o", str(folder / "tables"), *more])
    assert complaint in capsys.readouterr().err


def test_another_file_is_no_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "results.json").write_text("{}")
    with pytest.raises(SystemExit):
        structure.main(["--results", str(tmp_path / "results.json"), "-o", str(tmp_path)])
    assert "no results of a comparison" in capsys.readouterr().err
