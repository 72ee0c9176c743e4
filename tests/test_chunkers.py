from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from cellroles.sheet import AnnotatedSheet, Chunk, HeaderPath
from chunkers.assemblies.row import row_chunks
from chunkers.conserve import check
from chunkers.record import chunk_json
from chunkers.registry import CHUNKERS, ENGINES
from tests import grids
from tests.annotated import annotated, failed, owners, with_tables
from tests.grids import picture

CREDIT = """
h Table 15: Credit swaps, gross notional (USD bn)
c1 Clearing | c1 Product | c3 Buyside  |          |           |         |           |            | c3 Sellside |
            |            | c2 Feb 1    |          |           | c2 Feb 8 |           |            | c2 Feb 1    |
            |            | c1 Long     | c1 Short | c1 Total  | c1 Long | c1 Short  | c1 Total   | c1 Long   | c1 Short
r2 Cleared  | r1 CDX IG  | v 51.5      | v 48.2   | a 99.7    | v 52.1  | v 47.9    | a 100.0    | v 61.5      | v 58.2
            | r1 CDX HY  | v 11.5      |          | a 11.5    |         |           |            |             |
"""
HEADERS = "C2 I2 C3 F3 I3 C4 D4 E4 F4 G4 H4 I4 J4"
CHUNK_KEYS = (
    "id text context chunker kind workbook sheet region range title notes row_path cells tokens parent_id checkpoint "
    "fallback reader"
)
CELL_KEYS = "ref text value role owner col_path col_refs row_path row_refs"


def chunks_of(sheet: AnnotatedSheet, max_tokens: int = 512) -> list[Chunk]:
    chunks = list(row_chunks(sheet, max_tokens=max_tokens))
    assert check(sheet, chunks) == []
    assert all(chunk.tokens <= max_tokens for chunk in chunks)
    return chunks


def of_kind(chunks: list[Chunk], kind: str) -> list[Chunk]:
    return [chunk for chunk in chunks if chunk.kind == kind]


@pytest.fixture
def credit() -> list[Chunk]:
    merges = "A2:A4 B2:B4 C2:H2 I2:J2 C3:E3 F3:H3 I3:J3 A5:A6"
    return chunks_of(annotated(CREDIT, merges))


def test_a_row_of_nested_headers_says_shared_prefixes_once(credit: list[Chunk]) -> None:
    first = of_kind(credit, "row")[0]
    assert first.text == (
        "Sheet: Sheet1 | Table 15: Credit swaps, gross notional (USD bn)\n"
        "Clearing: Cleared > Product: CDX IG\n"
        "Buyside\n"
        "  Feb 1: Long 51.5; Short 48.2; Total (total) 99.7\n"
        "  Feb 8: Long 52.1; Short 47.9; Total (total) 100.0\n"
        "Sellside > Feb 1: Long 61.5; Short 58.2"
    )
    assert first.parent_id == of_kind(credit, "text")[0].id
    assert (first.region, first.range, first.row_path) == ("A2:J6", "A5:J5", ("Cleared", "CDX IG"))
    assert first.title == "Table 15: Credit swaps, gross notional (USD bn)"


def test_the_index_text_repeats_the_row_path_to_four_times(credit: list[Chunk]) -> None:
    first, second = of_kind(credit, "row")
    named = (
        "\nCleared > CDX IG" * 3 + "\nTable 15: Credit swaps, gross notional (USD bn)\nBuyside > Feb 1 > Long; Buyside"
    )
    assert first.context.startswith(first.text + named)
    assert (
        first.context.endswith("; Sellside > Feb 1 > Short") and first.context.count("\n") == first.text.count("\n") + 5
    )
    assert second.context.count("CDX HY") == 4


def test_every_value_cites_its_headers_outermost_first(credit: list[Chunk]) -> None:
    cell = next(cell for chunk in credit for cell in chunk.cells if cell.ref == "G5")
    assert (cell.text, cell.role, cell.owner) == ("47.9", "value", True)
    assert cell.col_refs == ("C2", "F3", "G4") and cell.col_path == ("Buyside", "Feb 8", "Short")
    assert cell.row_refs == ("A5", "B5") and cell.row_path == ("Cleared", "CDX IG")


