"""The families about misread layouts: roles and paths as the annotation guide has them, looks that vary."""

import re
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from cellroles.sheet import COLUMN_HEADERS, DATA_ROLES, Region, Role, a1
from data.synthetic import SyntheticSheet, generate
from data.synthetic.blocks import Datum, Entry, Head, HeadLine, Label, write_entries, write_head
from data.synthetic.grid import Canvas
from data.synthetic.misread import FAMILIES
from data.synthetic.restyle import RESTYLES
from data.synthetic.styles import Look

SEEDS = range(60)


def made(family: str) -> Iterator[SyntheticSheet]:
    return (generate(seed, family) for seed in SEEDS)


def roles(canvas: Canvas) -> dict[tuple[int, int], Role]:
    return {at: cell.role for at, cell in canvas.cells.items()}


def test_head_lines_give_paths_from_the_outside_in() -> None:
    canvas = Canvas()
    lines = [
        HeadLine((Head(0, "2019", 2), Head(2, "2020")), Role.COL_HEADER_2),
        HeadLine((Head(0, "EUR m", 3),), Role.METADATA),
        HeadLine((Head(0, "a"), Head(1, "b"), Head(2, "c"))),
    ]
    row, heads = write_head(canvas, Look(), (4, 1), lines, 3)
    assert row == 7
    assert heads == [((4, 1), (6, 1)), ((4, 1), (6, 2)), ((4, 3), (6, 3))]
    assert canvas.merges == [Region(4, 1, 5, 3), Region(5, 1, 6, 4)]
    assert roles(canvas)[5, 1] is Role.METADATA


def test_entries_stack_their_groups() -> None:
    canvas = Canvas()
    _, heads = write_head(canvas, Look(), (0, 1), [HeadLine((Head(0, "x"), Head(1, "y")))], 2)
    body = [
        Entry((Label("Section", 3),)),
        Entry((Label("Group", 2),)),
        Entry((Label("a"),), (Datum(1), None)),
        Entry((Label("b"),), (Datum("both", span=2),), gap=1),
        Entry(
            (Label("Total"),),
            (None, Datum(3, role=Role.AGGREGATION, formula=lambda row, col: f"={row}{col}")),
            closes=True,
        ),
    ]
    assert write_entries(canvas, Look(), (1, 0), body, heads) == 7
    assert canvas.row_paths == {
        (3, 1): ((1, 0), (2, 0), (3, 0)),
        (5, 1): ((1, 0), (2, 0), (5, 0)),
        (6, 2): ((6, 0),),
    }
    assert canvas.col_paths == {(3, 1): ((0, 1),), (5, 1): (), (6, 2): ((0, 2),)}
    assert canvas.merges == [Region(5, 1, 6, 3)]
    assert canvas.cells[6, 2].formula == "=62"


def test_side_stubs_keep_their_outer_label_until_the_next() -> None:
    canvas = Canvas()
    body = [
        Entry((Label("outer", 2), Label("a", column=1)), (Datum(1),)),
        Entry((Label("b", column=1),), (Datum(2),)),
        Entry((Label("alone"),), (Datum(3),), closes=True),
    ]
    write_entries(canvas, Look(), (0, 0), body, [()], stubs=2)
    assert canvas.row_paths == {(0, 2): ((0, 0), (0, 1)), (1, 2): ((0, 0), (1, 1)), (2, 2): ((2, 0),)}


@pytest.mark.parametrize("change", RESTYLES, ids=lambda change: change.__name__)
def test_restyling_keeps_formats_and_indents(change) -> None:
    source = generate(5, "section_levels")
    canvas = Canvas()
    canvas.cells = dict(source.cells)
    styled = change(Random(1), canvas)
    for at, cell in source.cells.items():
        style = styled(at, cell)
        assert (style.number_format, style.indent) == (cell.style.number_format, cell.style.indent)


@pytest.mark.parametrize("family", FAMILIES)
def test_looks_do_not_give_the_header_away(family: str) -> None:
    """In some sheets the innermost labels look like the cells below them, in others they do not."""
    alike = Counter[bool]()
    for sheet in made(family):
        heads = {(c.style.bold, c.style.fill) for c in sheet.cells.values() if c.role in (*COLUMN_HEADERS, Role.HEADER)}
        body = {(c.style.bold, c.style.fill) for c in sheet.cells.values() if c.role in DATA_ROLES}
        alike[heads <= body] += 1
    assert min(alike[True], alike[False]) >= 5


def test_comparisons_hold_text_below_the_header() -> None:
    kinds = Counter(isinstance(sheet.cells[at].value, str) for sheet in made("comparison") for at in sheet.col_paths)
    assert kinds[True] > 3 * kinds[False] > 0


@pytest.mark.parametrize("family", ["first_group", "list_groups", "section_levels"])
def test_the_first_group_follows_the_header_row(family: str) -> None:
    for sheet in made(family):
        last = max(row for (row, _), cell in sheet.cells.items() if cell.role in COLUMN_HEADERS)
        below = min(row for row, _ in sheet.cells if row > last)
        below += any(cell.role is Role.METADATA for (row, _), cell in sheet.cells.items() if row == below)
        first = next(cell.role for (row, _), cell in sorted(sheet.cells.items()) if row >= below)
        assert first in (Role.ROW_HEADER_2, Role.ROW_HEADER_3)


