"""The synthetic sheets: the same for the same seed, honest roles, paths that hold, sums that add up."""

import re
from pathlib import Path
from random import Random

import numpy as np
import pytest
from openpyxl.utils.cell import range_boundaries

from cellroles.reader import read_workbook
from cellroles.sheet import COLUMN_HEADERS, DATA_ROLES, ROW_HEADERS, Region, Role, Sheet
from data.synthetic import (
    FAMILIES,
    SyntheticSheet,
    demo_sheets,
    demo_workbook,
    generate,
    to_labelled,
    to_sheet,
    write_xlsx,
)
from data.synthetic.axes import Line, Measure, Node, derive, lines
from data.synthetic.draws import nodes
from data.synthetic.grid import Canvas
from data.synthetic.layout import Layout
from data.synthetic.render import markdown, write_samples
from data.synthetic.styles import Look
from data.synthetic.table import TableWriter
from data.synthetic.vocabulary import LANGUAGES, words

ASKED_FOR = {
    "headers_below", "headers_right", "description_rows", "unit_rows", "side_by_side", "stacked_tables", "glued_tables",
    "junk", "remarks", "wrapped_headers", "second_column", "two_keys", "form", "contents", "survey", "statement",
}  # fmt: skip
SAMPLES = [(family, seed) for family in FAMILIES for seed in range(4)]


@pytest.fixture(params=SAMPLES, ids=lambda sample: f"{sample[0]}-{sample[1]}")
def sheet(request: pytest.FixtureRequest) -> SyntheticSheet:
    family, seed = request.param
    return generate(seed, family)


def test_named_families_exist() -> None:
    assert set(FAMILIES) >= ASKED_FOR


def test_same_seed_same_sheet() -> None:
    assert generate(7) == generate(7)
    assert generate(7, "crosstab") == generate(7, "crosstab")
    assert generate(7, "crosstab") != generate(8, "crosstab")


def test_seeds_reach_every_family_and_language() -> None:
    sheets = [generate(seed) for seed in range(600)]
    assert {sheet.family for sheet in sheets} == set(FAMILIES)
    assert {sheet.language for sheet in sheets} == set(LANGUAGES)


def test_unknown_family_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"nested_merged, .* \(got 'pivot'\)"):
        generate(0, "pivot")


def test_roles_are_legal(sheet: SyntheticSheet) -> None:
    assert sheet.cells
    for cell in sheet.cells.values():
        assert cell.role is not Role.EMPTY
        assert str(cell.value).strip()
    covered = {
        (row, col)
        for box in sheet.merges
        for row in range(box.top, box.bottom)
        for col in range(box.left, box.right)
        if (row, col) != (box.top, box.left)
    }
    assert not covered & set(sheet.cells)


def test_paths_lead_through_headers_from_the_outside_in(sheet: SyntheticSheet) -> None:
    data = {at for at, cell in sheet.cells.items() if cell.role in DATA_ROLES}
    assert set(sheet.col_paths) == set(sheet.row_paths) == data
    for paths, kinds in ((sheet.col_paths, COLUMN_HEADERS), (sheet.row_paths, ROW_HEADERS)):
        for path in paths.values():
            roles = [sheet.cells[at].role for at in path]
            assert set(roles) <= set(kinds)
            assert roles == sorted(roles, reverse=True)
            assert len(set(path)) == len(path)


def test_every_figure_lies_in_one_table(sheet: SyntheticSheet) -> None:
    for row, col in sheet.col_paths:
        assert sum(table.contains(row, col) for table in sheet.tables) == 1


def _numbers(sheet: SyntheticSheet, references: str) -> list[float]:
    found = []
    for reference in references.split(","):
        left, top, right, bottom = range_boundaries(reference)
        cells = [(row - 1, col - 1) for row in range(top, bottom + 1) for col in range(left, right + 1)]
        found += [sheet.cells[at].value for at in cells if at in sheet.cells]
    return [value for value in found if isinstance(value, int | float)]


def test_formulas_give_their_cached_values(sheet: SyntheticSheet) -> None:
    for cell in sheet.cells.values():
        match = re.fullmatch(r"=(SUM|AVERAGE)\((.*)\)", cell.formula or "")
        if match:
            parts = _numbers(sheet, match[2])
            expected = sum(parts) / (len(parts) if match[1] == "AVERAGE" else 1)
            assert cell.role is Role.AGGREGATION
            assert cell.value == pytest.approx(expected, abs=0.006)


def test_labelled_sheet_has_certain_labels() -> None:
    source = generate(3, "nested_stubs")
    labelled = to_labelled(source)
    assert labelled.roles.tolist() == [cell.role for cell in source.cells.values()]
    assert labelled.targets.tolist() == [1 << cell.role for cell in source.cells.values()]
    assert labelled.candidates == 2**13 - 1
    assert (np.diff(labelled.sheet.row) >= 0).all()


def _same(read: Sheet, made: Sheet) -> None:
    for name in ("row", "col", "kind", "value", "text", "formula", "uncached", "merges"):
        np.testing.assert_array_equal(getattr(read, name), getattr(made, name), err_msg=f"{made.workbook} {name}")
    np.testing.assert_allclose(read.number, made.number, rtol=1e-14)  # a time of day is a rounded fraction
    assert [read.styles[k] for k in read.style] == [made.styles[k] for k in made.style]
    assert dict(read.hyperlinks) == dict(made.hyperlinks)


