"""What each assembly says of a nested cross-tab, a list, a form and a sheet of two tables."""

from __future__ import annotations

import re

import numpy as np
import pytest

from cellroles.sheet import AnnotatedSheet, Chunk, Region, Table
from chunkers.assemblies.adaptive import SHAPES
from chunkers.conserve import check
from chunkers.registry import CHUNKERS
from tests.annotated import annotated, failed, owners, with_tables
from tests.grids import picture

ASSEMBLIES = ("adaptive", "flat", "kg", "packed", "parent", "prose")
SWAPS = """
h Swaps (USD bn)
c1 Clearing | c1 Product | c2 Buyside  |          |           | c2 Sellside
            |            | c1 Long     | c1 Short | c1 Total  | c1 Long
r2 Cleared  | r1 IG      | v 51.5      | v 48.2   | a 99.7    | v 61.5
            | r1 HY      | v 11.5      |          | a 11.5    |
"""
SWAPS_MERGES = "A2:A3 B2:B3 C2:E2 A4:A5"
SWAPS_COLUMNS = "Rows by: Clearing; Product\nBuyside: Long; Short; Total (total)\nSellside > Long"
SWAPS_LINES = (
    "Clearing: Cleared > Product: IG; Buyside > Long: 51.5; Buyside > Short: 48.2; Buyside > Total (total): 99.7; "
    "Sellside > Long: 61.5",
    "Clearing: Cleared > Product: HY; Buyside > Long: 11.5; Buyside > Total (total): 11.5",
)
STAFF = """
h Staff
m Amounts in EUR
c1 Name | c1 Role | c1 Pay
r1 Ann | v Head | v 51
r1 Bob | v Clerk | v 44
m Source: the books.
"""
STAFF_HEAD = "Sheet: Sheet1 | Staff\nUnits: Amounts in EUR"
STAFF_COLUMNS = "Rows by: Name\nColumns: Role; Pay"
FORM = "h Applicant\nr1 Name: | v Ann | r1 Born | v 1990\nr1 City | v Rome"


def chunks_of(name: str, sheet: AnnotatedSheet, max_tokens: int = 512, repeat_headers: bool = True) -> list[Chunk]:
    chunks = list(CHUNKERS[name](sheet, max_tokens=max_tokens, repeat_headers=repeat_headers))
    assert check(sheet, chunks) == []
    assert all(chunk.tokens <= max_tokens and chunk.chunker == name for chunk in chunks)
    return chunks


def said(chunks: list[Chunk]) -> list[tuple[str, str]]:
    return [(chunk.kind, chunk.text) for chunk in chunks]


def swaps(name: str) -> list[Chunk]:
    return chunks_of(name, annotated(SWAPS, SWAPS_MERGES))


def staff(name: str) -> list[Chunk]:
    *chunks, notes = chunks_of(name, annotated(STAFF))
    assert (notes.kind, notes.parent_id) == ("notes", None)
    return chunks


def two_tables() -> AnnotatedSheet:
    text = "h Ships\nc1 Name | c1 Flag\nr1 Ayo | v Oslo\n\nh Ports\nc1 Port | c1 Depth\nr1 Rome | v 9\nr1 Genoa | v 14"
    sheet, roles = picture(text)
    table_of = np.array([-1, 0, 0, 0, 0, -1, 1, 1, 1, 1, 1, 1], np.int32)
    return with_tables(sheet, roles, (Table(Region(1, 0, 3, 2), (0,)), Table(Region(5, 0, 8, 2), (5,))), table_of)


def long_list(count: int = 40) -> AnnotatedSheet:
    rows = "\n".join(f"r1 Person {k} | v Clerk | v {k + 20}" for k in range(count))
    return annotated(f"h Staff\nc1 Name | c1 Role | c1 Age\n{rows}")


@pytest.mark.parametrize("name", ASSEMBLIES)
def test_a_form_stays_a_form(name: str) -> None:
    (form,) = chunks_of(name, annotated(FORM))
    assert (form.kind, form.text) == ("form", "Sheet: Sheet1 | Applicant\nName: Ann\nBorn: 1990\nCity: Rome")


