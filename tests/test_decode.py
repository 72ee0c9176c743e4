"""Decoding: probabilities and roles become roles that agree along lines and looks."""

from __future__ import annotations

import numpy as np
import pytest

from cellroles.decode import decode, smooth
from cellroles.features.words import UNIT_ALONE
from cellroles.sheet import Bytes, Floats, Role, Sheet
from tests.grids import picture


def changed(sheet: Sheet, roles: Bytes) -> dict[str, str]:
    """What smoothing changes: A1 cell -> new role."""
    after = smooth(sheet, roles)
    return {sheet.ref(i): Role(after[i]).label for i in np.flatnonzero(after != roles)}


def found(sheet: Sheet, roles: Bytes, sure: float = 0.8) -> dict[str, str]:
    """What decoding changes where a model is about `sure` of each of these roles: A1 cell -> new role."""
    after = decode(sheet, one_hot(roles, sure))[0]
    return {sheet.ref(i): Role(after[i]).label for i in np.flatnonzero(after != roles)}


def one_hot(roles: Bytes, probability: float) -> Floats:
    p = np.full((len(roles), len(Role)), (1 - probability) / (len(Role) - 1), np.float32)
    p[np.arange(len(roles)), roles] = probability
    return p


CLEAN = "c1 City | c1 Men | c1 Women | c1 All\n" + "\n".join(f"r1 {name} | v 1 | v 2 | a 3" for name in "abcdefgh")


def test_consistent_roles_stay() -> None:
    assert found(*picture(CLEAN)) == {}


def test_value_in_a_stub_column_becomes_a_row_header() -> None:
    assert found(*picture(CLEAN.replace("r1 d", "v d"))) == {"A5": "row_header_1"}


def test_value_in_a_header_row_becomes_a_column_header() -> None:
    assert found(*picture(CLEAN.replace("c1 Women", "v Women"))) == {"C1": "col_header_1"}


def test_three_of_four_decide_a_line() -> None:
    text = CLEAN.replace("r1 b", "v b").replace("r1 g", "v g")
    assert found(*picture(text)) == {"A3": "row_header_1", "A8": "row_header_1"}


def test_header_inside_the_body_becomes_data() -> None:
    assert found(*picture(CLEAN.replace("r1 d | v 1 | v 2", "r1 d | v 1 | h 2"))) == {"C5": "value"}


def test_first_label_of_a_stub_column_is_no_column_header() -> None:
    assert found(*picture(CLEAN.replace("r1 a", "c1 a"))) == {"A2": "row_header_1"}


def test_a_column_is_decided_as_a_whole() -> None:
    sheet, roles = picture(CLEAN)
    labels = np.flatnonzero(roles == Role.ROW_HEADER_1)
    p = one_hot(roles, 0.9)
    p[labels[:3], Role.ROW_HEADER_1], p[labels[:3], Role.VALUE] = 0.3, 0.6
    assert decode(sheet, p)[0].tolist() == roles.tolist()
    p[labels, Role.ROW_HEADER_1], p[labels, Role.VALUE] = 0.05, 0.9
    assert (decode(sheet, p)[0][labels] == Role.VALUE).all()


def test_a_column_after_one_of_outer_labels_is_a_stub() -> None:
    lines = [f"r2 20{i // 3:02} | r1 {'abc'[i % 3]} | v 1 | v 2" for i in range(9)]
    sheet, roles = picture("c1 Year | c1 Kind | c1 Men | c1 Women\n" + "\n".join(lines))
    p = one_hot(roles, 0.8)
    second = (sheet.col == 1) & (sheet.row > 0)
    p[second] = 0.02
    p[second, Role.VALUE], p[second, Role.ROW_HEADER_1] = 0.45, 0.4
    assert decode(sheet, p)[0].tolist() == roles.tolist()
    p[(sheet.col == 0) & (sheet.row > 0)] = one_hot(np.full(9, Role.ROW_HEADER_1, np.uint8), 0.8)
    assert (decode(sheet, p)[0][second] == Role.VALUE).all()


