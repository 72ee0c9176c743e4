"""Regions: connected pieces, their boxes, and tables repaired with roles."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from cellroles.registry import SEGMENTERS
from cellroles.segment.boxes import first_box
from cellroles.segment.components import component_labels, components
from cellroles.segment.tables import MAX_PIECES, find_tables
from cellroles.sheet import Bytes, Kind, Region, Role, Sheet, Style
from tests.grids import boxes, picture


def cells(places: list[tuple[int, int]], merges: str = "") -> Sheet:
    """A sheet with a number at each place."""
    row, col = np.array(sorted(places), np.int32).reshape(-1, 2).T
    ones, text = np.ones(len(row)), np.full(len(row), "1", object)
    none: np.ndarray = np.full(len(row), None, object)
    kind = np.full(len(row), Kind.NUMBER, np.uint8)
    zeros = np.zeros(len(row), np.int32)
    return Sheet(
        "b.xlsx", "s", row.copy(), col.copy(), kind, text, ones, text, none, zeros > 0, zeros, (Style(),), boxes(merges)
    )


def block(top: int, left: int, rows: int, cols: int) -> list[tuple[int, int]]:
    return [(top + r, left + c) for r in range(rows) for c in range(cols)]


def ranges(sheet: Sheet, gap: int = 0) -> list[str]:
    return [box.a1 for box in components(sheet, gap)]


def tables(text: str, merges: str = "", **options: object) -> list[str]:
    """The ranges of the tables of a picture."""
    found, table_of = find_tables(*picture(text, merges), **options)  # type: ignore[arg-type]
    regions = [table.region for table in found]
    assert not options or all(regions)
    assert set(table_of.tolist()) - {-1} == set(range(len(found)))
    return [region.a1 for region in regions]


def texts(text: str, what: str, merges: str = "") -> list[list[str]]:
    """Per table of a picture the texts of its `title` or `notes`."""
    sheet, roles = picture(text, merges)
    found, _ = find_tables(sheet, roles)
    return [[str(sheet.text[i]) for i in getattr(table, what)] for table in found]


def plain_labels(sheet: Sheet, gap: int) -> list[int]:
    """The rule spelled out cell by cell, as an oracle."""
    merged = {
        (r, c)
        for top, left, bottom, right in sheet.merges.tolist()
        for r in range(top, bottom)
        for c in range(left, right)
    }
    places = list(zip(sheet.row.tolist(), sheet.col.tolist(), strict=True))
    content, label = merged | set(places), dict[tuple[int, int], int]()
    for start in places:
        if start in label:
            continue
        number, queue = len(set(label.values())), [start]
        label[start] = number
        while queue:
            r, c = queue.pop()
            steps = [
                (r + s * dr, c + s * dc) for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0)) for s in range(1, gap + 2)
            ]
            new = [place for place in steps if place in content and place not in label]
            label |= dict.fromkeys(new, number)
            queue += new
    return [label[place] for place in places]


@pytest.mark.parametrize("gap", [0, 1, 2])
@pytest.mark.parametrize("seed", range(12))
def test_labels_equal_the_plain_rule(seed: int, gap: int) -> None:
    rng = np.random.default_rng(seed)
    places = [(r, c) for r in range(12) for c in range(12) if rng.random() < (0.15, 0.3, 0.6)[seed % 3]]
    merges = "C2:D4 F6:J6 B9:B12"
    covered = [(1, 2, 4, 4), (5, 5, 6, 10), (8, 1, 12, 2)]
    free = [
        (r, c) for r, c in places if not any(t <= r < b and x <= c < y and (r, c) != (t, x) for t, x, b, y in covered)
    ]
    sheet = cells(free, merges)
    assert component_labels(sheet, gap).tolist() == plain_labels(sheet, gap)


def test_gap_tolerance_looks_over_blanks() -> None:
    sheet = cells(block(0, 0, 2, 2) + block(3, 0, 1, 2) + block(0, 4, 1, 1))
    assert ranges(sheet, 0) == ["A1:B2", "E1", "A4:B4"]
    assert ranges(sheet, 1) == ["A1:B4", "E1"]
    assert ranges(sheet, 2) == ["A1:E4"]


def test_a_merge_connects_and_belongs_to_the_box() -> None:
    sheet = cells([(0, 0), (1, 3)], "A1:D1 F9:G9")
    assert ranges(sheet) == ["A1:D2"]


def test_a_piece_inside_an_earlier_box_starts_no_box() -> None:
    ring = [(0, c) for c in range(5)] + [(r, 0) for r in range(5)] + [(4, c) for c in range(5)]
    sheet = cells([*ring, (2, 2), (2, 6)])
    assert ranges(sheet) == ["A1:E5", "G3"]
    assert component_labels(sheet, 0).max() == 2


def test_the_far_corner_and_huge_merges_cost_nothing() -> None:
    start = time.process_time()
    assert ranges(cells([(0, 0), (1_048_575, 16_383)])) == ["A1", "XFD1048576"]
    assert ranges(cells([(0, 0), (9, 5000)], "A1:CVT1048576")) == ["A1:CVT1048576", "GJI10"]
    assert time.process_time() - start < 0.5


def test_an_empty_sheet_has_no_regions_and_gaps_are_not_negative() -> None:
    sheet = cells([])
    assert components(sheet) == []
    assert find_tables(sheet, np.zeros(0, np.uint8))[0] == ()
    with pytest.raises(ValueError, match=r"at least 0 \(got -1\)"):
        component_labels(sheet, -1)


def test_the_first_box_that_holds_a_cell() -> None:
    row, col = np.array([0, 1, 1, 5], np.int32), np.array([0, 0, 3, 9], np.int32)
    assert first_box(row, col, np.array([[1, 3, 2, 4], [0, 0, 2, 4]], np.int32)).tolist() == [1, 1, 0, -1]


HEADED = """
c1 Fish|c1 2019|c1 2020
r1 Cod|v 1|v 2
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("|c2 Years|c2 Years\n\n" + HEADED.strip(), ["A1:C4"], id="spanner over a blank row"),
        pytest.param(HEADED.strip() + "\n\n\n\nr1 Eel|v 3|v 4", ["A1:C6"], id="body in two pieces"),
        pytest.param(
            HEADED.strip() + "\n\nr1 Eel|v 3|v 4\n\nr1 Ray|v 5|v 6\n\nr1 Total|a 8|a 9", ["A1:C8"], id="chain"
        ),
        pytest.param(HEADED.strip() + "\n\n\n\n\nr1 Eel|v 3|v 4", ["A1:C2", "A7:C7"], id="too far below"),
        pytest.param("c1 Fish||c1 2019|c1 2020\nr1 Cod||v 1|v 2", ["A1:D2"], id="stub beyond a blank column"),
        pytest.param("c1 2019|c1 2020||\nv 1|v 2||r1 Cod", ["A1:D2"], id="stub on the right"),
        pytest.param(HEADED.strip() + "\n\n" + HEADED.strip(), ["A1:C2", "A4:C5"], id="two tables"),
        pytest.param("c1 A||c1 B\nr1 x||r1 y\nr1 x||r1 y", ["A1:A3", "C1:C3"], id="two lists side by side"),
        pytest.param(
            "c1 Fish|c1 2019\nr1 Cod|v 1\n\nh Form\nr1 Name|v Jo|v Mo|v Bo", ["A1:B2", "A5:D5"], id="titled form"
        ),
        pytest.param("c1 Fish|c1 2019\nr1 Cod|v 1\nh More\nr1 Eel|v 2", ["A1:B4"], id="heading taken for a title"),
        pytest.param("c1 n|c1 m|c1 o|c1 p\n|||v 4\nv 1||\nv 3|v 2||", ["A1:D4"], id="overlapping boxes"),
    ],
)
def test_pieces_join_where_the_roles_say_so(text: str, expected: list[str]) -> None:
    assert tables(text) == expected


