"""What users of spreadsheet loaders ask for, part 2: chunks that lose, repeat and cut nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cellroles.errors import WorkbookError
from chunkers import chunk_workbook
from chunkers.cli import app
from tests.books import Rows, Tab, book, chunks_of, labels, owned, owner, records

STAFF: Rows = [["Name", "Age", "City"], *([f"Person {k}", 20 + k, f"Town {k}"] for k in range(8))]
REGIONS = Tab(
    [
        ["Region", "City", "Pop"],
        *(["North" if not k else None, f"Town {k}", 700 + k] for k in range(6)),
        ["South", "Rome", 3],
    ],
    "A2:A7",
)


def filled(rows: Rows) -> list[str]:
    return sorted(f"{'ABCDEFGHI'[c]}{r}" for r, row in enumerate(rows, 1) for c, v in enumerate(row) if v is not None)


SPARSE: Rows = [["a", "b", None], ["c", None, None], [None, None, "foo"], [None, None, "bar"]]
CONCAVE: Rows = [
    ["a", "b", "c", "d", "e"],
    ["f", None, None, None, "g"],
    ["h", None, "inner", None, "i"],
    ["j", None, None, None, "k"],
    ["l", "m", "n", "o", "p"],
]


@pytest.mark.parametrize("rows", [SPARSE, CONCAVE])
@pytest.mark.parametrize("chunker", ["row", "record", "stc"])
def test_04_each_cell_of_a_sparse_or_concave_table_comes_once(tmp_path: Path, rows: Rows, chunker: str) -> None:
    chunks = chunks_of(tmp_path, rows, chunker=chunker)
    assert sorted(owned(chunks)) == filled(rows)
    words = Counter(word.strip(":;|>") for chunk in chunks for word in chunk.text.split())
    assert words["foo"] + words["inner"] == 1


def test_05_one_sheet_can_be_chosen(tmp_path: Path) -> None:
    tabs = Tab(STAFF, name="Staff"), Tab([["Code", "Price"], ["X1", 9.5]], name="Prices")
    assert {chunk.sheet for chunk in chunks_of(tmp_path, *tabs, sheets=["Prices"])} == {"Prices"}
    with pytest.raises(WorkbookError, match=r"book\.xlsx: no sheet named 'Stock'; there are Staff, Prices"):
        chunks_of(tmp_path, *tabs, sheets=["Stock"])
    result = CliRunner().invoke(app, ["chunk", str(tmp_path / "book.xlsx"), "--sheet", "Staff"])
    assert {json.loads(line)["sheet"] for line in result.stdout.splitlines()} == {"Staff"}


def test_09_one_line_per_record_with_all_headers(tmp_path: Path) -> None:
    chunks = chunks_of(tmp_path, [["Name", "Age", "City"], ["Ann", 31, "Oslo"], ["Bob", 44, "Rome"]])
    assert records(chunks)[0].text.splitlines()[1:] == [
        "Name: Ann; Age: 31; City: Oslo",
        "Name: Bob; Age: 44; City: Rome",
    ]


@pytest.mark.parametrize("chunker", ["row", "record", "stc"])
def test_10_every_chunk_of_a_split_table_has_the_headers(tmp_path: Path, chunker: str) -> None:
    parts = records(chunks_of(tmp_path, STAFF, chunker=chunker, max_tokens=40))
    assert len(parts) >= 4
    assert all("Age: 2" in chunk.text and "City: Town" in chunk.text for chunk in parts)


@pytest.mark.parametrize("chunker", ["row", "record", "stc"])
def test_10_headers_need_not_be_repeated(tmp_path: Path, chunker: str) -> None:
    chunks = chunks_of(tmp_path, STAFF, chunker=chunker, max_tokens=40, repeat_headers=False)
    assert not any("Age" in chunk.text or "City" in chunk.text for chunk in records(chunks))
    assert "Person 3; 23; Town 3" in owner(chunks, "C5").text.replace(":", ";")
    assert owned(chunks)["C5"].col_path == ("City",)


def test_10_nested_headers_need_not_be_repeated(tmp_path: Path) -> None:
    rows = [[None, "2023", None], ["Region", "Q1", "Q2"], ["North", 10, 12], ["South", 20, 21]]
    chunks = chunks_of(tmp_path, Tab(rows, "B1:C1"), repeat_headers=False)
    head, north, _ = chunks
    assert north.text == "Sheet: Data\nNorth: 10; 12" and north.parent_id == head.id
    assert head.text == "Sheet: Data\nRows by: Region\n2023\n  Q1; Q2"
    assert owned(chunks)["C3"].col_path == ("2023", "Q2")


def test_11_a_table_of_one_column_is_emitted(tmp_path: Path) -> None:
    rows = [[name] for name in ["Fruit", "Apple", "Pear", "Plum", "Cherry", "Quince", "Grape"]]
    chunks = chunks_of(tmp_path, rows)
    assert sorted(owned(chunks)) == filled(rows)
    assert all(any(name in chunk.text for chunk in chunks) for (name,) in rows)


@pytest.mark.parametrize("chunker", ["row", "record", "stc"])
def test_11_30_a_header_row_alone_is_emitted(tmp_path: Path, chunker: str) -> None:
    (chunk,) = chunks_of(tmp_path, [["Name", "Age, years", "City"]], chunker=chunker)
    assert chunk.kind == "text" and sorted(owned([chunk])) == ["A1", "B1", "C1"]
    assert all(name in chunk.text for name in ("Name", "Age, years", "City"))


def test_14_a_row_with_a_lone_value_stays_in_its_table(tmp_path: Path) -> None:
    rows = [
        ["Item", "Qty", "Price"],
        ["Apple", 3, 1.5],
        [None, None, None],
        ["Pear", 4, 2.5],
        ["Plum"],
        ["Fig", 5, 3.5],
    ]
    chunks = chunks_of(tmp_path, rows, gap_tolerance=1)
    assert {chunk.region for chunk in chunks} == {"A1:C6"}
    assert sorted(owned(chunks)) == filled(rows)


def test_15_a_last_row_narrower_than_its_table_loses_nothing(tmp_path: Path) -> None:
    rows = [["Item", "Qty", "Price"], ["Apple", 3, 1.5], ["Pear", 4, 2.5], [None, "checked by Ann", None]]
    chunks = chunks_of(tmp_path, rows)
    assert sorted(owned(chunks)) == filled(rows)
    assert any("checked by Ann" in chunk.text for chunk in chunks)


def test_16_a_chunk_says_its_own_rows_and_no_others(tmp_path: Path) -> None:
    for chunk in records(chunks_of(tmp_path, STAFF, max_tokens=40)):
        own = {cell.text for cell in chunk.cells if cell.text.startswith("Person")}
        assert own == {f"Person {k}" for k in range(8) if f"Person {k}" in chunk.context}


@pytest.mark.parametrize("chunker", ["row", "record", "stc"])
def test_17_no_record_chunk_is_a_header_alone(tmp_path: Path, chunker: str) -> None:
    parts = records(chunks_of(tmp_path, STAFF[:4], chunker=chunker, max_tokens=24))
    assert len(parts) >= 3
    assert all(any(cell.owner and cell.ref[0] in "BC" and cell.ref[1:] != "1" for cell in part.cells) for part in parts)
    assert all("Name: Person" in part.text for part in parts)


def test_18_29_sheet_and_a1_range_are_in_the_record(tmp_path: Path) -> None:
    path = book(tmp_path / "book.xlsx", Tab(STAFF, name="Staff"), Tab([["Code", "Price"], ["X1", 9.5]], name="Prices"))
    result = CliRunner().invoke(app, ["chunk", str(path), "--chunker", "record"])
    said = [json.loads(line) for line in result.stdout.splitlines()]
    rows = [(part["sheet"], part["region"], part["range"]) for part in said if part["kind"] == "row"]
    assert rows == [*(("Staff", "A1:C9", f"A{row}:C{row}") for row in range(2, 10)), ("Prices", "A1:B2", "A2:B2")]


def test_19_blanks_are_pruned_and_not_named(tmp_path: Path) -> None:
    rows = [["Stock list"], [], ["Item", None, "Qty"], ["Apple", "red", 3], [None, None, None], ["Pear", None, 4]]
    chunks = chunks_of(tmp_path, rows)
    text = "\n".join(chunk.context for chunk in chunks)
    assert not any(word in text for word in ("Unnamed", "NaN", "nan", "None", "\n\n"))
    assert sorted(owned(chunks)) == filled(rows)


def test_20_a_blank_cell_is_not_written(tmp_path: Path) -> None:
    chunks = chunks_of(tmp_path, [["Name", "Age", "City"], ["Ann", None, "Oslo"], ["Bob", 44, "Rome"]])
    assert "Name: Ann; City: Oslo\n" in owner(chunks, "C2").text
    assert "B2" not in owned(chunks)


def test_26_a_finance_sheet_has_its_headers_and_units_in_each_chunk(tmp_path: Path) -> None:
    head = [["Income statement"], ["EUR million"], [], [None, "2023", None, "2024", None]]
    rows = [*head, ["Item", *(["Plan", "Actual"] * 2)], *([f"Cost {k}", k, k + 1, k + 2, k + 3] for k in range(30))]
    chunks = chunks_of(tmp_path, Tab(rows, "B4:C4 D4:E4"), max_tokens=64)
    parts = records(chunks)
    assert len(parts) == 30
    for part in parts:
        assert all(word in part.text for word in ("Income statement", "EUR million", "2023: Plan", "2024: Plan"))


def test_29_the_sheet_is_named_in_the_text(tmp_path: Path) -> None:
    chunks = chunks_of(tmp_path, Tab(STAFF, name="Staff"), Tab([["Code", "Price"], ["X1", 9.5]], name="Prices"))
    assert all(chunk.text.startswith(f"Sheet: {chunk.sheet}") for chunk in chunks)
    assert [chunk.sheet for chunk in records(chunks)] == ["Staff", "Prices"]


def test_30_punctuation_of_texts_survives(tmp_path: Path) -> None:
    odd = "a; b: c > d | e, \"f\" 'g' (h) – 100 %"
    chunks = chunks_of(tmp_path, [["Name", "Remark"], ["Ann", odd], ["Bob", "none"]])
    assert owned(chunks)["B2"].text == odd and odd in owner(chunks, "B2").text


def test_33_one_chunk_per_row_on_request(tmp_path: Path) -> None:
    parts = records(chunks_of(tmp_path, STAFF[:4], chunker="record"))
    assert [part.range for part in parts] == ["A2:C2", "A3:C3", "A4:C4"]
    assert parts[0].text == "Sheet: Data\nName: Person 0\nAge: 20; City: Town 0"


def test_39_chunks_hold_whole_rows_and_do_not_overlap(tmp_path: Path) -> None:
    parts = records(chunks_of(tmp_path, STAFF, max_tokens=40))
    rows = [sorted({int(cell.ref[1:]) for cell in part.cells if cell.ref[1:] != "1"}) for part in parts]
    assert [row for inside in rows for row in inside] == [*range(2, 10)]
    for part, inside in zip(parts, rows, strict=True):
        assert {cell.ref for cell in part.cells} >= {f"{letter}{row}" for letter in "ABC" for row in inside}


def test_41_chunks_come_one_by_one_and_keep_a_merged_label_that_spans_them(tmp_path: Path) -> None:
    chunks = chunk_workbook(book(tmp_path / "book.xlsx", REGIONS), max_tokens=40)
    assert isinstance(chunks, Iterator)
    made = list(chunks)
    assert labels(made, *(f"C{row}" for row in range(2, 8))) == [("North", f"Town {k}") for k in range(6)]
    assert all("North" in owner(made, f"C{row}").text for row in range(2, 8))
    assert owner(made, "C4").range == "B4:C4"


def test_42_a_record_is_cut_only_if_it_is_over_the_budget_and_then_between_fields(tmp_path: Path) -> None:
    names = [f"Long field {k}" for k in range(12)]
    rows = [["Name", *names], *([f"Person {p}", *(300 * p + k for k in range(12))] for p in range(3))]
    whole = records(chunks_of(tmp_path, rows, chunker="record", max_tokens=256))
    assert [part.range for part in whole] == ["A2:M2", "A3:M3", "A4:M4"]
    parts = records(chunks_of(tmp_path, rows, chunker="record", max_tokens=48))
    assert len(parts) > 3 and all(part.tokens <= 48 for part in parts)
    assert all(len({cell.ref.lstrip("ABCDEFGHIJKLM") for cell in part.cells}) == 1 for part in parts)
    assert all(f"Person {int(part.cells[-1].text) // 300}" in part.text for part in parts)