def test_titles_and_notes_around_a_table_stay() -> None:
    assert found(*picture(f"h Births by city\nm thousands\n{CLEAN}\nm Source: own count")) == {}


def test_depth_of_a_stray_label_follows_the_labels_that_look_like_it() -> None:
    assert changed(*picture(CLEAN.replace("r1 d", "r2 d"))) == {"A5": "row_header_1"}


def test_group_lines_look_different_and_keep_their_depth() -> None:
    text = CLEAN.replace("r1 a", "r2 North | | |\nr1 a").replace("r1 e", "r2 South | | |\nr1 e")
    assert changed(*picture(text)) == {}


def test_depth_agrees_along_a_header_row() -> None:
    assert changed(*picture(CLEAN.replace("c1 Women", "c2 Women"))) == {"C1": "col_header_1"}


def test_tables_apart_do_not_vote_together() -> None:
    pairs = "\n".join(f"{'v' if i == 2 else 'r1'} {i} | | | r1 {i}" for i in range(6))
    assert found(*picture(pairs)) == {"A3": "row_header_1"}
    apart = "v x\n\n\n" + "\n".join(f"r1 {i} | v 1" for i in range(6))
    assert found(*picture(apart)) == {}


@pytest.mark.parametrize(
    ("formula", "role"),
    [
        ("=A1+1", Role.AGGREGATION),
        ("=SUM(A:A)", Role.AGGREGATION),
        ("=SUM(1:3)", Role.AGGREGATION),
        ("=price*2", Role.AGGREGATION),
        ("=LOG10(5)*1E3", Role.VALUE),
        ('=IF(TRUE,"A1",2)', Role.VALUE),
        ("=TODAY()", Role.VALUE),
    ],
)
def test_formulas_tell_aggregations_from_values(formula: str, role: Role) -> None:
    for given in ("v", "a"):
        sheet, roles = picture(f"{given} 1", formulas={"A1": formula})
        assert smooth(sheet, roles).tolist() == [role]


@pytest.mark.parametrize("formula", ["=A1", "=+$B$2", "='Sheet 2'!C3", "=Other!C3"])
def test_a_formula_that_copies_a_cell_may_be_either(formula: str) -> None:
    sheet, roles = picture("v 1 | a 2", formulas={"A1": formula, "B1": formula})
    assert changed(sheet, roles) == {}


def test_decode_never_gives_empty_and_reports_its_probability() -> None:
    sheet, _ = picture("v 1")
    p = np.zeros((1, len(Role)), np.float32)
    p[0, [Role.EMPTY, Role.METADATA, Role.VALUE]] = 0.6, 0.3, 0.1
    roles, confidence = decode(sheet, p)
    assert roles.tolist() == [Role.METADATA]
    assert confidence == pytest.approx([0.75], abs=1e-3)


def test_probabilities_of_the_group_outweigh_a_cell_that_is_less_sure() -> None:
    sheet, roles = picture(CLEAN.replace("r1 d", "r2 d"))
    odd = int(np.flatnonzero(roles == Role.ROW_HEADER_2)[0])
    p = one_hot(roles, 0.99)
    p[odd, Role.ROW_HEADER_2], p[odd, Role.ROW_HEADER_1] = 0.7, 0.29
    decoded, confidence = decode(sheet, p)
    assert decoded[odd] == Role.ROW_HEADER_1
    assert confidence[odd] == pytest.approx(0.29, abs=1e-3)


def test_indentation_speaks_for_depth_when_the_model_hesitates() -> None:
    text = "r2 North | a 3\nr1 a | v 1\nr1 b | v 2\nr2 South | a 3\nr1 c | v 1\nr1 d | v 2"
    sheet, roles = picture(text, indents={f"A{i}": 1 for i in (2, 3, 5, 6)})
    p = one_hot(roles, 0.9)
    outer = roles == Role.ROW_HEADER_2
    p[outer, Role.ROW_HEADER_2], p[outer, Role.ROW_HEADER_1] = 0.4, 0.5
    assert decode(sheet, p)[0].tolist() == roles.tolist()