def test_a_whole_beside_its_parts_is_derived() -> None:
    wholes = 0
    for sheet in made("corner_group"):
        by_group: dict[str, set[Role]] = {}
        for at, path in sheet.row_paths.items():
            if isinstance(sheet.cells[at].value, int | float):
                label = str(sheet.cells[path[0]].value)
                by_group.setdefault(label, set()).add(sheet.cells[at].role)
        derived = [group for group, found in by_group.items() if found == {Role.AGGREGATION}]
        assert len(derived) <= 1 < len(by_group) or not derived
        wholes += len(derived)
    assert wholes > 3


def test_a_group_in_the_corner_governs_the_rows_below() -> None:
    for sheet in made("corner_group"):
        corners = [
            at for at, cell in sheet.cells.items()
            if cell.role is Role.ROW_HEADER_2 and sheet.cells.get((at[0], 1 + at[1]), cell).role in COLUMN_HEADERS
        ]  # fmt: skip
        assert corners
        assert {path[0] for path in sheet.row_paths.values()} >= set(corners)


def test_units_are_metadata_inside_the_table_and_in_no_path() -> None:
    for sheet in made("unit_cells"):
        table = sheet.tables[0]
        units = [at for at, cell in sheet.cells.items() if cell.role is Role.METADATA and table.contains(*at)]
        assert units
        assert not {at for path in sheet.col_paths.values() for at in path} & set(units)


def test_number_and_percent_are_labels_of_their_columns() -> None:
    for sheet in made("number_percent"):
        assert all(len(path) == 2 for path in sheet.col_paths.values())
        assert not any(cell.role is Role.METADATA for at, cell in sheet.cells.items() if sheet.tables[0].contains(*at))


def test_rotas_compute_hours_and_dates() -> None:
    cells = [cell for sheet in made("rota") for cell in sheet.cells.values() if cell.formula]
    found = {cell.role for cell in cells}
    assert found == {Role.AGGREGATION, Role.COL_HEADER_1}


def test_calculators_tell_results_from_inputs() -> None:
    for family in ("calculator", "options", "worked_example"):
        for sheet in made(family):
            for at in sheet.col_paths:
                cell = sheet.cells[at]
                refers = any(char.isalpha() for char in cell.formula or "")
                assert cell.role is (Role.AGGREGATION if refers else Role.VALUE)


def test_formulas_of_results_give_their_values() -> None:
    checked = 0
    for sheet in made("calculator"):
        shown = {f"{a1(*at)}": cell.value for at, cell in sheet.cells.items()}
        for cell in sheet.cells.values():
            match = re.fullmatch(r"=([A-Z]+[0-9]+)([-+*/])([A-Z]+[0-9]+)", cell.formula or "")
            if match:
                a, b = float(shown[match[1]]), float(shown[match[3]])
                expected = {"+": a + b, "-": a - b, "*": a * b, "/": a / b if b else a + b}[match[2]]
                assert cell.value == pytest.approx(expected, rel=1e-4, abs=1e-4)
                checked += 1
    assert checked > 100


def test_forms_pair_each_value_with_its_own_label() -> None:
    several = 0
    for sheet in made("pair_form"):
        for (row, col), path in sheet.row_paths.items():
            if not sheet.col_paths[row, col]:
                assert len(path) == 1 and path[0][0] == row and path[0][1] < col
                between = [at for at in sheet.cells if at[0] == row and path[0][1] < at[1] < col]
                assert not between
                several += sum(at[0] == row and cell.role is Role.ROW_HEADER_1 for at, cell in sheet.cells.items()) > 1
    assert several > 200


def test_lines_above_a_table_are_no_column_headers() -> None:
    roles_above = Counter[Role]()
    for sheet in made("preamble"):
        top = min(row for (row, _), cell in sheet.cells.items() if cell.role in COLUMN_HEADERS)
        roles_above.update(cell.role for (row, _), cell in sheet.cells.items() if row < top)
    assert {Role.HEADER, Role.METADATA, Role.ROW_HEADER_1, Role.VALUE} <= set(roles_above)


def test_typed_totals_are_the_sums_of_their_columns() -> None:
    unlabelled = 0
    for sheet in made("typed_totals"):
        body = {at[0] for at, cell in sheet.cells.items() if cell.role is Role.VALUE}
        for (row, col), path in sheet.row_paths.items():
            cell = sheet.cells[row, col]
            assert cell.formula is None
            if row not in body and isinstance(cell.value, int | float):
                parts = [float(sheet.cells[y, col].value) for y in body if (y, col) in sheet.cells]
                assert cell.role is Role.AGGREGATION
                assert cell.value == pytest.approx(sum(parts), abs=0.01)
                unlabelled += not path
    assert unlabelled > 5


def test_what_looks_like_a_total_is_a_value() -> None:
    for sheet in made("false_totals"):
        assert {sheet.cells[at].role for at in sheet.col_paths} == {Role.VALUE}


def test_numbers_name_the_rows_and_columns_of_a_rate_grid() -> None:
    computed = Counter[Role]()
    for sheet in made("rate_grid"):
        for at, path in sheet.col_paths.items():
            assert len(sheet.row_paths[at]) >= 1 <= len(path)
            assert isinstance(sheet.cells[path[-1]].value, int | float)
            assert (sheet.cells[at].role is Role.AGGREGATION) == (sheet.cells[at].formula is not None)
            computed[sheet.cells[at].role] += 1
    assert min(computed.values()) > 200


def test_work_plans_keep_the_stage_over_its_items() -> None:
    depths = Counter(len(path) for sheet in made("work_plan") for path in sheet.row_paths.values())
    assert set(depths) == {1, 2, 3}