def test_headers_far_above_the_only_body_belong_to_it() -> None:
    assert tables("c1 Fish|c1 2019" + "\n" * 30 + "r1 Cod|v 1") == ["A1:B31"]


def test_hidden_lines_without_cells_are_no_distance() -> None:
    sheet, roles = picture(HEADED.strip() + "\n" * 8 + "r1 Eel|v 3|v 4")
    assert len(find_tables(sheet, roles)[0]) == 2
    hidden = replace(sheet, hidden_rows=frozenset(range(3, 9)))
    assert [table.region.a1 for table in find_tables(hidden, roles)[0]] == ["A1:C10"]


def test_a_glued_table_with_its_own_names_is_split_off_and_a_repeated_header_is_not() -> None:
    other = "c1 Gear|c1 Boats|c1 Crew\nr1 Net|v 5|v 6"
    sheet, roles = picture(HEADED.strip() + "\n" + other)
    found, table_of = find_tables(sheet, roles)
    assert [table.region.a1 for table in found] == ["A1:C2", "A3:C4"]
    assert table_of.tolist() == [0] * 6 + [1] * 6
    assert found[1].repairs == ("split off the table above at row 3",)
    assert tables(HEADED.strip() + "\n" + HEADED.strip()) == ["A1:C4"]
    assert tables(HEADED.strip() + "\nc1 Gear|c1 Boats\nr1 Net|v 5|v 6") == ["A1:C4"]


TITLED = """
h Fisheries 2020

h Table 1: catch
m in tonnes
c1 Fish|c1 2019
r1 Cod|v 1
m Source: survey

h Table 2: boats
c1 Gear|c1 2019
r1 Net|v 5
"""


def test_titles_and_notes_leave_the_tables_and_become_their_context() -> None:
    assert tables(TITLED) == ["A5:B6", "A10:B11"]
    assert texts(TITLED, "title") == [["Fisheries 2020", "Table 1: catch"], ["Fisheries 2020", "Table 2: boats"]]
    assert texts(TITLED, "notes") == [["in tonnes", "Source: survey"], []]