def test_label_without_values_above_one_with_values_is_not_innermost() -> None:
    sheet, roles = picture("r2 North | \nr1 a | v 1\nr1 b | v 2")
    p = one_hot(roles, 0.9)
    p[0, Role.ROW_HEADER_2], p[0, Role.ROW_HEADER_1] = 0.4, 0.5
    assert decode(sheet, p)[0].tolist() == roles.tolist()


def test_a_label_above_a_group_line_is_of_a_higher_level() -> None:
    sheet, roles = picture("r3 Exports | \nr2 North | \nr1 a | v 1\nr1 b | v 2\nr2 South | \nr1 c | v 3")
    p = one_hot(roles, 0.9)
    p[0, Role.ROW_HEADER_3], p[0, Role.ROW_HEADER_2] = 0.4, 0.5
    assert decode(sheet, p)[0].tolist() == roles.tolist()


def test_blocks_of_equal_headers_have_equal_columns() -> None:
    lines = "\n".join(f"r1 {i} | v {i} | r1 {i + 2} | v 7" for i in range(6))
    sheet, roles = picture("c1 Day | c1 Count | c1 Day | c1 Count\n" + lines)
    p = one_hot(roles, 0.8)
    p[(sheet.col == 2) & (sheet.row > 0)] = one_hot(np.zeros(6, np.uint8), 0.8)
    assert decode(sheet, p)[0].tolist() == roles.tolist()


def test_a_row_of_units_among_headers_is_metadata_and_the_levels_above_close_up() -> None:
    text = "| c3 Income | | c3 Costs\n| c2 £(000) | | c2 £(000)\n| c1 2008 | c1 2009 | c1 2008 | c1 2009\n"
    sheet, roles = picture(
        text + "r1 a | v 1 | v 2 | v 3 | v 4\nr1 b | v 1 | v 2 | v 3 | v 4", merges="B1:C1 D1:E1 B2:C2 D2:E2"
    )
    assert changed(sheet, roles) == {"B1": "col_header_2", "D1": "col_header_2", "B2": "metadata", "D2": "metadata"}


def test_units_that_tell_columns_apart_are_headers() -> None:
    text = "| c2 2008 | | c2 2009\n| c1 Number | c1 % | c1 Number | c1 %\n"
    sheet, roles = picture(text + "r1 a | v 1 | v 2 | v 3 | v 4\nr1 b | v 1 | v 2 | v 3 | v 4", merges="B1:C1 D1:E1")
    assert changed(sheet, roles) == {}


@pytest.mark.parametrize("text", ["£(000)", "Million dollars", "%", "(1,000 metric tons)", "in Mio. EUR", "kg", "万元"])
def test_a_unit_alone(text: str) -> None:
    assert UNIT_ALONE.fullmatch(text)


@pytest.mark.parametrize("text", ["2008", "(1)", "Men", "Number of men", "Rate of change", "a", "", "Mean", "Kilo"])
def test_no_unit_alone(text: str) -> None:
    assert not UNIT_ALONE.fullmatch(text)


def unsure(sheet: Sheet, roles: Bytes, col: int, **shares: float) -> Floats:
    """As `one_hot` of .8, but for the row headers of a column, which get these shares."""
    p = one_hot(roles, 0.8)
    at = (sheet.col == col) & np.isin(roles, (Role.ROW_HEADER_1, Role.ROW_HEADER_2, Role.ROW_HEADER_3))
    p[at] = 0.01
    for name, share in shares.items():
        p[at, Role[name.upper()]] = share
    return p