@pytest.mark.parametrize("name", ASSEMBLIES)
def test_a_sheet_on_which_the_model_failed_is_cut_by_stc(name: str) -> None:
    (chunk,) = chunks_of(name, failed("v Name | v Role\nv Ann | v Head"))
    assert (chunk.kind, chunk.fallback) == ("stc", "model failed: RuntimeError: no memory")


@pytest.mark.parametrize("name", ASSEMBLIES)
def test_every_value_cites_its_headers_outermost_first(name: str) -> None:
    cell = next(cell for chunk in swaps(name) for cell in chunk.cells if cell.ref == "D4" and cell.owner)
    assert (cell.col_refs, cell.row_refs) == (("C2", "D3"), ("A4", "B4"))
    assert (cell.col_path, cell.row_path) == (("Buyside", "Short"), ("Cleared", "IG"))


@pytest.mark.parametrize("name", ASSEMBLIES)
def test_no_chunk_crosses_a_table(name: str) -> None:
    for chunk in chunks_of(name, two_tables()):
        rows = {int(cell.ref[1:]) for cell in chunk.cells}
        assert rows <= {1, 2, 3} or rows <= {5, 6, 7, 8}
        assert chunk.title == ("Ships" if min(rows) < 4 else "Ports")


def test_flat_is_one_chunk_with_the_path_of_every_value() -> None:
    (table,) = swaps("flat")
    assert table.text == "\n".join(("Sheet: Sheet1 | Swaps (USD bn)", SWAPS_COLUMNS, *SWAPS_LINES))
    assert (table.kind, table.range, table.fallback) == ("table", "A1:F5", None)
    named = "\nCleared; IG; HY\nSwaps (USD bn)\nBuyside > Long; Buyside > Short; Buyside > Total; Sellside > Long"
    assert table.context == table.text + named * 3
    assert all(cell.owner for cell in table.cells) and len(table.cells) == len(annotated(SWAPS).sheet)


def test_flat_is_one_chunk_per_table() -> None:
    assert said(chunks_of("flat", two_tables())) == [
        ("table", "Sheet: Sheet1 | Ships\nRows by: Name\nColumns: Flag\nName: Ayo; Flag: Oslo"),
        ("table", "Sheet: Sheet1 | Ports\nRows by: Port\nColumns: Depth\nPort: Rome; Depth: 9\nPort: Genoa; Depth: 14"),
    ]


def test_flat_over_the_budget_repeats_title_and_columns() -> None:
    chunks = chunks_of("flat", long_list(), 128)
    head = "Sheet: Sheet1 | Staff\nRows by: Name\nColumns: Role; Age\nName: Person "
    assert len(chunks) > 3 and all(chunk.text.startswith(head) for chunk in chunks)
    assert min(chunk.tokens for chunk in chunks[:-1]) > 100
    assert [line for chunk in chunks for line in chunk.text.split("\n")[3:]] == [
        f"Name: Person {k}; Role: Clerk; Age: {k + 20}" for k in range(40)
    ]
    assert {chunk.kind for chunk in chunks if "B2" in owners([chunk])} == {"table"}


def test_without_repeated_headers_columns_are_said_once() -> None:
    text = "\n".join(chunk.text for chunk in chunks_of("flat", long_list(), 128, repeat_headers=False))
    assert text.count("Columns: Role; Age") == 1 and "\nPerson 7; Clerk; 27\n" in text


@pytest.mark.parametrize(
    ("name", "before"), [("flat", "Item: Cod; "), ("kg", "Item: Cod | "), ("prose", "For Item: Cod, ")]
)
def test_a_wide_record_is_cut_between_fields_with_its_row_path_repeated(name: str, before: str) -> None:
    years = " | ".join(f"c1 {year}" for year in range(1960, 2020))
    values = " | ".join(f"v {year}.5" for year in range(1960, 2020))
    chunks = chunks_of(name, annotated(f"c1 Item | {years}\nr1 Cod | {values}"), 96)
    lines = [line for chunk in chunks for line in chunk.text.split("\n") if ".5" in line]
    assert len(lines) > 4 and all(line.startswith(before) for line in lines)
    assert sum("A2" in owners([chunk]) for chunk in chunks) == 1


