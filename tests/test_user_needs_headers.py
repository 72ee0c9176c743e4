"""What users of spreadsheet loaders ask for, part 1: the right headers and labels on every value.

The numbers of the tests are those of the list of needs; every input is the smallest that shows the need.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from cellroles import annotate, read_workbook
from cellroles.sheet import Role
from chunkers.workbook import Settings, sheet_chunks
from tests.books import Tab, book, chunks_of, columns, labels, owned, owner, records


def test_01_a_year_merged_over_quarters_heads_each_of_them(tmp_path: Path) -> None:
    chunks = chunks_of(tmp_path, Tab([[None, 2023, None], [None, "Q1", "Q2"], ["North", 10, 12]], "B1:C1"))
    assert columns(chunks, "B3", "C3") == [("2023", "Q1"), ("2023", "Q2")]
    assert owned(chunks)["C3"].col_refs == ("B1", "C2")


def test_01_a_label_merged_over_rows_stands_on_each_of_them(tmp_path: Path) -> None:
    rows = [["Region", "City", 2023], ["North", "Oslo", 7], [None, "Bergen", 8], ["South", "Rome", 9]]
    chunks = chunks_of(tmp_path, Tab(rows, "A2:A3"))
    assert labels(chunks, "C2", "C3", "C4") == [("North", "Oslo"), ("North", "Bergen"), ("South", "Rome")]


def test_02_a_title_row_is_no_header_row(tmp_path: Path) -> None:
    rows = [["Quarterly sales by region"], [None, "2023", None], ["Region", "Q1", "Q2"], ["North", 10, 12]]
    chunks = chunks_of(tmp_path, Tab(rows, "B2:C2"))
    assert columns(chunks, "B4", "C4") == [("2023", "Q1"), ("2023", "Q2")]
    assert owner(chunks, "B4").title == "Quarterly sales by region"


def test_03_a_column_without_a_header_stays_in_its_table(tmp_path: Path) -> None:
    chunks = chunks_of(tmp_path, [["Item", "2022", None], ["Apples", 1, 2], ["Pears", 3, 4]])
    assert {chunk.region for chunk in chunks} == {"A1:C3"}
    assert labels(chunks, "C2", "C3") == [("Apples",), ("Pears",)]


def test_05_a_merged_header_and_a_blank_row_do_not_cut_a_table_in_two(tmp_path: Path) -> None:
    rows = [["Sales report", None, None], [], ["Item", "Units", "Price"], ["Apples", 3, 1.5], ["Pears", 4, 2.5]]
    chunks = chunks_of(tmp_path, Tab(rows, "A1:C1"))
    assert {chunk.region for chunk in chunks} == {"A3:C5"}
    assert columns(chunks, "B4", "C5") == [("Units",), ("Price",)]


def test_06_the_name_of_a_table_is_on_each_of_its_chunks(tmp_path: Path) -> None:
    rows = [["Payroll 2024"], [], ["Name", "Dept", "Pay"], *([f"Person {k}", "IT", 100 + k] for k in range(12))]
    chunks = chunks_of(tmp_path, rows, max_tokens=48)
    assert len(records(chunks)) > 1
    assert {chunk.title for chunk in chunks} == {"Payroll 2024"}
    assert all("Payroll 2024" in chunk.text for chunk in chunks)


def test_07_title_cells_are_text(tmp_path: Path) -> None:
    (chunk,) = chunks_of(tmp_path, [["Annual report"]])
    assert (chunk.kind, chunk.region, chunk.text) == ("text", None, "Sheet: Data\nAnnual report")


def test_13_headers_are_in_the_text_of_a_table(tmp_path: Path) -> None:
    chunks = chunks_of(tmp_path, [["Name", "Age"], ["Ann", 31]])
    assert records(chunks)[0].text == "Sheet: Data\nName: Ann; Age: 31"


def test_21_a_merged_row_label_fills_its_rows(tmp_path: Path) -> None:
    rows = [["Region", "City", "Pop"], ["North", "Oslo", 700], [None, "Bergen", 280]]
    chunks = chunks_of(tmp_path, Tab(rows, "A2:A3"))
    assert "North" in owner(chunks, "C3").text and labels(chunks, "C3") == [("North", "Bergen")]
    assert owned(chunks)["C3"].row_refs == ("A2", "B3")


def test_22_values_are_written_after_their_header(tmp_path: Path) -> None:
    rows = [["Name", "City"], *([f"Person {k}", f"Town {k}"] for k in range(9))]
    chunks = chunks_of(tmp_path, rows, max_tokens=40)
    assert len(records(chunks)) > 1
    for k in range(9):
        assert f"Name: Person {k}; City: Town {k}" in owner(chunks, f"B{k + 2}").text


def test_27_a_merged_row_label_gives_no_value_to_another_city(tmp_path: Path) -> None:
    rows = [["City", "Grade", "Rate"], ["Oslo", "A", 100], [None, "B", 120], ["Rome", "A", 80], [None, "B", 90]]
    chunks = chunks_of(tmp_path, Tab(rows, "A2:A3 A4:A5"))
    cities = [{"Oslo", "Rome"} & set(path) for path in labels(chunks, "C2", "C3", "C4", "C5")]
    assert cities == [{"Oslo"}, {"Oslo"}, {"Rome"}, {"Rome"}]


def test_28_header_cells_may_be_numbers_blanks_and_duplicates(tmp_path: Path) -> None:
    rows = [["Region", 2022, 2023, 2023], *([f"Area {k}", k, k + 1, k + 2] for k in range(1, 7))]
    chunks = chunks_of(tmp_path, rows)
    assert columns(chunks, "B2", "C2", "D2") == [("2022",), ("2023",), ("2023",)]
    assert [owned(chunks)[ref].col_refs for ref in ("C2", "D2")] == [("C1",), ("D1",)]


def test_28_a_header_row_of_numbers_and_a_blank_by_given_roles(tmp_path: Path) -> None:
    (sheet,) = read_workbook(book(tmp_path / "book.xlsx", [["2023", None, 3.5], ["a", 1, 2]]))
    head, label, value = Role.COL_HEADER_1, Role.ROW_HEADER_1, Role.VALUE
    annotated = annotate(sheet, roles=np.array([head, head, label, value, value], np.uint8))
    chunks = list(sheet_chunks(annotated, Settings()))
    assert columns(chunks, "A2", "B2", "C2") == [("2023",), (), ("3.5",)]


def test_28_a_header_row_of_numbers_and_a_blank_loses_nothing(tmp_path: Path) -> None:
    chunks = chunks_of(tmp_path, [["2023", None, 3.5], ["a", 1, 2], ["b", 3, 4]])
    assert sorted(owned(chunks)) == ["A1", "A2", "A3", "B2", "B3", "C1", "C2", "C3"]


def test_32_each_sheet_and_table_has_its_own_headers(tmp_path: Path) -> None:
    chunks = chunks_of(tmp_path, [["Name", "City"], ["Ann", "Oslo"]], [["Code", "Price"], ["X1", 9.5]])
    said = [(chunk.sheet, owned([chunk])["B2"].col_path) for chunk in records(chunks)]
    assert said == [("Data", ("City",)), ("Data 2", ("Price",))]


def test_32_a_sheet_without_headers_takes_none_from_its_first_row(tmp_path: Path) -> None:
    chunks = chunks_of(tmp_path, [["Name", "Age", "Pay"], ["Ann", 31, 9.5]], [[1, 3, 4.5], [2, 4, 5.5], [3, 5, 6.5]])
    second = owned([chunk for chunk in chunks if chunk.sheet == "Data 2"])
    assert len(second) == 9 and {cell.col_path for cell in second.values()} == {()}


def test_34_two_header_rows_and_records_that_tile_the_body(tmp_path: Path) -> None:
    rows = [[None, "2023", None], ["Region", "Q1", "Q2"], *([f"Area {k}", k, k + 1] for k in range(4))]
    chunks = chunks_of(tmp_path, Tab(rows, "B1:C1"))
    assert columns(chunks, "C6") == [("2023", "Q2")]
    assert [chunk.range for chunk in records(chunks)] == ["A3:C3", "A4:C4", "A5:C5", "A6:C6"]


def test_37_real_blanks_in_an_index_column_are_not_filled(tmp_path: Path) -> None:
    rows = [["Name", "City", "Pay"], ["Ann", "Oslo", 100], [None, "Rome", 90], ["Bob", "Paris", 80]]
    chunks = chunks_of(tmp_path, rows)
    assert "Ann" not in labels(chunks, "C3")[0] and "Ann" in labels(chunks, "C2")[0]
    assert "Name: Ann; City: Rome" not in owner(chunks, "C3").text


def test_38_an_unmerged_title_above_nine_headers_is_no_header(tmp_path: Path) -> None:
    heads = ["Name", "City", "Street", "Age", "Pay", "Bonus", "Dept", "Floor", "Phone"]
    body = [[f"Person {k}", "Rome", "Low", 30 + k, 110 + k, 6, "HR", 3, f"55{k}"] for k in range(2)]
    chunks = chunks_of(tmp_path, [["Staff list 2024"], heads, *body])
    assert columns(chunks, *(f"{letter}3" for letter in "BCDEFGHI")) == [(head,) for head in heads[1:]]
    assert {chunk.title for chunk in chunks} == {"Staff list 2024"}
    assert not any("col_" in chunk.text or "Column" in chunk.text for chunk in records(chunks))


def test_44_three_header_rows(tmp_path: Path) -> None:
    rows = [
        [None, "Population", None, None, None, "Households", None, None, None],
        [None, "2022", None, "2023", None, "2022", None, "2023", None],
        ["Region", *(["Men", "Women"] * 2), *(["Owned", "Rented"] * 2)],
        *([f"Area {k}", *range(k, k + 8)] for k in range(1, 4)),
    ]
    chunks = chunks_of(tmp_path, Tab(rows, "B1:E1 F1:I1 B2:C2 D2:E2 F2:G2 H2:I2"))
    assert columns(chunks, "B4", "I6") == [("Population", "2022", "Men"), ("Households", "2023", "Rented")]


def test_45_a_header_in_the_first_of_four_unmerged_columns_spans_them(tmp_path: Path) -> None:
    rows = [
        [None, "2022", None, None, None, "2023", None, None, None],
        ["Region", *(["Q1", "Q2", "Q3", "Q4"] * 2)],
        *([f"Area {k}", *range(k, k + 8)] for k in range(1, 4)),
    ]
    chunks = chunks_of(tmp_path, rows)
    assert columns(chunks, "B3", "E3", "F3", "I5") == [("2022", "Q1"), ("2022", "Q4"), ("2023", "Q1"), ("2023", "Q4")]