def test_written_workbook_reads_as_the_direct_sheet(tmp_path: Path) -> None:
    sheets = [generate(seed, family) for family in FAMILIES for seed in range(2)]
    write_xlsx(sheets, tmp_path / "families.xlsx")
    for read, source in zip(read_workbook(tmp_path / "families.xlsx"), sheets, strict=True):
        _same(read, to_sheet(source))


def test_lines_know_parents_depth_and_parts() -> None:
    tree = (Node("North", nodes(("a", "b")), figures="sum"), Node("South"), Node("Total", derived="sum"))
    assert lines(tree) == (
        Line("North", (), 2, "sum", (1, 2), False, None),
        Line("a", (0,), 1, "own", (), True, None),
        Line("b", (0,), 1, "own", (), True, None),
        Line("South", (), 1, "own", (), True, None),
        Line("Total", (), 1, "sum", (1, 2, 3), True, None),
    )


def test_derived_figures_add_up_over_missing_ones() -> None:
    rows = lines((*nodes(("a", "b")), Node("Total", derived="sum")))
    cols = lines((*nodes(("x", "y")), Node("Total", derived="sum"), Node("%", derived="share")))
    grid = np.array([[1.0, 2.0, 0, 0], [3.0, np.nan, 0, 0], [0, 0, 0, 0]])
    expected = [[1.0, 2.0, 3.0, 0.5], [3.0, np.nan, 3.0, 0.5], [4.0, 2.0, 6.0, 1.0]]
    np.testing.assert_array_equal(derive(grid, rows, cols, [Measure()] * 4), np.array(expected))


def _placed(layout: Layout) -> SyntheticSheet:
    canvas = Canvas()
    rows = (Node("g", nodes(("a", "b"))), Node("t", derived="sum"))
    columns = (Node("left", nodes(("x", "y"))), Node("only"))
    region = TableWriter(canvas, Look(), (0, 0), layout).place(Random(0), rows, columns, Measure())
    assert canvas.tables == [region]
    return canvas.sheet("test", "en", "Sheet1")


def _headers(sheet: SyntheticSheet) -> dict[tuple[int, int], tuple[object, Role]]:
    return {at: (cell.value, cell.role) for at, cell in sheet.cells.items() if cell.role not in DATA_ROLES}


def test_merged_spans_over_stub_columns() -> None:
    sheet = _placed(Layout(body="stub", fill="merged", corners=("outer", "inner")))
    assert _headers(sheet) == {
        (0, 2): ("left", Role.COL_HEADER_2),
        (0, 4): ("only", Role.COL_HEADER_1),
        (1, 0): ("outer", Role.COL_HEADER_1),
        (1, 1): ("inner", Role.COL_HEADER_1),
        (1, 2): ("x", Role.COL_HEADER_1),
        (1, 3): ("y", Role.COL_HEADER_1),
        (2, 0): ("g", Role.ROW_HEADER_2),
        (2, 1): ("a", Role.ROW_HEADER_1),
        (3, 1): ("b", Role.ROW_HEADER_1),
        (4, 0): ("t", Role.ROW_HEADER_1),
    }
    assert sheet.merges == (Region(0, 2, 1, 4), Region(0, 4, 2, 5), Region(2, 0, 4, 1))
    assert sheet.col_paths[3, 3] == ((0, 2), (1, 3))
    assert sheet.row_paths[3, 3] == ((2, 0), (3, 1))
    assert sheet.row_paths[4, 4] == ((4, 0),)
    assert sheet.cells[4, 4].role is Role.AGGREGATION


def test_headers_below_are_read_upwards_and_stubs_right_inwards() -> None:
    sheet = _placed(Layout(body="stub", spans="first", short="bottom", below=True, right=True))
    assert sheet.tables == (Region(0, 0, 5, 5),)
    assert sheet.col_paths[0, 1] == ((4, 0), (3, 1))
    assert sheet.row_paths[1, 0] == ((0, 4), (1, 3))


def test_wrapped_labels_are_one_level() -> None:
    canvas = Canvas()
    columns = nodes(("one two three", "four"))
    TableWriter(canvas, Look(), (0, 0), Layout(wrap=3)).place(Random(0), nodes(("a",)), columns, Measure())
    sheet = canvas.sheet("test", "en", "Sheet1")
    assert sheet.col_paths[3, 1] == ((0, 1), (1, 1), (2, 1))
    assert sheet.col_paths[3, 2] == ((2, 2),)


def test_vocabularies_are_complete_and_aligned() -> None:
    english = words("en")
    for language in LANGUAGES:
        own = words(language)
        assert set(english.names) == set(own.names)
        assert set(english.lists) == set(own.lists)
        assert [len(own.lists[kind]) for kind in ("months", "quarters", "ages", "parts")] == [12, 4, 8, 12]


def test_demo_workbook_is_always_the_same(tmp_path: Path) -> None:
    assert demo_sheets() == demo_sheets()
    demo_workbook(tmp_path / "demo.xlsx")
    read = read_workbook(tmp_path / "demo.xlsx")
    assert [sheet.name for sheet in read] == ["Credit", "Visitors", "Stores", "Order", "Inventory"]
    for sheet, source in zip(read, demo_sheets(), strict=True):
        _same(sheet, to_sheet(source))
    assert len(demo_sheets()[2].tables) == 3


def test_samples_show_every_family(tmp_path: Path) -> None:
    write_samples(tmp_path / "synthetic.md")
    text = (tmp_path / "synthetic.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.*)$", text, re.M) == list(FAMILIES)
    assert "| 2 | Desk lamp **r1** |" in markdown(demo_sheets()[4])
