"""Header paths: one small sheet per rule, and the cost on a long list."""

from __future__ import annotations

import time

import numpy as np

from cellroles.headers import header_paths
from cellroles.sheet import HeaderPath, Kind, Region, Role, Sheet, Style, Table
from tests.grids import one_table, paths_at, picture


def columns(text: str, *refs: str, merges: str = "") -> list[str]:
    sheet, roles = picture(text, merges)
    return [col for col, _ in paths_at(sheet, roles, *refs)]


def rows(text: str, *refs: str, merges: str = "", indents: dict[str, int] | None = None) -> list[str]:
    sheet, roles = picture(text, merges, indents)
    return [row for _, row in paths_at(sheet, roles, *refs)]


def test_paths_hold_texts_and_cells_and_start_with_the_empty_path() -> None:
    sheet, roles = picture("c1 City | c1 Area\nr1 Oslo | v 5")
    paths, col_path, row_path = header_paths(sheet, roles, *one_table(sheet))
    assert paths[0] == HeaderPath()
    assert paths[col_path[3]] == HeaderPath(("Area",), ((0, 1),))
    assert paths[row_path[3]] == HeaderPath(("Oslo",), ((1, 0),))
    assert paths[col_path[2]].labels == ("City",)  # the corner names the row label
    assert [row_path[2], col_path[1], row_path[1]] == [0, 0, 0]


def test_a_remark_beside_a_record_has_its_paths() -> None:
    sheet, roles = picture("c1 City | c1 Area | c1 Remark\nr1 Oslo | v 5 | o check")
    assert paths_at(sheet, roles, "C2") == [("C1", "A2")]


def test_cells_outside_tables_have_no_path() -> None:
    sheet, roles = picture("c1 City | c1 Area\nr1 Oslo | v 5")
    _, col_path, row_path = header_paths(sheet, roles, (), np.full(4, -1, np.int32))
    assert not col_path.any()
    assert not row_path.any()


def test_each_table_reads_its_own_headers() -> None:
    sheet, roles = picture("c1 A | c1 B\nv 1 | v 2\n| \nv 3 | v 4")
    tables = (Table(Region(0, 0, 2, 2)), Table(Region(3, 0, 4, 2)))
    paths, col_path, _ = header_paths(sheet, roles, tables, np.array([0, 0, 0, 0, 1, 1], np.int32))
    assert [paths[i].labels for i in col_path] == [(), (), ("A",), ("B",), (), ()]


def test_a_label_over_several_header_rows_lists_every_cell() -> None:
    assert columns("| c1 Net\n| c1 income\nr1 x | v 1", "B3") == ["B1 B2"]


def test_a_blank_row_does_not_end_a_header_block() -> None:
    assert columns("| c2 Income\n\n| c1 2019 | c1 2020\nr1 x | v 1 | v 2", "C4") == ["B1 C3"]


def test_merged_spanner_reaches_over_its_merge_only() -> None:
    text = "| c2 North | | c1 All\n| c1 Men | c1 Women |\nr1 x | v 1 | v 2 | v 3"
    assert columns(text, "B3", "C3", "D3", merges="B1:C1") == ["B1 B2", "B1 C2", "D1"]


def test_unmerged_spanner_fills_to_the_right_until_the_next() -> None:
    text = "| c2 North | | c2 South |\nc1 Age | c1 Men | c1 Women | c1 Men | c1 Women\nr1 x | v 1 | v 2 | v 3 | v 4"
    assert columns(text, "C3", "E3") == ["B1 C2", "D1 E2"]


def test_innermost_labels_and_corner_labels_do_not_fill() -> None:
    assert columns("c2 Age | | c1 B | \nr1 x | v 1 | v 2 | v 3", "B2", "D2") == ["", ""]


def test_fill_stops_where_the_parent_ends() -> None:
    text = "| c3 A | | c3 B |\n| c2 M | | |\n| c1 p | c1 q | c1 r | c1 s\nr1 x | v 1 | v 2 | v 3 | v 4"
    assert columns(text, "C4", "D4", merges="B1:C1 D1:E1") == ["B1 B2 C3", "D1 D3"]


def test_fill_stops_at_a_cell_that_is_no_header() -> None:
    text = "| c2 A | m (tons) |\n| c1 p | c1 q | c1 r\nr1 x | v 1 | v 2 | v 3"
    assert columns(text, "B3", "C3", "D3") == ["B1 B2", "C2", "D2"]


def test_a_row_with_a_label_for_almost_every_column_has_no_spanners() -> None:
    text = "| c2 a | c2 b | c2 c | \n| c1 p | c1 q | c1 r | c1 s\nr1 x | v 1 | v 2 | v 3 | v 4"
    assert columns(text, "E3") == ["E2"]