@pytest.mark.parametrize("name", ["adaptive", "flat", "prose"])
def test_the_index_text_of_a_piece_repeats_the_columns_of_its_own_values(name: str) -> None:
    names = " | ".join(f"c1 Year {k} {'x' * 20}" for k in range(40))
    values = " | ".join(f"v text {k}" for k in range(40))
    pieces = [
        chunk
        for chunk in chunks_of(name, annotated(f"c1 Item | {names}\nr1 Cod | {values}"), 128)
        if "text 0" in chunk.text or "text 39" in chunk.text
    ]
    assert len(pieces) == 2
    assert ["Year 0 " in piece.context for piece in pieces] == [True, False]
    assert ["Year 39 " in piece.context for piece in pieces] == [False, True]


@pytest.mark.parametrize("name", ["adaptive", "flat", "kg", "packed", "prose"])
def test_a_value_over_the_budget_is_cut_in_its_text_and_named_in_each_part(name: str) -> None:
    words = [f"word{k}" for k in range(200)]
    chunks = chunks_of(name, annotated(f"c1 Item | c1 Story | c1 Page\nr1 Cod | v {' '.join(words)} | v 2"), 96)
    parts = [chunk for chunk in chunks if any(cell.ref == "B2" for cell in chunk.cells)]
    assert len(parts) > 2 and all("Cod" in part.text and "Story" in part.text for part in parts)
    assert re.findall(r"word\d+", " ".join(part.text for part in parts)) == words


def test_kg_says_subject_predicate_and_object_grouped_per_record() -> None:
    schema, first, second = swaps("kg")
    assert said([schema, first]) == [
        ("text", f"Sheet: Sheet1 | Swaps (USD bn)\n{SWAPS_COLUMNS}"),
        (
            "triples",
            "Sheet: Sheet1 | Swaps (USD bn)\n"
            "Clearing: Cleared > Product: IG | Buyside > Long | 51.5\n"
            "Clearing: Cleared > Product: IG | Buyside > Short | 48.2\n"
            "Clearing: Cleared > Product: IG | Buyside > Total (total) | 99.7\n"
            "Clearing: Cleared > Product: IG | Sellside > Long | 61.5",
        ),
    ]
    assert (first.parent_id, first.range, first.row_path) == (schema.id, "A4:F4", ("Cleared", "IG"))
    assert (second.range, second.context) == ("B5:E5", second.text)


def test_kg_calls_a_row_without_labels_by_its_number() -> None:
    *_, last = chunks_of("kg", annotated("c1 Name | c1 Role\nv Ann | v Head\nv Bob | v Clerk"))
    assert last.text == "Sheet: Sheet1\nRow 3 | Name | Bob\nRow 3 | Role | Clerk"


def test_prose_says_records_as_sentences() -> None:
    _, first, second = swaps("prose")
    assert first.text == (
        "In sheet Sheet1, Swaps (USD bn):\n"
        "For Clearing: Cleared > Product: IG, Buyside, Long is 51.5, Short is 48.2 and Total (total) is 99.7; "
        "Sellside, Long is 61.5."
    )
    assert (first.kind, first.row_path) == ("row", ("Cleared", "IG"))
    named = "\nSwaps (USD bn)\nBuyside > Long; Buyside > Total"
    assert second.context == second.text + "\nCleared > HY" * 3 + named


def test_prose_says_the_units_with_the_place() -> None:
    schema, ann, _ = staff("prose")
    assert schema.text == f"{STAFF_HEAD}\n{STAFF_COLUMNS}"
    assert ann.text == "In sheet Sheet1, Staff (Amounts in EUR):\nFor Name: Ann, Role is Head and Pay is 51."


def test_prose_in_another_script_uses_marks_alone() -> None:
    *_, row = chunks_of("prose", annotated("h 船\nc1 名前 | c1 旗 | c1 長さ\nr1 あよ | v オスロ | v 9"))
    assert row.text == "Sheet1, 船:\n名前: あよ, 旗 = オスロ, 長さ = 9."