def test_a_first_caption_among_captions_is_no_title_of_the_sheet() -> None:
    captioned = [f"h {name}\nc1 Fish|c1 2019\nr1 Cod|v 1\n\n" for name in ("Catch", "Boats", "Crew")]
    assert texts("".join(captioned), "title") == [["Catch"], ["Boats"], ["Crew"]]
    assert texts("h Fish\n\n" + "".join(captioned), "title") == [["Fish", "Catch"], ["Fish", "Boats"], ["Fish", "Crew"]]
    assert texts("h Catch\nc1 Fish|c1 2019\nr1 Cod|v 1\n\nc1 Gear|c1 2020\nr1 Net|v 2", "title") == [["Catch"]] * 2


def test_captions_side_by_side_scope_their_own_table() -> None:
    text = "h Catch|||h Boats\nc1 Fish|c1 2019||c1 Gear|c1 2020\nr1 Cod|v 1||r1 Net|v 2"
    assert texts(text, "title") == [["Catch"], ["Boats"]]


def test_a_remark_belongs_to_the_table_that_it_stands_in() -> None:
    sheet, roles = picture(
        "c1 Item | c1 Price | c1 Remarks\nr1 a | v 1 | o late\nr1 b | v 2 | \n | | \no see above | | "
    )
    found, table_of = find_tables(sheet, roles)
    assert [table.region.a1 for table in found] == ["A1:C3"]
    assert table_of[[5, 8]].tolist() == [0, -1]
    assert found[0].notes == (8,)


def test_all_notes_belong_to_the_only_table() -> None:
    text = "m Release 7\n\n" + HEADED.strip() + "|o check\n\n\n\n\nm far below"
    assert texts(text, "notes") == [["Release 7", "check", "far below"]]


def test_unrepaired_tables_are_the_segmenters_boxes() -> None:
    assert tables(TITLED, repair=False) == ["A1", "A3:B7", "A9:B11"]
    assert tables(TITLED, repair=False, gap_tolerance=1) == ["A1:B11"]


def test_another_segmenter_is_completed_by_what_touches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SEGMENTERS._loaded, "odd", lambda sheet, gap: [Region(0, 0, 2, 1), Region(0, 1, 1, 2)])
    found, table_of = find_tables(*picture(HEADED), segmenter="odd")
    assert [table.region.a1 for table in found] == ["A1:C2"]
    assert table_of.tolist() == [0] * 6


def roles_of(sheet: Sheet, header: np.ndarray, stub: np.ndarray) -> Bytes:
    return np.where(header, Role.COL_HEADER_1, np.where(stub, Role.ROW_HEADER_1, Role.VALUE)).astype(np.uint8)


def test_every_body_cell_has_one_table_whatever_the_roles() -> None:
    rng = np.random.default_rng(7)
    for _ in range(20):
        sheet = cells([(r, c) for r in range(20) for c in range(10) if rng.random() < 0.4], "C3:E3 B8:B12")
        roles = rng.integers(0, 13, len(sheet)).astype(np.uint8)
        found, table_of = find_tables(sheet, roles)
        context = np.isin(roles, (Role.HEADER, Role.METADATA, Role.JUNK))
        remark = roles == Role.COMMENT  # belongs to the table that it stands in, if any
        assert ((table_of < 0) == context)[~remark].all()
        for i in np.flatnonzero(table_of >= 0):
            assert found[table_of[i]].region.contains(int(sheet.row[i]), int(sheet.col[i]))
        assert_apart([table.region for table in found])


def assert_apart(regions: list[Region]) -> None:
    for i, a in enumerate(regions):
        for b in regions[:i]:
            assert a.bottom <= b.top or b.bottom <= a.top or a.right <= b.left or b.right <= a.left


def test_a_sheet_in_countless_pieces_is_one_table() -> None:
    scattered = cells([(5 * r, 5 * c) for r in range(30) for c in range(20)])
    assert len(component_labels(scattered, 0)) > MAX_PIECES
    found, table_of = find_tables(scattered, np.zeros(len(scattered), np.uint8))
    assert len(found) == 1
    assert not table_of.any()


def test_cost_follows_the_cells() -> None:
    sheet = cells(block(0, 0, 20_000, 10))
    roles = roles_of(sheet, sheet.row == 0, sheet.col == 0)
    find_tables(sheet, roles)
    start = time.process_time()
    found, _ = find_tables(sheet, roles)
    assert len(found) == 1
    assert time.process_time() - start < 0.4  # about 0.2 microseconds a cell on a quiet machine


def test_long_chains_of_headless_bodies_join_at_once() -> None:
    sheet = cells([place for k in range(400) for place in block(6 * k, 0, 5, 4)])
    roles = roles_of(sheet, sheet.row == 0, sheet.col == 0)
    start = time.process_time()
    found, _ = find_tables(sheet, roles)
    assert len(found) == 1
    assert time.process_time() - start < 2.0