def test_column_beyond_a_short_spanner_follows_the_anchor_of_its_own_merge() -> None:
    text = "| c3 Work | | \n| c1 Paid | | \nr1 x | v 1 | v 2 | v 3"
    assert columns(text, "D3", merges="B1:C1 B2:D2") == ["B1 B2"]


def test_centred_spanners_take_the_nearest_columns() -> None:
    text = "| | c2 L | | | c2 R | \n| c1 a | c1 b | c1 c | c1 d | c1 e | c1 f\nr1 x | v 1 | v 2 | v 3 | v 4 | v 5 | v 6"
    assert columns(text, "B3", "D3", "E3", "G3") == ["C1 B2", "C1 D2", "F1 E2", "F1 G2"]


def test_single_spanner_over_the_last_column_governs_all() -> None:
    text = "| | | | c2 Tons\n| c1 a | c1 b | c1 c | c1 d\nr1 x | v 1 | v 2 | v 3 | v 4"
    assert columns(text, "B3", "E3") == ["E1 B2", "E1 E2"]


def test_headers_below_the_values() -> None:
    text = "r1 x | v 1 | v 2 | v 3 | v 4\n| c1 a | c1 b | c1 c | c1 d\n| c2 L | | c2 R |"
    assert columns(text, "B1", "E1", merges="B3:C3 D3:E3") == ["B3 B2", "D3 E2"]


def test_later_block_replaces_the_earlier_one() -> None:
    text = "| c1 2019\nr1 x | v 1\n| c1 2020\nr1 x | v 2"
    assert columns(text, "B2", "B4") == ["B1", "B3"]


def test_outer_labels_stay_above_a_repeated_inner_block() -> None:
    text = "| c2 Men | c2 Women\n| c1 2019 | c1 2019\nr1 x | v 1 | v 1\n| c1 2020 | c1 2020\nr1 x | v 2 | v 2"
    assert columns(text, "B3", "C5") == ["B1 B2", "C1 C4"]


def test_spanner_between_rows_replaces_its_own_level() -> None:
    text = "| c1 Men | c1 Women\n| c2 Number |\nr1 x | v 1 | v 1\n| c2 Percent |\nr1 x | v 2 | v 2"
    assert columns(text, "B3", "C5", merges="B2:C2 B4:C4") == ["B2 B1", "B4 C1"]


def test_values_beside_the_header_of_another_table() -> None:
    text = "c1 a | c1 b | |\nr1 x | v 1 | c1 p | c1 q\nr1 y | v 2 | r1 u | v 3"
    assert columns(text, "B2", "B3", "D3") == ["B1", "B1", "D2"]


def test_merged_value_has_what_its_columns_share() -> None:
    text = "| c2 North |\n| c1 Men | c1 Women\nr1 x | v 1 |"
    assert columns(text, "B3", merges="B1:C1 B3:C3") == ["B1"]


def test_group_lines_are_parents_until_the_next_of_their_level() -> None:
    text = "r3 Land |\nr2 North |\nr1 a | v 1\nr2 South |\nr1 b | v 2\nr3 Sea |\nr1 c | v 3"
    assert rows(text, "B3", "B5", "B7") == ["A1 A2 A3", "A1 A4 A5", "A6 A7"]


def test_parent_with_values_of_its_own() -> None:
    assert rows("r2 All | a 3\nr1 a | v 1\nr1 b | v 2", "B1", "B3") == ["A1", "A1 A3"]


def test_row_header_has_its_parents_and_the_rest_of_its_run() -> None:
    assert rows("r2 North | |\nr1 7 | r1 Bodo | v 1", "A1", "A2", "B2") == ["", "A1 B2", "A1 A2"]


def test_merged_group_label_ends_with_its_merge() -> None:
    text = "r2 North | r1 a | v 1\n| r1 b | v 2\n| r1 c | v 3"
    assert rows(text, "C2", "C3", merges="A1:A2") == ["A1 B2", "B3"]


def test_depth_three_nests_when_indented() -> None:
    text = "r3 World |\nr3 Europe |\nr1 a | v 1\nr3 Asia |\nr1 b | v 2"
    assert rows(text, "B3", "B5", indents={"A2": 1, "A4": 1}) == ["A1 A2 A3", "A1 A4 A5"]
    assert rows(text, "B3", "B5") == ["A2 A3", "A4 A5"]


def test_group_of_indented_children_ends_at_the_first_that_is_not() -> None:
    text = "r2 North |\nr1 a | v 1\nr1 b | v 2\nr1 Total | a 3"
    assert rows(text, "B3", "B4", indents={"A2": 1, "A3": 1}) == ["A1 A3", "A4"]
    assert rows(text, "B3", "B4") == ["A1 A3", "A1 A4"]