def test_prose_ends_a_sentence_once() -> None:
    *_, row = chunks_of("prose", annotated("c1 Item | c1 Note | c1 Story\nr1 Cod | v x | v It swims."))
    assert row.text.endswith("Note is x and Story is It swims.")


def test_parent_holds_the_table_and_its_notes_and_children_point_to_it() -> None:
    parent, *children = staff("parent")
    assert said([parent, *children]) == [
        (
            "table",
            f"{STAFF_HEAD}\n{STAFF_COLUMNS}\nNote: Source: the books.\nName: Ann; Role: Head; Pay: 51\n"
            "Name: Bob; Role: Clerk; Pay: 44",
        ),
        ("row", f"{STAFF_HEAD}\nName: Ann\nRole: Head; Pay: 51"),
        ("row", f"{STAFF_HEAD}\nName: Bob\nRole: Clerk; Pay: 44"),
    ]
    assert parent.parent_id is None and {child.parent_id for child in children} == {parent.id}
    assert (parent.range, children[0].range) == ("A1:C5", "A4:C4")


def test_parent_owns_titles_and_headers_and_cites_the_rest() -> None:
    parent, *_ = staff("parent")
    assert [cell.ref for cell in parent.cells if cell.owner] == ["A1", "A3", "B3", "C3"]
    assert [cell.ref for cell in parent.cells if not cell.owner] == ["A4", "B4", "C4", "A5", "B5", "C5", "A6"]


def test_each_table_has_its_parent() -> None:
    chunks = chunks_of("parent", two_tables())
    ships, _, ports, _, _ = chunks
    assert [chunk.kind for chunk in chunks] == ["table", "row", "table", "row", "row"]
    assert [chunk.parent_id for chunk in chunks] == [None, ships.id, None, ports.id, ports.id]


def test_a_child_points_to_the_parent_that_says_its_record() -> None:
    chunks = chunks_of("parent", long_list(), 128)
    parents = {chunk.id: chunk for chunk in chunks if chunk.kind == "table"}
    children = [chunk for chunk in chunks if chunk.kind == "row"]
    assert len(parents) > 3 and len(children) == 40
    assert all(f"\nName: {child.row_path[0]}; " in parents[child.parent_id or ""].text for child in children)


def test_records_too_wide_for_a_parent_share_one_that_says_none() -> None:
    heads = " | ".join(f"c1 Measure {k}" for k in range(20))
    rows = "\n".join(f"r1 Cod {r} | " + " | ".join(f"v {r + k}" for k in range(20)) for r in range(6))
    parent, *children = chunks_of("parent", annotated(f"h Catches\nc1 Item | {heads}\n{rows}"), 256)
    assert parent.kind == "table" and parent.text.endswith("Measure 18; Measure 19")
    assert len(children) == 6 and {child.parent_id for child in children} == {parent.id}


def test_packed_puts_records_together_and_cuts_the_long_ones_alone() -> None:
    schema, rows = swaps("packed")
    assert rows.text == (
        "Sheet: Sheet1 | Swaps (USD bn)\n"
        "Clearing: Cleared > Product: IG\nBuyside: Long 51.5; Short 48.2; Total (total) 99.7\nSellside > Long: 61.5\n"
        "Clearing: Cleared > Product: HY\nBuyside: Long 11.5; Total (total) 11.5"
    )
    assert (rows.kind, rows.range, rows.parent_id) == ("row", "A4:F5", schema.id)


def test_packed_cuts_a_record_over_the_budget_alone() -> None:
    words = " ".join(f"word{k}" for k in range(60))
    rows = f"r1 Cod | v 1 | v 2\nr1 Hake | v {words} | v 4\nr1 Eel | v 5 | v 6\nr1 Ray | v 7 | v 8"
    chunks = chunks_of("packed", annotated(f"c1 Item | c2 2020 | c2 2021\n{rows}"), 64)
    paths = [chunk.row_path for chunk in chunks if chunk.kind == "row"]
    assert paths[0] == () == paths[-1] and set(paths[1:-1]) == {("Hake",)}


