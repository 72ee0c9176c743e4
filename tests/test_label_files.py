"""Label files: rules over ranges and roles of cells, workbooks found again, and their use like a corpus."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cellroles.label.files import LabelFile, label_json, read_label_file, roles_of, rules_of
from cellroles.sheet import ROLE_LABELS, Role
from data.label_folders import load_label_folders
from data.splits import DEV_SHARE, split
from tests.books import Tab, book
from tests.builders import sheet_from_rows
from tests.oracle import SHARED, needs_shared
from train.config import load_run
from train.sides import Sides

ROWS = [["Name", "Q1"], ["North", 1], ["South", 2]]
RULES = (("A1:B1", "col_header_1"), ("A2:A3", "row_header_1"), ("B2:B3", "value"), ("B3", "aggregation"))


def label(folder: Path, name: str, file: str, rules: object = RULES, sheet: str = "Data") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    record = {"id": name, "file": file, "sheet": sheet, "tables": [], "rules": rules, "tags": [], "questions": []}
    path = folder / f"{name}.json"
    path.write_text(json.dumps(record), "utf-8")
    return path


@pytest.mark.parametrize("seed", range(30))
def test_rules_give_back_the_roles_they_were_made_of(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, 9, 2)
    rows = np.where(rng.random(shape) < 0.8, "x", "").tolist()
    sheet = sheet_from_rows(rows)
    roles = rng.choice([Role.VALUE, Role.HEADER, Role.EMPTY], len(sheet)).astype(np.uint8)
    rules = rules_of(sheet, roles)
    assert roles_of(rules, sheet).tolist() == roles.tolist()
    assert roles_of(rules[::-1], sheet).tolist() == roles.tolist()  # no two of them meet


def test_gaps_and_directions_need_few_rules() -> None:
    tall = sheet_from_rows([["h", "h", "h"], ["r", 1, ""], ["r", "", 2], ["r", 3, 4]])
    roles = np.where(tall.row == 0, Role.COL_HEADER_1, np.where(tall.col == 0, Role.ROW_HEADER_1, Role.VALUE))
    assert rules_of(tall, roles.astype(np.uint8)) == (
        *(("A1:C1", "col_header_1"), ("A2:A4", "row_header_1"), ("B2:B4", "value"), ("C3:C4", "value")),
    )
    wide = sheet_from_rows([["a", 1, 2, 3], ["", 1, 2, 3]])
    assert len(rules_of(wide, np.where(wide.row == 0, Role.VALUE, Role.AGGREGATION).astype(np.uint8))) == 2


def test_a_label_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    labels = LabelFile("1", "a.xlsx", "Ümläut", (("T1", "A1:B3"),), RULES, ("form",), ({"q": "?"},))
    (tmp_path / "1.json").write_text(label_json(labels), "utf-8")
    assert read_label_file(tmp_path / "1.json") == labels


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "no label file"),
        ("[]", "no label file"),
        ("{}", "a label file needs 'id'"),
        (
            '{"id": 1, "file": "a", "sheet": "b", "tables": [], "rules": [1], "tags": [], "questions": []}',
            "no label file",
        ),
    ],
)
def test_what_is_no_label_file_is_refused_by_name(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "1.json").write_text(text)
    with pytest.raises(ValueError, match=message) as caught:
        read_label_file(tmp_path / "1.json")
    assert str(tmp_path / "1.json") in str(caught.value)


def test_folders_of_label_files_are_labelled_sheets(tmp_path: Path) -> None:
    (tmp_path / "books").mkdir()
    book(tmp_path / "books" / "a.xlsx", ROWS)
    label(tmp_path / "set" / "labels", "1", "books/a.xlsx")
    label(tmp_path / "mine", "1", "../books/a.xlsx")
    label(tmp_path / "mine", "2", "../books/a.xlsx", [["A1", "header"]])
    (tmp_path / "mine" / "3.json").write_text('{"skipped": true}')
    first, *mine = load_label_folders([tmp_path / "set" / "labels", tmp_path / "mine"])
    assert first.source == "set" and [item.source for item in mine] == ["mine", "mine"]
    assert [ROLE_LABELS[role] for role in first.roles] == [
        *("col_header_1", "col_header_1", "row_header_1", "value", "row_header_1", "aggregation")
    ]
    assert first.targets.tolist() == [1 << int(role) for role in first.roles]
    assert mine[1].targets.tolist() == [1 << Role.HEADER, 0, 0, 0, 0, 0]
    assert first.group == mine[0].group == mine[1].group and first.group.startswith("labels/")
    assert not first.candidates >> Role.EMPTY & 1 and first.candidates >> Role.JUNK & 1


def test_hidden_cells_are_read_where_they_are_labelled(tmp_path: Path) -> None:
    book(tmp_path / "a.xlsx", Tab(ROWS, hidden="3"))
    label(tmp_path / "all", "1", "../a.xlsx")
    label(tmp_path / "shown", "1", "../a.xlsx", [["A1:B2", "value"]])
    everything, shown = load_label_folders([tmp_path / "all", tmp_path / "shown"])
    assert (len(everything.sheet), len(shown.sheet)) == (6, 4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"file": "../b.xlsx"}, "its workbook is at none of"),
        ({"sheet": "Dada"}, "has no sheet 'Dada'; there are Data"),
        ({"rules": [["A1", "title"]]}, "rule 'A1': 'title' is no role; there are value"),
        ({"rules": [["A", "value"]]}, "rule 'A': 'A' is no cell or range"),
        ({"rules": [["H9", "value"]]}, "no filled cell of"),
    ],
)
def test_labels_that_do_not_fit_name_the_file(tmp_path: Path, options: dict[str, object], message: str) -> None:
    book(tmp_path / "a.xlsx", ROWS)
    path = label(tmp_path / "mine", "1", **{"file": "../a.xlsx", **options})  # type: ignore[arg-type]
    with pytest.raises((ValueError, OSError), match=message) as caught:
        load_label_folders([tmp_path / "mine"])
    assert str(path) in str(caught.value)


def test_a_folder_without_label_files_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no label files \(\*.json\) in this folder"):
        load_label_folders([tmp_path])


def test_one_workbook_in_five_is_for_development_and_stays_there(tmp_path: Path) -> None:
    for number in range(60):
        book(tmp_path / f"{number}.xlsx", [*ROWS, ["West", number]])
        label(tmp_path / "mine", f"{number:02}", f"../{number}.xlsx")
    sides = {item.group: split(item) for item in load_label_folders([tmp_path / "mine"])}
    share = sum(side == "dev" for side in sides.values()) / len(sides)
    assert len(sides) == 60 and DEV_SHARE / 2 < share < 2 * DEV_SHARE


def test_a_configuration_names_label_folders_beside_corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from train import roles

    book(tmp_path / "a.xlsx", ROWS)
    label(tmp_path / "mine", "1", "../a.xlsx")
    (tmp_path / "run.toml").write_text(f'[data]\ncorpora = []\nlabel_folders = ["{tmp_path / "mine"}"]\n')
    config = load_run(tmp_path / "run.toml")

    seen: list[object] = []

    def none(sheets: list[object], held_out: object) -> Sides:
        seen.extend(sheets)
        return Sides([], [], [])

    monkeypatch.setattr(roles, "development_sides", none)
    with pytest.raises(ValueError, match="none of 1 labelled sheets is a development sheet"):
        roles.train(config, tmp_path / "run")
    assert len(seen) == 1


def test_evaluation_scores_on_label_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.test_cli import FirstRowHeads
    from train import evaluate

    book(tmp_path / "a.xlsx", ROWS)
    label(tmp_path / "mine", "1", "../a.xlsx", RULES[:3])
    monkeypatch.setattr(evaluate, "load_predictor", lambda _: FirstRowHeads())
    evaluate.main(["any", "--labels", str(tmp_path / "mine"), "--json"])
    report = json.loads(capsys.readouterr().out)
    assert report["raw"]["pooled"]["accuracy"] == 1.0 and report["raw"]["pooled"]["cells"] == 6
    assert list(report["raw"]["corpora"]) == ["mine"]
    with pytest.raises(SystemExit, match="2"):
        evaluate.main(["any", "--labels", str(tmp_path / "nothing")])


@pytest.mark.shared
@needs_shared
def test_the_external_scorer_reads_our_label_files(tmp_path: Path) -> None:
    (tmp_path / "books").mkdir()
    book(tmp_path / "books" / "a.xlsx", ROWS)
    path = label(tmp_path / "set" / "labels", "1", "books/a.xlsx")
    (labelled,) = load_label_folders([path.parent])
    cells = [[labelled.sheet.ref(i), ROLE_LABELS[role], 1.0] for i, role in enumerate(labelled.roles)]
    record = {"workbook": str(tmp_path / "books" / "a.xlsx"), "sheet": "Data", "cells": cells}
    (tmp_path / "roles.jsonl").write_text(json.dumps(record))
    (tmp_path / "chunks.jsonl").write_text("")
    outputs = (tmp_path / "roles.jsonl", tmp_path / "chunks.jsonl")
    command = [sys.executable, SHARED / "tools" / "score_gold.py", tmp_path / "set", *outputs]
    score = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert score["sheets_missing"] == [] and set(score["per_class"].values()) == {1.0}
