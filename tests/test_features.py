"""The vectorised features against plain loops over random sheets."""

from __future__ import annotations

import numpy as np
import pytest

from cellroles.features import ENGINEERED, ENGINEERED_WIDTH, FEATURE_WIDTH, GROUPS, SheetFeatures, extract
from cellroles.features.content import string_features
from cellroles.features.formula import classify, sums_of_neighbours
from cellroles.features.text import HashEncoder
from cellroles.sheet import Kind
from tests.builders import sheet_from_rows
from tests.random_sheets import random_sheet

SEEDS = range(12)


def whole(features: SheetFeatures) -> np.ndarray:
    return features.engineered(0, len(features.sheet))


def column(features: SheetFeatures, name: str) -> np.ndarray:
    return whole(features)[:, ENGINEERED.index(name)]


def test_the_groups_add_up_to_857() -> None:
    assert FEATURE_WIDTH == 857
    assert sum(map(len, GROUPS.values())) == ENGINEERED_WIDTH == len(set(ENGINEERED)) == 89


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_of_the_matrix_are_the_same_in_any_tile(seed: int) -> None:
    features = extract(random_sheet(seed))
    n = len(features.sheet)
    tiles = [features.engineered(lo, min(lo + 5, n)) for lo in range(0, n, 5)]
    np.testing.assert_array_equal(np.concatenate(tiles), whole(features))
    assert np.isfinite(whole(features)).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_row_and_column_profiles_equal_a_plain_loop(seed: int) -> None:
    features = extract(random_sheet(seed))
    sheet, component = features.sheet, features.layout.component
    for i in range(len(sheet)):
        mates = [j for j in range(len(sheet)) if component[j] == component[i]]
        row = [j for j in mates if sheet.row[j] == sheet.row[i]]
        col = [j for j in mates if sheet.col[j] == sheet.col[i]]
        numbers = [j for j in col if sheet.kind[j] == Kind.NUMBER]
        top = min(sheet.row[j] for j in mates)
        height = max(sheet.row[j] for j in mates) + 1 - top
        expected = {
            "neighbourhood.row_text_share": sum(sheet.kind[j] == Kind.TEXT for j in row) / len(row),
            "neighbourhood.col_number_share": len(numbers) / len(col),
            "neighbourhood.col_fill": len(col) / height,
            "neighbourhood.alone_in_row": len(row) == 1,
            "neighbourhood.numbers_above": np.log1p(sum(sheet.row[j] < sheet.row[i] for j in numbers)) / 5,
            "neighbourhood.relative_row": (sheet.row[i] - top) / max(height - 1, 1),
            "neighbourhood.up_adjacent": any(sheet.row[j] == sheet.row[i] - 1 for j in col),
            "neighbourhood.right_adjacent": any(sheet.col[j] == sheet.col[i] + 1 for j in row),
            "content.repeats": None,
        }
        for name, value in expected.items():
            if value is not None:
                assert column(features, name)[i] == pytest.approx(float(value), abs=1e-6), (name, sheet.ref(i))


@pytest.mark.parametrize("seed", SEEDS)
def test_merge_sizes_and_styles_equal_a_plain_loop(seed: int) -> None:
    features = extract(random_sheet(seed))
    sheet = features.sheet
    spans = {(top, left): (bottom - top, right - left) for top, left, bottom, right in sheet.merges.tolist()}
    for i in range(len(sheet)):
        height, width = spans.get((int(sheet.row[i]), int(sheet.col[i])), (1, 1))
        assert column(features, "format.merge_width")[i] == pytest.approx(np.log1p(width - 1) / 3)
        assert column(features, "format.merge_height")[i] == pytest.approx(np.log1p(height - 1) / 3)
        assert column(features, "format.bold")[i] == sheet.styles[sheet.style[i]].bold


def plain_sums_before(values: list[float]) -> list[int]:
    unit = max(10**k for k in range(7) if not any(value % 10**k for value in values))
    hits = []
    for i, value in enumerate(values):
        runs = [(values[i - w : i], 1) for w in range(2, 13) if w <= i]
        runs += [(values[:i], 1)] * (i >= 1) + [(values[1:i], 1)] * (i >= 3) + [(values[:i], 2)] * (i >= 2)
        tolerance = 1e-6 * abs(value) + min(unit, (3e-3 if unit > 1 else 1e-3) * abs(value))
        parts = [np.count_nonzero(run) for run, factor in runs if abs(sum(run) - factor * value) <= tolerance]
        hits.append(min(max(parts, default=0), 2) if value else 0)
    return hits


@pytest.mark.parametrize("factor", [1, 10])
def test_sums_of_neighbours_equal_a_plain_loop(factor: int) -> None:
    rng = np.random.default_rng(7)
    for _ in range(50):
        groups = [(factor * rng.integers(0, 9, rng.integers(1, 20))).astype(float).tolist() for _ in range(3)]
        ids = np.repeat(np.arange(3), [len(group) for group in groups]).astype(np.int32)
        before, after = sums_of_neighbours(np.concatenate(groups), ids)
        assert before.tolist() == [hit for group in groups for hit in plain_sums_before(group)]
        assert after.tolist() == [hit for group in groups for hit in plain_sums_before(group[::-1])[::-1]]


def test_a_column_of_sums_is_one_where_parts_are_zero_typed_as_text_or_rounded() -> None:
    rows = [["a", 0, 52, 0, 52], ["b", 1, 70, 2, 73], ["c", 0, 7, 3, 10], ["d", 0, 0, 4, 4]]
    as_text = [[row[0], *(f"{1000 * value:,}" for value in row[1:])] for row in rows]
    rounded = [[row[0], *(10 * round(97.3 * value) for value in row[1:])] for row in rows]
    for table in (rows, as_text, rounded):
        features = extract(sheet_from_rows(table))
        share = column(features, "formula.column_sum_share").reshape(4, 5)
        assert (share[:, 4] == 1).all() and (share[:, 1:4] < 1).all()


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("=SUM(B2:B9)", (True, False, True)),
        ("=+'My sheet'!$C$4", (False, True, True)),
        ("=B3/C3*100", (False, False, True)),
        ('="B3"', (False, False, False)),
        ("=12*3", (False, False, False)),
        ("=SUBTOTAL(9,D3:D8)", (True, False, True)),
    ],
)
def test_formulas_are_classified(formula: str, expected: tuple[bool, bool, bool]) -> None:
    assert classify(formula) == expected


def test_text_vectors_are_unit_long_and_blind_to_digits_and_case() -> None:
    vectors = HashEncoder().encode(["Total 2019", "TOTAL 1234", "North", "", "北京市"])
    assert vectors.shape == (5, 768)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), [1, 1, 1, 0, 1], atol=1e-6)
    np.testing.assert_array_equal(vectors[0], vectors[1])
    assert vectors[0] @ vectors[2] < 0.5


def test_a_text_vector_does_not_depend_on_the_others_in_the_call() -> None:
    alone = HashEncoder().encode(["Net sales"])
    np.testing.assert_array_equal(HashEncoder().encode(["x", "Net sales", "日本"])[1], alone[0])


def test_string_features_see_totals_notes_and_leading_marks() -> None:
    names = ("total_word", "note_word", "leading_marks")
    from cellroles.features.content import STRING_FEATURES

    def seen(text: str) -> list[bool]:
        return [bool(string_features(text)[STRING_FEATURES.index(name)]) for name in names]

    assert seen("Grand total") == [True, False, False]
    assert seen("Source: census") == [False, True, False]
    assert seen("  - of which") == [False, False, True]
