"""`cellroles label export` and `import`: files, messages and exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from chunkers.cli import app
from tests.books import book
from tests.label_copies import edited
from tests.test_cli import FirstRowHeads

ROWS = [["Name", "Role", "Age"], ["Ann", "Head", 51], ["Bob", "Clerk", 44]]


@pytest.fixture(autouse=True)
def predictor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunkers.workbook._predictor", lambda _: FirstRowHeads())
    monkeypatch.setattr("chunkers.workbook.require_checkpoint", lambda _: None)


def call(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["label", *(str(argument) for argument in arguments)])


def test_export_correct_import(tmp_path: Path) -> None:
    source, copy, labels = book(tmp_path / "a.xlsx", ROWS), tmp_path / "annotated.xlsx", tmp_path / "labels.json"
    result = call("export", source, "-o", copy)
    assert result.exit_code == 0 and result.stdout == ""
    assert result.stderr.splitlines()[0] == f"{source}: sheet 'Data': 9 cells, 0 to check"
    edited(copy, {("roles Data", "B2"): "junk", ("roles Data", "B3"): "junk", ("roles Data", "A1"): "header"})
    result = call("import", copy, "-o", labels)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines() == [
        f"{labels}: sheet 'Data': 3 of 9 cells corrected",
        "  2 value -> junk",
        "  1 col_header_1 -> header",
    ]
    record = json.loads(labels.read_text())
    assert list(record) == ["id", "file", "sheet", "tables", "rules", "tags", "questions"]
    assert ["B2:B3", "junk"] in record["rules"] and record["file"] == "a.xlsx"


def test_outputs_have_names_of_their_own_beside_the_inputs(tmp_path: Path) -> None:
    source = book(tmp_path / "a.xlsx", ROWS)
    assert call("export", source).exit_code == 0
    assert call("import", tmp_path / "a.roles.xlsx").exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.roles.labels.json", "a.roles.xlsx", "a.xlsx"]


def test_corrections_are_not_overwritten(tmp_path: Path) -> None:
    source = book(tmp_path / "a.xlsx", ROWS)
    assert call("export", source).exit_code == 0
    before = (tmp_path / "a.roles.xlsx").read_bytes()
    again = call("export", source)
    assert again.exit_code == 2 and "--force" in again.stderr and (tmp_path / "a.roles.xlsx").read_bytes() == before
    assert call("export", source, "--force", "--threshold", 1).exit_code == 0


def test_the_threshold_decides_what_is_marked(tmp_path: Path) -> None:
    source = book(tmp_path / "a.xlsx", ROWS)
    assert "9 cells, 0 to check" in call("export", source, "--threshold", 0).stderr
    assert call("export", source, "--threshold", 2).exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("export", "a.xlsx", "-o", "a.xlsx"), 2, "replace"),
        (("export", "a.xlsx", "-o", "b.ods"), 2, ".xlsx or .xlsm"),
        (("export", "a.xlsx", "--sheet", "Nix", "-o", "b.xlsx"), 1, "a.xlsx: no sheet named 'Nix'; there are Data"),
        (("export", "a.xlsx", "--segmenter", "Nix", "-o", "b.xlsx"), 2, "no segmenter named"),
        (("export", "missing.xlsx"), 1, "missing.xlsx: no such file"),
        (("export", "broken.xlsx"), 1, "broken.xlsx"),
        (("import", "missing.xlsx"), 1, "missing.xlsx: no such file"),
        (("import", "a.xlsx"), 1, "a.xlsx: the manifest is missing"),
        (("import", "a.xlsx", "-o", "labels.txt"), 2, "a .json file"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], status: int, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    book(tmp_path / "a.xlsx", ROWS)
    (tmp_path / "broken.xlsx").write_bytes(b"PK no zip")
    result = call(*arguments)
    assert result.exit_code == status and message in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.xlsx", "broken.xlsx"]


def test_problems_write_nothing_and_take_a_line_each(tmp_path: Path) -> None:
    source, copy = book(tmp_path / "a.xlsx", ROWS), tmp_path / "copy.xlsx"
    assert call("export", source, "-o", copy).exit_code == 0
    edited(copy, {("roles Data", "B2"): "name", ("roles Data", "C3"): None})
    result = call("import", copy, "-o", tmp_path / "labels.json")
    assert result.exit_code == 1 and result.stdout == "" and not (tmp_path / "labels.json").exists()
    first, second = result.stderr.splitlines()
    assert first.startswith(f"{copy}: sheet 'roles Data': B2: 'name' is no role")
    assert second == f"{copy}: sheet 'roles Data': C3: no role, but 'Data' has a value there"


def test_helps_have_examples() -> None:
    for command in ("export", "import"):
        assert f"cellroles label {command}" in " ".join(call(command, "--help").stdout.split())
