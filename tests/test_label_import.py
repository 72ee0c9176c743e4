"""A corrected copy back into label files: what was corrected, and every way in which a copy can be wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from cellroles.label.corrected import read_corrected
from cellroles.label.problems import MOST, LabelProblems
from cellroles.label.write import write_labels
from tests.books import Tab, book
from tests.label_copies import changed, edited, exported

ROWS = [["Name", "Q1", "Q2"], ["North", 1, 2.5], ["South", 3, "n/a"]]
ROLES, TABLES = "roles Data", "cellroles tables"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return exported(book(tmp_path / "a.xlsx", Tab(ROWS, merges="A5:B5")))[0]


def problems(path: Path, **options: object) -> list[str]:
    with pytest.raises(LabelProblems) as caught:
        read_corrected(path, **options)  # type: ignore[arg-type]
    assert all(line.startswith(f"{path}: ") for line in caught.value.lines)
    return [line.removeprefix(f"{path}: ") for line in caught.value.lines]


def test_an_untouched_copy_gives_the_predicted_roles_and_tables(copy: Path) -> None:
    (found,) = read_corrected(copy)
    assert not found.corrections() and found.cells == 9 and found.tables == (("T1", "A1:C3"),) == found.predicted_tables
    (path,) = write_labels([found], copy.with_name("labels.json"))
    assert json.loads(path.read_text()) == {
        "id": "labels",
        "file": "a.xlsx",
        "sheet": "Data",
        "tables": [{"id": "T1", "range": "A1:C3"}],
        "rules": [["A1:C1", "col_header_1"], ["A2:A3", "row_header_1"], ["B2:C3", "value"]],
        "tags": [],
        "questions": [],
    }


def test_corrections_are_counted_by_pair_and_written(copy: Path) -> None:
    edited(
        copy,
        {
            (ROLES, "B2"): "aggregation",
            (ROLES, "B3"): " Aggregation ",
            (ROLES, "A1"): "header",
            (TABLES, "C2"): "A1:C2",
        },
    )
    (found,) = read_corrected(copy)
    assert found.corrections() == {("value", "aggregation"): 2, ("col_header_1", "header"): 1}
    assert found.tables == (("T1", "A1:C2"),)
    (path,) = write_labels([found], copy.with_name("labels.json"))
    assert json.loads(path.read_text())["rules"] == [
        *(["A1", "header"], ["B1:C1", "col_header_1"], ["A2:A3", "row_header_1"]),
        *(["B2:B3", "aggregation"], ["C2:C3", "value"]),
    ]


def test_every_sheet_gets_a_file_and_hidden_cells_get_no_label(tmp_path: Path) -> None:
    copy, _ = exported(book(tmp_path / "a.xlsx", Tab(ROWS, hidden="3"), Tab([], name="Empty"), Tab(ROWS, name="More")))
    found = read_corrected(copy)
    assert [(item.sheet.name, item.cells, len(item.sheet)) for item in found] == [("Data", 6, 9), ("More", 9, 9)]
    paths = write_labels(found, tmp_path / "labels" / "x.json")
    assert [path.name for path in paths] == ["x.json", "x-2.json"]
    first, second = (json.loads(path.read_text()) for path in paths)
    assert first["rules"] == [["A1:C1", "col_header_1"], ["A2", "row_header_1"], ["B2:C2", "value"]]
    assert (first["file"], second["id"], second["sheet"]) == (f"{tmp_path.name}/a.xlsx", "x-2", "More")


def test_names_of_sheets_may_end_in_a_blank(tmp_path: Path) -> None:
    copy, _ = exported(book(tmp_path / "a.xlsx", Tab(ROWS, name="Data ")))
    assert read_corrected(copy)[0].tables == (("T1", "A1:C3"),)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {(ROLES, "B2"): "aggregate"},
            "sheet 'roles Data': B2: 'aggregate' is no role of a filled cell; did you mean agg",
        ),
        ({(ROLES, "B2"): "?"}, "sheet 'roles Data': B2: '?' is no role of a filled cell; there are value, aggregation"),
        ({(ROLES, "B2"): "empty"}, "sheet 'roles Data': B2: 'empty' is no role of a filled cell"),
        ({(ROLES, "B2"): None}, "sheet 'roles Data': B2: no role, but 'Data' has a value there"),
        ({(ROLES, "D2"): "value"}, "sheet 'roles Data': D2: a role (value), but that cell is empty"),
        ({(ROLES, "B5"): "value"}, "sheet 'roles Data': B5: a role (value), but a merge covers that cell"),
        ({("Data", "B2"): 7}, "sheet 'Data': B2 content has changed since the export, from '1' to '7'"),
        ({("Data", "A3"): "Sued"}, "sheet 'Data': A3 content has changed since the export, from 'South' to 'Sued'"),
        ({("Data", "A3"): None}, "sheet 'Data': A3 is empty, but was filled when exported"),
        ({("Data", "E1"): "x"}, "sheet 'Data': E1 is filled, but was empty when exported"),
        ({(TABLES, "B2"): "first"}, "sheet 'cellroles tables': row 2: the table id 'first' is no number"),
        ({(TABLES, "B2"): None}, "sheet 'cellroles tables': row 2: the table id '' is no number"),
        ({(TABLES, "C2"): "A1-C3"}, "sheet 'cellroles tables': row 2: 'A1-C3' is no range"),
        (
            {(TABLES, "A2"): "Dada"},
            "sheet 'cellroles tables': row 2: no labelled sheet is called 'Dada'; there are 'Data'",
        ),
        (
            {(TABLES, f"{col}3"): text for col, text in zip("ABC", ("Data", 1, "E1:F2"), strict=True)},
            "sheet 'cellroles tables': row 3: table T1 of 'Data' is there twice",
        ),
        (
            {(TABLES, f"{col}3"): text for col, text in zip("ABC", ("Data", "T2", "C3:F9"), strict=True)},
            "sheet 'cellroles tables': row 3: table T2 (C3:F9) overlaps T1 (A1:C3)",
        ),
    ],
)
def test_one_problem_is_one_line_with_sheet_and_cell(
    copy: Path, values: dict[tuple[str, str], object], message: str
) -> None:
    (line,) = problems(edited(copy, values))
    assert line.startswith(message)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda book: book.remove(book["cellroles manifest"]), "the manifest is missing"),
        (
            lambda book: book["cellroles manifest"].__setitem__("A2", "x"),
            "sheet 'cellroles manifest': its manifest is dam",
        ),
        (lambda book: book.remove(book["Data"]), "sheet 'Data' is missing; it was there when exported"),
        (lambda book: book.remove(book[ROLES]), "sheet 'roles Data' is missing; it holds the roles of 'Data'"),
        (lambda book: book.remove(book[TABLES]), "sheet 'cellroles tables' is missing; it lists the tables"),
    ],
)
def test_missing_sheets_are_named(copy: Path, change: Callable[[openpyxl.Workbook], object], message: str) -> None:
    (line,) = problems(changed(copy, change))
    assert line.startswith(message)


def test_all_problems_are_listed_of_many_the_first(copy: Path) -> None:
    edited(copy, {(ROLES, "B2"): "x", (TABLES, "C2"): "x", ("Data", "B2"): 9, (ROLES, "C3"): None})
    assert [line.partition(":")[0] for line in problems(copy)] == [
        *("sheet 'cellroles tables'", "sheet 'Data'", "sheet 'roles Data'", "sheet 'roles Data'")
    ]
    lines = problems(changed(copy, lambda book: book["Data"].insert_rows(1, 30)))
    assert len(lines) == MOST + 1 and lines[-1].endswith("more problems")


def test_changes_can_be_accepted_but_never_wrong_roles(copy: Path) -> None:
    edited(copy, {("Data", "B2"): 9, ("Data", "A3"): None})
    assert len(problems(copy)) == 2
    assert [item.cells for item in read_corrected(copy, accept_changes=True)] == [9]
    edited(copy, {(ROLES, "B2"): "x"})
    assert len(problems(copy, accept_changes=True)) == 1


def test_roles_of_hidden_cells_are_refused_with_the_reason(tmp_path: Path) -> None:
    copy, _ = exported(book(tmp_path / "a.xlsx", Tab(ROWS, hidden="3")))
    (line,) = problems(edited(copy, {(ROLES, "B3"): "value"}))
    assert line.endswith("that cell is hidden and was not exported (--include-hidden)")


def test_the_source_is_found_beside_or_told_and_has_to_be_the_same(copy: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere" / "b.xlsx"
    moved.parent.mkdir()
    (tmp_path / "a.xlsx").rename(moved)
    assert "its source is not at" in problems(copy)[0] and "--source" in problems(copy)[0]
    assert len(read_corrected(copy, moved)) == 1
    copy.rename(tmp_path / "elsewhere" / "copy.xlsx")
    moved.rename(moved.with_name("a.xlsx"))
    assert len(read_corrected(tmp_path / "elsewhere" / "copy.xlsx")) == 1
    book(tmp_path / "elsewhere" / "a.xlsx", ROWS[:2])
    assert (
        "is not the workbook that was exported, or has changed since" in problems(tmp_path / "elsewhere/copy.xlsx")[0]
    )


def test_formula_results_white_space_and_the_last_digits_may_differ(tmp_path: Path) -> None:
    rows = [["Name", "a  b\nc"], ["x", 0.1 + 0.2], ["y", "=1+1"]]
    copy, _ = exported(book(tmp_path / "a.xlsx", rows))
    edited(copy, {("Data", "B1"): "a b c", ("Data", "B2"): 0.3, ("Data", "B3"): "=2"})
    assert len(read_corrected(copy)) == 1
    assert len(problems(edited(copy, {("Data", "B2"): 0.3001}))) == 1
