"""Synthetic lists and keys: which columns identify a record, by the annotation guide."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random

import pytest
from openpyxl.utils.cell import coordinate_to_tuple

from cellroles.sheet import DATA_ROLES, ROW_HEADERS, Region, Role
from data.synthetic import SyntheticSheet, generate
from data.synthetic.coined import coin
from data.synthetic.columns import MAKERS, column, columns, repeated, runs
from data.synthetic.grid import Canvas
from data.synthetic.identifying import codes, key_column, worn
from data.synthetic.lists import HEADS, place_list, write_heads
from data.synthetic.records import Field
from data.synthetic.styles import Look
from data.synthetic.vocabulary import LANGUAGES, words

WORDS = words("en")
SEEDS = range(30)


def _columns(sheet: SyntheticSheet) -> dict[int, list[tuple[int, object, Role]]]:
    """Body cells by column of the first table, without total rows: row, value, role."""
    table = sheet.tables[0]
    totals = {
        row
        for (row, _), cell in sheet.cells.items()
        if cell.role is Role.AGGREGATION and (cell.formula or "=SUM(").startswith("=SUM(")
    }
    found: dict[int, list[tuple[int, object, Role]]] = {}
    for (row, col), cell in sheet.cells.items():
        if table.contains(row, col) and row not in totals and cell.role in (*DATA_ROLES, *ROW_HEADERS):
            found.setdefault(col, []).append((row, cell.value, cell.role))
    return found


def _keys(sheet: SyntheticSheet) -> dict[int, Role]:
    """The role of every column that holds row headers: then it holds nothing else."""
    roles = {col: {role for _, _, role in cells} for col, cells in _columns(sheet).items()}
    found = {col: roles[col] for col in sorted(roles) if roles[col] & set(ROW_HEADERS)}
    assert all(len(kinds) == 1 for kinds in found.values())
    return {col: role for col, (role,) in found.items()}


def _sheets(family: str) -> Iterator[SyntheticSheet]:
    return (generate(seed, family) for seed in SEEDS)


@pytest.mark.parametrize(
    "family",
    [
        "register", "text_register", "attribute_first", "sorted_by_attribute", "match_list", "one_hot",
        "numbered_notes", "code_list", "linked_list", "tiny_list", "ledger", "continued",
    ],
)  # fmt: skip
def test_one_column_of_different_values_identifies(family: str) -> None:
    for sheet in _sheets(family):
        ((col, role),) = _keys(sheet).items()
        assert role is Role.ROW_HEADER_1
        if family in ("register", "text_register"):
            continue  # their names may stand twice
        values = [value for _, value, _ in _columns(sheet)[col]]
        assert len(set(values)) >= len(values) - 2  # footnote marks may part or join two of them


def test_long_texts_of_a_checklist_are_values() -> None:
    for sheet in _sheets("checklist"):
        keys = _keys(sheet)
        assert list(keys.values()) == [Role.ROW_HEADER_1] * len(keys)
        assert len(keys) in (1, 2)
        assert len(_columns(sheet)) > len(keys)


@pytest.mark.parametrize("family", ["serial_register", "contract_register"])
def test_serial_number_and_name_identify_together(family: str) -> None:
    for sheet in _sheets(family):
        assert list(_keys(sheet).values()) == [Role.ROW_HEADER_1] * 2
        for at, path in sheet.row_paths.items():
            if sheet.cells[at].role is Role.VALUE:
                assert [col for _, col in path] == list(_keys(sheet))


def test_lists_of_several_keys_have_the_outer_one_first() -> None:
    expected = (Role.ROW_HEADER_3, Role.ROW_HEADER_2, Role.ROW_HEADER_1)
    for family in ("key_pairs", "link_table"):
        for sheet in _sheets(family):
            roles = list(_keys(sheet).values())
            assert len(roles) > 1
            assert roles == list(expected[-len(roles) :])


def test_items_lie_under_the_record_that_holds_them() -> None:
    seen = set()
    for sheet in _sheets("records_of_items"):
        table = sheet.tables[0]
        for (row, _), path in sheet.row_paths.items():
            roles = [sheet.cells[at].role for at in path]
            seen.add(len(roles))
            assert roles in ([Role.ROW_HEADER_2], [Role.ROW_HEADER_2, Role.ROW_HEADER_1])
            starts = [at for at in sheet.cells if at[1] == table.left and at[0] <= row]
            assert path[0] == max(starts)
            assert path[-1][0] == row
    assert seen == {1, 2}


def test_sections_scope_the_records_below_them() -> None:
    for sheet in _sheets("sectioned_register"):
        sections = [at for at, cell in sheet.cells.items() if cell.role is Role.ROW_HEADER_2]
        assert len(sections) > 1
        for (row, _), path in sheet.row_paths.items():
            assert path[0] == max(at for at in sections if at[0] < row)
            assert {at[0] for at in path[1:]} == {row}


def test_the_key_may_stand_behind_the_figures_or_be_absent() -> None:
    places = set()
    for sheet in _sheets("measured_first"):
        ((key, role),) = _keys(sheet).items()
        assert role is Role.ROW_HEADER_1
        places.add((key > min(_columns(sheet)), key < max(_columns(sheet))))
    assert places >= {(True, False), (True, True), (False, True)}
    assert not any(_keys(sheet) for sheet in _sheets("unkeyed"))


def test_x_names_the_rows_of_its_own_series() -> None:
    for sheet in _sheets("xy_series"):
        for (row, col), path in sheet.row_paths.items():
            (key,) = path
            assert key[0] == row
            between = [sheet.cells[row, k].role for k in range(key[1] + 1, col)]
            assert set(between) <= {Role.VALUE}


def test_a_time_or_number_comes_first_in_responses_and_logs() -> None:
    for family in ("responses", "event_log", "database_dump"):
        for sheet in _sheets(family):
            keys = _keys(sheet)
            assert list(keys) == [min(_columns(sheet))]


def test_a_question_names_its_row_unless_an_id_does() -> None:
    found = set()
    for sheet in _sheets("questions_answers"):
        first, *others = _keys(sheet)
        by_id = str(_columns(sheet)[first][0][1]).startswith("Q0")
        assert not (by_id and others)
        found.add((by_id, len(others)))
    assert {(True, 0), (False, 0), (False, 1)} <= found


def _at(reference: str) -> tuple[int, int]:
    row, col = coordinate_to_tuple(reference)
    return row - 1, col - 1


def test_formulas_that_compute_are_aggregation_and_copies_are_values() -> None:
    kinds = set()
    for sheet in _sheets("computed_list"):
        for (row, _), cell in sheet.cells.items():
            copied = re.fullmatch(r"=\+?([A-Z]+[0-9]+)", cell.formula or "")
            counted = re.fullmatch(r"=([A-Z]+[0-9]+)\+1|=ROW\(\)-([0-9]+)", cell.formula or "")
            if copied:
                assert (cell.role, cell.value) == (Role.VALUE, sheet.cells[_at(copied[1])].value)
            elif counted:
                above = sheet.cells[_at(counted[1])].value if counted[1] else row - int(counted[2])
                assert (cell.role, cell.value) == (Role.ROW_HEADER_1, above + 1)
            elif cell.formula:
                assert cell.role is Role.AGGREGATION
            kinds.add("copied" if copied else "counted" if counted else bool(cell.formula))
    assert kinds == {"copied", "counted", True, False}


def test_copies_from_another_sheet_keep_their_roles() -> None:
    roles = {cell.role for sheet in _sheets("linked_list") for cell in sheet.cells.values() if cell.formula}
    assert roles == {Role.VALUE, Role.ROW_HEADER_1}


@pytest.mark.parametrize("family", ["continued", "ledger"])
def test_what_refers_to_the_row_above_is_aggregation_after_a_typed_first(family: str) -> None:
    for sheet in _sheets(family):
        made = {at: cell for at, cell in sheet.cells.items() if cell.formula}
        assert made
        for (row, col), cell in made.items():
            above, added = (cell.formula or "")[1:].split("+")
            assert _at(above) == (row - 1, col)
            assert cell.role is Role.AGGREGATION
            step = int(added) if added.isdigit() else sheet.cells[_at(added)].value
            before = sheet.cells[_at(above)].value
            expected = before + timedelta(days=step) if isinstance(before, datetime) else pytest.approx(before + step)
            assert cell.value == expected
        top = min(made)
        assert sheet.cells[top[0] - 1, top[1]].role is Role.VALUE


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_head_has_a_maker(language: str) -> None:
    for heads in ("attribute_heads", "database_fields"):
        for text in words(language).lists[heads]:
            kind, head = text.split(":", 1)
            made = column(Random(1), words(language), kind, head, 4)
            assert (made.header, len(made.values), made.role) == (head, 4, Role.VALUE)
    for seed in range(20):
        assert len(set(key_column(Random(seed), words(language), 30).values)) == 30


def test_makers_give_a_value_per_row() -> None:
    for kind in MAKERS:
        assert len(column(Random(3), WORDS, kind, "h", 9).values) == 9
    for seed in range(20):
        found = codes(Random(seed), 70)
        assert len(set(found)) == 70
        sorted_runs = runs(Random(seed), ("a", "b", "c", "d"), 9)
        assert list(sorted_runs) == sorted(sorted_runs, key=str)
        assert len(repeated(Random(seed), (1, 2, 3), 5)) == 5
    assert len({field.header for field in columns(Random(1), WORDS, 20, 3)}) == 20


def test_coined_words_differ_and_are_not_those_of_the_pool() -> None:
    for language in LANGUAGES:
        pool = words(language).lists["cities"]
        made = coin(Random(1), pool, 40)
        assert len(set(made)) == 40
        assert all(str(word).strip() for word in made)
        assert len(set(made) - set(pool)) > 25


def test_worn_keys_repeat_or_miss_but_start_with_a_name() -> None:
    fields = [worn(Random(seed), Field("k", tuple(range(50)), Role.ROW_HEADER_1)) for seed in range(40)]
    assert all(field.values[0] is not None and len(field.values) == 50 for field in fields)
    assert any(len(set(field.values)) < 45 for field in fields)
    assert any(None in field.values for field in fields)
    assert any(len(set(field.values)) == 50 for field in fields)


FIELDS = (
    Field("k", ("a", "b"), Role.ROW_HEADER_1),
    Field("", (None, None)),
    Field("v", (1, 2)),
    Field("w", (3, 4), adds_up=True),
)


@pytest.mark.parametrize("how", HEADS)
def test_heads_are_paths_of_their_columns(how: str) -> None:
    for seed in range(10):
        canvas = Canvas()
        paths, below = write_heads(Random(seed), WORDS, Look(), canvas, (2, 1), FIELDS, how)
        assert below - 2 == {"none": 0, "grouped": 2, "described": 2, "numbered": 2}.get(how, 1)
        assert paths[1] == ()
        for j, path in enumerate(paths):
            assert all(2 <= row < below and canvas.cells[row, col].value for row, col in path)
            assert not path or path[-1][1] == 1 + j
        assert bool(paths[0]) == (how not in ("none", "first_blank")) or how == "some_blank"


def test_a_list_is_one_table_with_its_heads() -> None:
    canvas = Canvas()
    region = place_list(Random(5), WORDS, Look(), canvas, FIELDS, heads="plain", framed=0, dressed=False, total="Sum")
    assert canvas.tables == [region]
    assert region == Region(0, region.left, 4, region.left + 4)
    assert canvas.col_paths[1, region.left + 3] == ((0, region.left + 3),)
    assert canvas.row_paths[2, region.left + 2] == ((2, region.left),)
