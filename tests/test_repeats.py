"""Rows of long tables that repeat each other: which are predicted, and what the others take."""

from __future__ import annotations

import numpy as np
import pytest

from cellroles.features import extract
from cellroles.predict import Predictor
from cellroles.repeats import FIRST, LAST, MIDDLE, MOST_ALIKE, Repeats, find_repeats
from cellroles.sheet import Floats, Role, Sheet
from tests.grids import picture


def long_list(rows: int, odd: dict[int, str] | None = None, bold: str = "") -> Sheet:
    """A header row and `rows` records of three cells; `odd` replaces records by number."""
    lines = [(odd or {}).get(i, f"r1 Item {i} | v {i % 7} | v {i}.5") for i in range(rows)]
    return picture("c1 Item | c1 Count | c1 Price\n" + "\n".join(lines), bold=bold)[0]


def rows_wanted(sheet: Sheet) -> list[int]:
    return sorted({int(row) for row in sheet.row[find_repeats(extract(sheet)).wanted]})


def test_short_tables_are_predicted_whole() -> None:
    assert find_repeats(extract(long_list(MOST_ALIKE))).wanted.all()


def test_of_many_rows_alike_some_are_predicted() -> None:
    rows = MOST_ALIKE + 101
    wanted = rows_wanted(long_list(rows))
    middle = 1 + (rows - MIDDLE) // 2
    expected = {0, *range(1, 1 + FIRST), *range(middle, middle + MIDDLE), *range(1 + rows - LAST, 1 + rows)}
    assert wanted == sorted(expected)


@pytest.mark.parametrize(
    "odd", ["r1 Total | v 3 | v 4.5", "r1 Item | | v 4.5", "r1 Item | v many | v 4.5", "r1   Item | v 3 | v 4.5"]
)
def test_a_row_unlike_the_others_is_predicted_with_those_beside_it(odd: str) -> None:
    rows, place = MOST_ALIKE + 300, 100
    plain, other = rows_wanted(long_list(rows)), rows_wanted(long_list(rows, {place: odd}))
    assert {place, place + 1, place + 2} <= set(other) - set(plain)


def test_a_bold_row_is_unlike_the_others() -> None:
    assert {100, 101, 102} <= set(rows_wanted(long_list(MOST_ALIKE + 300, bold="A102")))


def test_other_rows_take_the_mean_of_the_sample_at_their_place() -> None:
    wanted = np.array([True, True, True, True, False, False])
    sample = np.array([True, True, True, True, False, False])
    place = np.array([0, 1, 0, 1, 0, 1], np.int32)
    probabilities = np.array([[0.2], [0.6], [0.4], [1.0], [9.0], [9.0]], np.float32)
    Repeats(wanted, sample, place).fill(probabilities)
    np.testing.assert_allclose(probabilities[:, 0], [0.2, 0.6, 0.4, 1.0, 0.3, 0.8])


def test_predicted_rows_have_the_result_of_the_whole_sheet() -> None:
    """With a model that looks at its neighbours: each cell's result is the mean of a feature over its slots."""

    def run(tile: object, last: bool) -> Floats:
        weight = tile.mask / tile.mask.sum(axis=1, keepdims=True)  # type: ignore[attr-defined]
        mean = (weight * tile.engineered[tile.neighbours].mean(axis=2)).sum(axis=1)  # type: ignore[attr-defined]
        return np.repeat(mean[:, None], len(Role), axis=1).astype(np.float32)

    sheet = long_list(MOST_ALIKE + 700, {333: "r1 Total | v 3 | v 4.5"})
    predictor = Predictor("test", 1, False, run)
    some, all_ = predictor.probabilities(sheet), predictor.probabilities(sheet, every_row=True)
    wanted = find_repeats(extract(sheet)).wanted
    assert 0 < wanted.mean() < 0.4
    np.testing.assert_allclose(some[wanted], all_[wanted], atol=1e-5)
    np.testing.assert_allclose(some, all_, atol=0.05)