def test_outer_labels_that_repeat_nest_whatever_their_look() -> None:
    lines = [f"r2 20{i // 3:02} | r1 {'abc'[i % 3]} | v 1 | v 2" for i in range(9)]
    bold = "A2 A5 A8"
    sheet, roles = picture("c1 Year | c1 Kind | c1 Men | c1 Women\n" + "\n".join(lines), bold=bold)
    p = unsure(sheet, roles, 0, row_header_1=0.45, row_header_2=0.4)
    assert decode(sheet, p)[0].tolist() == roles.tolist()


def test_a_number_and_a_name_of_each_record_are_both_innermost() -> None:
    sheet, roles = picture(
        "c1 No | c1 Name | c1 Men\n" + "\n".join(f"r1 {i} | r1 {'abcdef'[i]} | v 1" for i in range(6))
    )
    p = unsure(sheet, roles, 0, row_header_1=0.4, row_header_2=0.45)
    assert decode(sheet, p)[0].tolist() == roles.tolist()


def test_three_nested_stub_columns_are_of_three_levels() -> None:
    lines = ["r3 N | r2 a | r1 x | v 1", "| | r1 y | v 2", "| r2 b | r1 x | v 3", "| | r1 y | v 4"]
    text = "c1 A | c1 B | c1 C | c1 D\n" + "\n".join([*lines, *[line.replace("r3 N", "r3 S") for line in lines]])
    sheet, roles = picture(text)
    p = unsure(sheet, roles, 0, row_header_2=0.5, row_header_3=0.3)
    assert decode(sheet, p)[0].tolist() == roles.tolist()


def test_a_heading_above_outer_labels_is_one_deeper_and_above_inner_ones_not() -> None:
    text = "c1 A | c1 B | c1 C\nr2 Body |\nr1 Type | | v 1\nr3 Image |\nr2 Boost | r1 Low | v 2\n| r1 High | v 3"
    sheet, roles = picture(text)
    p = unsure(sheet, roles, 0, row_header_2=0.8)
    p[(sheet.row == 2) & (sheet.col == 0)] = one_hot(np.array([Role.ROW_HEADER_1], np.uint8), 0.8)
    assert decode(sheet, p)[0].tolist() == roles.tolist()


def test_labels_that_stand_further_right_are_further_in() -> None:
    lines = ["r2 Men | | v 5", "| r1 old | v 3", "| r1 young | v 2", "r2 Women | | v 4", "| r1 old | v 3"]
    sheet, roles = picture("| | c1 Persons\n" + "\n".join(lines))
    p = unsure(sheet, roles, 0, row_header_1=0.5, row_header_2=0.25)
    assert decode(sheet, p)[0].tolist() == roles.tolist()


def test_decode_checks_the_shape() -> None:
    sheet, _ = picture("v 1")
    with pytest.raises(ValueError, match=r"shape \(1, 13\), got \(2, 13\)"):
        decode(sheet, np.ones((2, 13), np.float32))


def test_a_row_header_in_a_column_of_data_becomes_data() -> None:
    sheet, roles = picture(CLEAN)
    column = np.flatnonzero((sheet.col == 2) & (roles == Role.VALUE))
    p = one_hot(roles, 0.9)
    p[column[3], Role.ROW_HEADER_1], p[column[3], Role.VALUE] = 0.6, 0.3
    assert decode(sheet, p)[0].tolist() == roles.tolist()


def test_a_formula_is_junk_only_if_it_is_a_link() -> None:
    formulas = {"A1": '=IF(B9>0,B9,"")', "B1": '=HYPERLINK("#Index","Back")', "C1": "=Other!A1"}
    sheet, roles = picture("j x | j Back | j y | j ----", formulas=formulas)
    assert smooth(sheet, roles).tolist() == [Role.AGGREGATION, Role.JUNK, Role.VALUE, Role.JUNK]


def test_a_number_is_no_junk() -> None:
    sheet, roles = picture("j 1 | j ----")
    assert smooth(sheet, roles).tolist() == [Role.VALUE, Role.JUNK]