def test_one_text_chunk_owns_title_and_column_headers(credit: list[Chunk]) -> None:
    (schema,) = of_kind(credit, "text")
    assert {cell.ref for cell in schema.cells} == {
        "A1",
        "A2",
        "B2",
        *HEADERS.split(),
    }
    assert schema.text == (
        "Sheet: Sheet1 | Table 15: Credit swaps, gross notional (USD bn)\n"
        "Rows by: Clearing; Product\n"
        "Buyside\n"
        "  Feb 1: Long; Short; Total (total)\n"
        "  Feb 8: Long; Short; Total (total)\n"
        "Sellside > Feb 1: Long; Short"
    )


def test_a_group_row_is_owned_by_the_first_record_it_heads() -> None:
    chunks = chunks_of(
        annotated("c1 Item | c1 2020 | c1 2021\nr2 Fish | |\nr1 Cod | v 1 | v 2\nr1 Hake | v 3 | v 4\nr2 Birds | |")
    )
    cod, hake = of_kind(chunks, "row")
    assert cod.text.splitlines()[1:] == ["Fish > Item: Cod", "2020: 1; 2021: 2"]
    assert [cell.ref for cell in cod.cells] == ["A2", "A3", "B3", "C3"]
    assert "A2" not in [cell.ref for cell in hake.cells] and hake.row_path == ("Fish", "Hake")
    assert owners(chunks)["A5"] == "text"


def test_the_schema_names_lone_columns_together_and_no_header_twice() -> None:
    heads = "c1 Item | c2 2020 | c2 2021 | c2 Change | |\n | c1 est | c1 est | | c1 low | c1 high"
    assert chunks_of(annotated(f"{heads}\nr1 Cod | v 1 | v 2 | v 3 | v 4 | v 5", "D1:F1"))[0].text.splitlines()[1:] == [
        "Rows by: Item",
        "Columns: 2020 > est; 2021 > est",
        "Change: low; high",
    ]


def test_the_schema_says_the_notes_of_headers() -> None:
    sheet = annotated("c1 Item | c1 2020 | c1 2021\nr1 Cod | v 1 | v 2")
    noted = replace(sheet.sheet, comments={(0, 0): "A fish.", (0, 2): "An\nestimate."})
    assert chunks_of(replace(sheet, sheet=noted))[0].text.splitlines()[1:] == [
        "Rows by: Item [note: A fish.]",
        "Columns: 2020; 2021",
        "2021 [note: An estimate.]",
    ]


def test_a_row_of_totals_is_marked_once() -> None:
    chunks = chunks_of(
        annotated("c1 Item | c1 2020 | c1 2021\nr1 Cod | v 1 | v 2\nr1 Hake | v 1 | v 2\nr1 Total | a 2 | a 4")
    )
    assert chunks[-1].text.splitlines()[1:] == ["Item: Total (total)", "2020: 2; 2021: 4"]


def test_a_table_of_computed_values_marks_each_of_them() -> None:
    chunks = chunks_of(annotated("c1 Item | c1 Sum | c1 Mean\nr1 Cod | a 1 | a 2\nr1 Hake | a 1 | a 2"))
    assert chunks[-1].text.splitlines()[1:] == ["Item: Hake", "Sum (total): 1; Mean (total): 2"]


def test_units_are_said_and_notes_are_carried_and_owned_by_the_notes_chunk() -> None:
    chunks = chunks_of(
        annotated("m USD million\nc1 Item | c1 2020 | c1 2021\nr1 Cod | v 1 | v 2 | o check\nm Source: the register.")
    )
    (row,), (notes,) = of_kind(chunks, "row"), of_kind(chunks, "notes")
    assert row.text.startswith("Sheet: Sheet1\nUnits: USD million\nItem: Cod\n")
    assert row.notes == ("USD million", "check", "Source: the register.")
    assert notes.text == "Sheet: Sheet1\nUSD million\ncheck\nSource: the register."


def test_the_year_of_an_index_is_a_unit() -> None:
    chunks = chunks_of(annotated("m （令和2年＝100）\nc1 Item | c1 2020 | c1 2021\nr1 Cod | v 100.0 | v 98.3"))
    assert chunks[1].text.startswith("Sheet: Sheet1\nUnits: （令和2年＝100）\n")