def test_adaptive_takes_the_first_shape_that_suits() -> None:
    assert [shape.name for shape in SHAPES] == ["form", "flat table", "small table", "rows"]
    (small,) = swaps("adaptive")
    assert (small.kind, small.fallback) == ("table", "small table")
    assert small.text == (
        "Sheet: Sheet1 | Swaps (USD bn)\n"
        "| Clearing | Product | Buyside > Long | Buyside > Short | Buyside > Total (total) | Sellside > Long |\n"
        "| Cleared | IG | 51.5 | 48.2 | 99.7 | 61.5 |\n"
        "| Cleared | HY | 11.5 |  | 11.5 |  |"
    )
    assert small.context.count("Cleared; IG; HY") == 3 and small.context.count("Buyside > Short") == 4


def test_a_small_table_marks_totals_and_says_every_header_once() -> None:
    (rows,) = chunks_of(
        "adaptive", annotated("c1 Item | c1 2020 | c1 Note\nr1 Cod | v 1 |\nr1 Hake | v 2 |\nr1 Sum | a 3 |")
    )
    assert rows.text == (
        "Sheet: Sheet1\n| Item | 2020 |\nOther column headers: Note\n| Cod | 1 |\n| Hake | 2 |\n| Sum (total) | 3 |"
    )
    assert sorted(cell.ref for cell in rows.cells if cell.owner) == sorted(
        ["A1", "B1", "C1", "A2", "B2", "A3", "B3", "A4", "B4"]
    )


def test_a_grid_has_a_cell_for_every_column_of_labels_or_values() -> None:
    outline = "c1 Item | c1 Kind | c1 2020\nv 1 | | v 2\n | r1 Wild | v 3\nr1 Sum: | | a 5"
    (grid,) = chunks_of("adaptive", annotated(outline))
    assert grid.text.splitlines()[1:] == [
        "| Item | Kind | 2020 |",
        "| 1 |  | 2 |",
        "|  | Wild | 3 |",
        "| Sum (total) |  | 5 |",
    ]
    groups = "c1 Item | c1 2020 | c1 2021\nr2 Fish | |\nr1 Cod | v 1 | v 2\n | r2 Rest | \nr1 Ice | v 3 | v 4"
    (grid,) = chunks_of("adaptive", annotated(groups))
    assert grid.text.splitlines()[2:] == ["| Fish > Cod | 1 | 2 |", "| Rest > Ice | 3 | 4 |"]


def test_a_grid_of_values_alone_has_no_column_of_labels() -> None:
    (grid,) = chunks_of("adaptive", annotated("c2 Cost |\nc1 2020 | c1 2021\nv 1 | v 2\nv 3 |"))
    assert grid.text.splitlines()[1:] == ["| Cost > 2020 | Cost > 2021 |", "| 1 | 2 |", "| 3 |  |"]


def test_a_small_table_with_two_runs_in_a_row_is_no_grid() -> None:
    side = "c1 Name | c1 2020 | c1 Other | c1 2021\nr1 Cod | v 1 | r1 Hake | v 2\nr1 Eel | v 3 | r1 Ray | a 4"
    (table,) = chunks_of("adaptive", annotated(side))
    assert table.kind == "table" and "| " not in table.text and "Cod; 2020: 1" in table.text


def test_adaptive_packs_a_long_list_and_keeps_rows_of_a_long_cross_tab() -> None:
    schema, *lists = chunks_of("adaptive", long_list(), 128)
    assert (schema.kind, schema.fallback) == ("text", None)
    assert {(chunk.kind, chunk.fallback) for chunk in lists} == {("stc", "flat table")}
    rows = "\n".join(f"r1 Cod {k} | v {k} | v {k + 1}" for k in range(40))
    _, *cross_tab = chunks_of("adaptive", annotated(f"c1 Item | c1 2020 | c1 2021\n{rows}"), 128)
    assert {(chunk.kind, chunk.fallback) for chunk in cross_tab} == {("row", None)} and len(cross_tab) == 40
    assert cross_tab[0].text == "Sheet: Sheet1\nItem: Cod 0\n2020: 0; 2021: 1"