def test_bold_label_closes_a_bold_group_of_plain_rows() -> None:
    sheet, roles = picture("r2 North | a 3\nr1 a | v 1\nr1 b | v 2\nr1 Total | a 3", bold="A1 A4")
    assert [row for _, row in paths_at(sheet, roles, "B3", "B4")] == ["A1 A3", "A4"]


def test_leading_marks_count_as_indentation() -> None:
    text = "r2 North | v 9\nr1 - a | v 1\nr1 - b | v 2\nr1 Total | a 3"
    assert rows(text, "B3", "B4") == ["A1 A3", "A4"]


def test_label_in_a_header_row_scopes_the_whole_block() -> None:
    text = "r2 North | c1 n\nr1 a | v 1\nr1 b | v 2"
    assert rows(text, "B2", "B3", indents={"A2": 1}) == ["A1 A2", "A1 A3"]


def test_side_stub_ends_at_a_label_in_its_own_column() -> None:
    text = "r2 North | r1 a | v 1\n| r1 b | v 2\nr1 Total | | a 3"
    assert rows(text, "C2", "C3") == ["A1 B2", "A3"]


def test_side_stub_ends_at_a_label_left_of_it_and_group_lines_do_not() -> None:
    text = "r3 Land | r2 North | r1 a | v 1\nr1 Sea | | | v 2"
    assert rows(text, "D2") == ["A2"]
    text = "| r3 Land | |\nr2 North | r1 a | v 1\n| r1 b | v 2"
    assert rows(text, "C2", "C3") == ["B1 A2 B2", "B1 A2 B3"]


def test_outer_stub_beside_the_middle_of_its_rows() -> None:
    lines = [f"{'r2 L' if i == 1 else 'r2 R' if i == 4 else ''} | r1 {i} | v {i}" for i in range(6)]
    assert rows("\n".join(lines), "C1", "C3", "C4", "C6") == ["A2 B1", "A2 B3", "A5 B4", "A5 B6"]


def test_values_take_the_nearest_label_on_their_left() -> None:
    assert rows("r1 Name | v Ann | r1 Born | v 1970", "B1", "D1") == ["A1", "C1"]


def test_values_left_of_their_label() -> None:
    assert rows("v 1 | v 2 | r1 a", "A1", "B1") == ["C1", "C1"]


def test_a_value_left_blank_in_a_form_leaves_its_label_alone() -> None:
    sheet, roles = picture("r1 Name | v Ann | r1 City | v Bern\nr1 Phone | | r1 Zip | v 3000")
    assert paths_at(sheet, roles, "D1", "D2") == [("", "C1"), ("", "C2")]


def test_merged_labels_of_two_pairs_in_a_row() -> None:
    text = "r1 Name | v Ann | r1 Born | v 1970\n| v Lee | | v May"
    assert rows(text, "B2", "D2", merges="A1:A2 C1:C2") == ["A1", "C1"]


def test_value_without_a_label_keeps_the_group() -> None:
    assert rows("r2 North |\n| v 1", "B2") == ["A1"]


def long_list(rows_: int) -> tuple[Sheet, np.ndarray]:
    row, col = np.repeat(np.arange(rows_ + 1, dtype=np.int32), 2), np.tile(np.arange(2, dtype=np.int32), rows_ + 1)
    text = np.array([str(i) for i in range(len(row))], object)
    none = np.full(len(row), None, object)
    number, false = np.full(len(row), np.nan), np.zeros(len(row), bool)
    kind, style = np.full(len(row), Kind.TEXT, np.uint8), np.zeros(len(row), np.int32)
    sheet = Sheet("b.xlsx", "S", row, col, kind, text, number, text, none, false, style, (Style(),))
    roles = np.tile(np.array([Role.ROW_HEADER_1, Role.VALUE], np.uint8), rows_ + 1)
    roles[:2] = Role.COL_HEADER_1
    return sheet, roles


def test_long_list_is_read_in_linear_time() -> None:
    sheet, roles = long_list(50_000)
    tables, table_of = one_table(sheet)
    start = time.process_time()
    paths, _, row_path = header_paths(sheet, roles, tables, table_of)
    assert time.process_time() - start < 1.0  # about 0.15 s; per-row costs of tens of microseconds fail
    assert paths[row_path[-1]].cells == ((50_000, 0),)


def test_headers_below_their_values_head_no_remark_among_them() -> None:
    sheet, roles = picture("v 1 | v 2\nc2 Sales | c2 Costs\n | o hand-counted\nc1 2022 | c1 2023")
    assert paths_at(sheet, roles, "B1", "B3") == [("B2 B4", ""), ("", "")]