def test_notes_say_equal_lines_once_and_own_all_of_them() -> None:
    text = "c1 Item | c1 2020 | c1 2021\nr1 Cod | v 1 | v 2\nm see text\nm Source: a book\nm see text"
    notes = chunks_of(annotated(text))[-1]
    assert notes.text == "Sheet: Sheet1\nsee text\nSource: a book"
    assert sorted(cell.ref for cell in notes.cells if cell.owner) == ["A3", "A4", "A5"]


def test_a_remark_inside_the_table_is_said_with_its_record_too() -> None:
    sheet = annotated("c1 Item | c1 2020 | c1 2021\nr1 Cod | v 1 | v 2 | o check")
    sheet = replace(sheet, table=np.zeros(len(sheet.sheet), np.int32))
    chunks = chunks_of(sheet)
    (row,) = of_kind(chunks, "row")
    assert row.text.endswith("2020: 1; 2021: 2\nNote: check")
    assert [cell.owner for cell in row.cells if cell.ref == "D2"] == [False] and owners(chunks)["D2"] == "notes"


def test_a_remark_with_a_column_of_its_own_is_a_field_of_its_record() -> None:
    sheet, roles = picture("c1 Item | c1 2020 | c1 2021 | c1 Remark\nr1 Cod | v 1 | v 2 | o check")
    (table,), table_of = grids.one_table(sheet)
    _, row = chunks_of(with_tables(sheet, roles, (table,), table_of))
    assert row.text.endswith("2020: 1; 2021: 2; Remark: check")
    assert row.cells[-1].col_refs == ("D1",) and row.cells[-1].owner


def test_excel_notes_and_links_are_said_with_their_cell() -> None:
    sheet = annotated("c1 Item | c1 2020 | c1 2021\nr1 Cod | v 1 | v 2")
    noted = replace(sheet.sheet, comments={(1, 1): "an\nestimate"}, hyperlinks={(1, 0): "https://example.org/cod"})
    row = chunks_of(replace(sheet, sheet=noted))[-1]
    assert row.text.splitlines()[1:] == ["Item: Cod (https://example.org/cod)", "2020: 1 [note: an estimate]; 2021: 2"]


def test_the_notes_and_links_of_headers_are_in_no_name() -> None:
    sheet = annotated("c1 Item | c1 2020 | c1 2021\nr1 Cod | v 1 | v 2")
    noted = replace(sheet.sheet, comments={(0, 0): "A fish."}, hyperlinks={(1, 0): "https://example.org/cod"})
    row = chunks_of(replace(sheet, sheet=noted))[-1]
    assert row.text.splitlines()[1] == "Item: Cod (https://example.org/cod)"
    assert row.context.removeprefix(row.text) == "\nCod" * 3 + "\n2020; 2021"


def test_a_colon_ends_a_name_once() -> None:
    rows = of_kind(
        chunks_of(
            annotated("c1 部门： | c1 2020: | c1 2021\nr1 销售 | v 1 | v 2\nr1 租金 | v 5 | v 6\nr1 Sum: | a 3 | a 4")
        ),
        "row",
    )
    assert [row.text.splitlines()[1:] for row in rows] == [
        ["部门: 销售", "2020: 1; 2021: 2"],
        ["部门: 租金", "2020: 5; 2021: 6"],
        ["部门: Sum (total)", "2020: 3; 2021: 4"],
    ]


def test_the_name_of_a_stub_column_is_told_from_the_row_path() -> None:
    text = "c2 Activity | c2 Hours | \nc1 Kind | c1 Men | c1 Women\nr2 All | |\nr1 Sleep | v 8 | v 9"
    (row,) = of_kind(chunks_of(annotated(text)), "row")
    assert row.text.splitlines()[1] == "All > Activity / Kind: Sleep"


def test_a_long_row_is_cut_between_fields_with_title_and_row_path_repeated() -> None:
    years = " | ".join(f"c1 Year {year}" for year in range(1960, 2020))
    values = " | ".join(f"v {year}.5" for year in range(1960, 2020))
    rows = of_kind(chunks_of(annotated(f"h Catches\nc1 Item | {years}\nr1 Cod | {values}"), 128), "row")
    assert len(rows) > 4
    assert all(
        row.text.startswith("Sheet: Sheet1 | Catches\nItem: Cod\nYear 19") or "Year 20" in row.text for row in rows
    )
    assert sum(len(row.cells) for row in rows) == 61
    assert all(row.context.count("Year") == 2 * row.text.count("Year") for row in rows)
    assert min(row.tokens for row in rows[:-1]) > 100


