"""Header paths of hand-labelled sheets, from their true roles: the share of questions whose paths are exact."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from cellroles.decode import smooth
from cellroles.headers import header_paths
from cellroles.segment.tables import find_tables
from cellroles.sheet import Bytes, HeaderPath, Ints, Sheet, Table, a1
from tests.grids import one_table
from tests.oracle import Labelled, Question, gold_sheets, needs_shared

Tables = tuple[tuple[Table, ...], Ints]
pytestmark = [pytest.mark.shared, needs_shared]


@pytest.fixture(scope="module")
def gold() -> list[Labelled]:
    return list(gold_sheets())


def exact(question: Question, paths: tuple[HeaderPath, ...], col_path: Ints, row_path: Ints) -> bool:
    """Equal as ordered lists for one answer cell, as sets over several."""
    answer = list(question.answer)
    found = [
        [[a1(*cell) for cell in paths[number].cells] for number in numbers[answer]] for numbers in (col_path, row_path)
    ]
    wanted = (list(question.col_path), list(question.row_path))
    if len(answer) == 1:
        return all(lists == [want] for lists, want in zip(found, wanted, strict=True))
    return all(set().union(*lists) == set(want) for lists, want in zip(found, wanted, strict=True))


def share_exact(gold: list[Labelled], tables: Callable[[Sheet, Bytes], Tables], smoothed: bool = False) -> float:
    hits = []
    for item in gold:
        roles = smooth(item.sheet, item.roles) if smoothed else item.roles
        paths = header_paths(item.sheet, roles, *tables(item.sheet, roles))
        hits += [exact(question, *paths) for question in item.questions]
    return float(np.mean(hits))


def test_paths_with_the_sheet_as_one_table(gold: list[Labelled]) -> None:
    assert share_exact(gold, lambda sheet, _: one_table(sheet)) >= 0.96


def test_paths_with_found_tables(gold: list[Labelled]) -> None:
    assert share_exact(gold, find_tables) >= 0.96


def test_smoothing_true_roles_does_almost_no_harm(gold: list[Labelled]) -> None:
    assert share_exact(gold, lambda sheet, _: one_table(sheet), smoothed=True) >= 0.95