def test_a_field_over_the_budget_is_cut_in_its_text_and_owned_once() -> None:
    words = " ".join(f"word{k}" for k in range(300))
    rows = of_kind(chunks_of(annotated(f"c1 Item | c2 2020 | c2 2021\nr1 Cod | v {words} | v 2"), 100), "row")
    long = [row for row in rows if any(cell.ref == "B2" for cell in row.cells)]
    assert [cell.owner for row in long for cell in row.cells if cell.ref == "B2"] == [True] + [False] * (len(long) - 1)
    said = " ".join(row.text.rpartition("2020: ")[2] for row in long)
    assert said.split() == words.split()


def test_a_row_path_over_the_budget_is_said_in_full_and_then_clipped() -> None:
    words = " ".join(f"word{k}" for k in range(150))
    rows = of_kind(chunks_of(annotated(f"c1 Item | c1 2020 | c1 2021\nr1 {words} | v 1 | v 2"), 100), "row")
    assert "word149" in "".join(row.text for row in rows)
    assert rows[-1].text.endswith("…\n2020: 1; 2021: 2")


def test_several_label_runs_of_a_row_are_several_groups_of_one_chunk() -> None:
    chunks = chunks_of(
        annotated("c1 Name | c1 Age | c1 City | c1 Size\nr1 Ann | v 31 | r1 Rome | v 9\nr1 Bob | v 45 | r1 Oslo | v 7")
    )
    rows = of_kind(chunks, "row")
    assert [row.text.splitlines()[1:] for row in rows] == [
        ["Name: Ann", "Age: 31", "City: Rome", "Size: 9"],
        ["Name: Bob", "Age: 45", "City: Oslo", "Size: 7"],
    ]


def test_a_value_merged_over_rows_is_copied_and_owned_by_the_first() -> None:
    text = "c1 City | c1 Grade | c1 Rate\nr2 Rome | r1 A | v 10\n | r1 B |\nr2 Oslo | r1 A | v 7"
    rows = of_kind(chunks_of(annotated(text, "A2:A3 C2:C3")), "row")
    assert rows[1].text.splitlines()[1:] == ["City: Rome > Grade: B", "Rate: 10"]
    assert [(cell.ref, cell.owner) for cell in rows[1].cells] == [("B3", True), ("C2", False)]
    assert rows[1].range == "B3"


def test_junk_is_in_no_chunk() -> None:
    chunks = list(row_chunks(annotated("j ----\nc1 Item | c2 2020 | c2 2021\nr1 Cod | v 1 | v 2"), max_tokens=512))
    assert "A1" not in owners(chunks)


def test_a_form_reads_as_its_title_and_key_value_lines() -> None:
    (form,) = chunks_of(annotated("h Applicant\nr1 Name: | v Ann | r1 Born | v 1990\nr1 City | v Rome\nr1 Phone |"))
    assert form.kind == "form"
    assert form.text == "Sheet: Sheet1 | Applicant\nName: Ann\nBorn: 1990\nCity: Rome\nPhone"


def test_a_flat_list_packs_its_records() -> None:
    chunks = chunks_of(
        annotated("h Staff\nc1 Name | c1 Role | c1 Age\nr1 Ann | v Head | v 51\nr1 Bob | v Clerk | v 44")
    )
    (flat,) = of_kind(chunks, "stc")
    assert flat.text == "Sheet: Sheet1 | Staff\nName: Ann; Role: Head; Age: 51\nName: Bob; Role: Clerk; Age: 44"
    assert (flat.chunker, flat.fallback, flat.range, flat.row_path) == ("row", "flat table", "A3:C4", ())
    role = next(cell for cell in flat.cells if cell.ref == "B4")
    assert (role.col_refs, role.row_refs) == (("B2",), ("A4",))


@pytest.mark.parametrize(
    "text",
    [
        "c1 Item | c1 2020 | c1 2021\nr1 Cod | v 1 | v 2\nr1 Hake | v 3 | v 4",
        " | c1 Wind | c1 Water\nr1 Cod | v 1 | v 2\nr1 Hake | v 3 | v 4",
        "c1 Name | c1 Role | c1 Age\nr2 Staff | |\nr1 Ann | v Head | v 51",
        "c1 Name | c1 Role | c1 Age\nr1 Ann | v Head | v 51\nr1 All | v x | a 51",
        "c2 Person | | \nc1 Name | c1 Role | c1 Age\nr1 Ann | v Head | v 51",
    ],
    ids=["years", "blank corner", "groups", "totals", "two header rows"],
)
def test_cross_tabs_and_nested_tables_stay_rows(text: str) -> None:
    assert not of_kind(chunks_of(annotated(text)), "stc")


def test_a_header_row_alone_and_a_list_of_names_are_emitted() -> None:
    (schema,) = chunks_of(annotated("c1 Name | c1 Role"))
    assert (schema.kind, schema.text) == ("text", "Sheet: Sheet1\nColumns: Name; Role")
    (names,) = chunks_of(annotated("c1 Name\nr1 Ann\nr1 Bob"))
    assert names.text == "Sheet: Sheet1\nRows by: Name\nName: Ann; Bob"


def test_a_header_that_shows_nothing_is_kept_and_not_said() -> None:
    sheet = annotated("c2 Year | c2 Hidden |\nc1 Item | c1 Blank | c1 2021\nr1 Cod | v 1 | v 2")
    text = sheet.sheet.text.copy()
    text[[1, 3, 5]] = ""
    paths = tuple(HeaderPath(tuple("" for _ in path.labels), path.cells) for path in sheet.paths)
    chunks_of(replace(sheet, sheet=replace(sheet.sheet, text=text), paths=paths))


def test_a_blank_value_and_a_column_without_header_get_no_made_up_name() -> None:
    chunks = chunks_of(annotated("c1 Item | c1 2020 | \nr1 Cod | v 1 | v 2\nr1 Hake | v 3 | v text"))
    assert [row.text.splitlines()[-1] for row in of_kind(chunks, "row")] == ["2020: 1; Column C: 2", "2020: 3; text"]


def test_a_sheet_on_which_the_model_failed_is_cut_by_stc() -> None:
    sheet = failed("v Name | v Role\nv Ann | v Head")
    (chunk,) = row_chunks(sheet, max_tokens=512)
    assert (chunk.kind, chunk.chunker, chunk.fallback) == ("stc", "row", "model failed: RuntimeError: no memory")
    assert chunk.text == "Sheet: Sheet1\nName: Ann; Role: Head"
    assert check(sheet, [chunk]) == []


def test_a_record_has_every_key_and_safe_values(credit: list[Chunk]) -> None:
    record = json.loads(chunk_json(of_kind(credit, "row")[0]))
    assert list(record) == CHUNK_KEYS.split()
    assert list(record["cells"][0]) == CELL_KEYS.split()
    assert (record["fallback"], record["notes"]) == (None, [])


def test_ids_are_stable_and_distinct(credit: list[Chunk]) -> None:
    again = chunks_of(annotated(CREDIT, "A2:A4 B2:B4 C2:H2 I2:J2 C3:E3 F3:H3 I3:J3 A5:A6"))
    assert [chunk.id for chunk in again] == [chunk.id for chunk in credit]
    assert len({chunk.id for chunk in credit}) == len(credit)


@pytest.mark.parametrize("name", [name for name in CHUNKERS if name not in ENGINES])
def test_every_chunker_is_lazy_and_names_itself(name: str) -> None:
    chunks = CHUNKERS[name](annotated(CREDIT), max_tokens=512)
    assert next(iter(chunks)).chunker == name


def test_the_parts_of_a_label_over_the_budget_cite_it() -> None:
    sheet = annotated(f"c1 Item | c1 2020\nr1 {'cod and ' * 30}haddock | v 1")
    chunks = of_kind(list(CHUNKERS["record"](sheet, max_tokens=32)), "row")
    assert len(chunks) > 2
    assert all({"A2", "B2"} & {cell.ref for cell in chunk.cells} for chunk in chunks)


def test_a_control_character_is_a_name_like_any_other() -> None:
    text = of_kind(chunks_of(annotated("c1 Item | c1 \0 | c2 \0\nr1 Cod | v 1 | v 2")), "row")[0].text
    assert text.endswith("\0: 1 / 2")
