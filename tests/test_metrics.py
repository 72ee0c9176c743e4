"""Role scores against scikit-learn, by hand, and against the independent scorer of the gold sheets."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from openpyxl import load_workbook
from openpyxl.utils import range_boundaries
from sklearn.metrics import confusion_matrix, f1_score

from cellroles.sheet import ROLE_LABELS, Kind, Region, Role, Sheet, Style
from data.labelled import ALL_ROLES, LabelledSheet, role_set
from train.metrics import (
    class_f1,
    confusion,
    dev_score,
    empty_cells,
    headline_f1,
    macro_f1,
    merged_levels,
    pooled,
    scored,
    scores,
)

SHARED = Path(__file__).parents[2] / "shared"


def sheet_at(positions: list[tuple[int, int]], merges: list[tuple[int, int, int, int]] | None = None) -> Sheet:
    rows, cols = np.array(sorted(positions), np.int32).reshape(-1, 2).T
    n = len(rows)
    texts = np.array(["x"] * n, object)
    return Sheet(
        workbook="book.xlsx",
        name="Sheet1",
        row=rows,
        col=cols,
        kind=np.full(n, Kind.TEXT, np.uint8),
        value=texts,
        number=np.full(n, np.nan),
        text=texts,
        formula=np.full(n, None, object),
        uncached=np.zeros(n, bool),
        style=np.zeros(n, np.int32),
        styles=(Style(),),
        merges=np.array(merges or [], np.int32).reshape(-1, 4),
    )


def labelled(roles: np.ndarray, source: str = "corpus", targets: np.ndarray | None = None) -> LabelledSheet:
    roles = roles.astype(np.uint8)
    targets = (1 << roles.astype(np.uint16)).astype(np.uint16) if targets is None else targets
    return LabelledSheet(sheet_at([(i, 0) for i in range(len(roles))]), roles, targets, ALL_ROLES, source, source)


def test_agrees_with_scikit_learn_on_random_roles() -> None:
    rng = np.random.default_rng(7)
    pairs = [(labelled(rng.integers(0, 13, n)), rng.integers(0, 13, n).astype(np.uint8)) for n in (500, 80, 1)]
    gold = np.concatenate([sheet.roles for sheet, _ in pairs])
    guess = np.concatenate([predicted for _, predicted in pairs])
    matrix = pooled(pairs)
    assert np.array_equal(matrix, confusion_matrix(gold, guess, labels=range(13)))
    assert class_f1(matrix) == pytest.approx(f1_score(gold, guess, labels=range(13), average=None))
    assert macro_f1(matrix) == pytest.approx(f1_score(gold, guess, labels=range(13), average="macro"))
    eleven = [role for role in Role if role not in (Role.COMMENT, Role.JUNK)]
    assert headline_f1(matrix) == pytest.approx(f1_score(gold, guess, labels=eleven, average="macro"))
    coarse = np.array([0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 8, 8, 8])
    assert np.array_equal(merged_levels(matrix), confusion_matrix(coarse[gold], coarse[guess], labels=range(9)))


def test_classes_without_gold_cells_do_not_enter_the_mean_but_do_enter_the_headline() -> None:
    matrix = pooled([(labelled(np.array([0, 0, 1])), np.array([0, 2, 1], np.uint8))])
    assert np.isnan(class_f1(matrix)[Role.HEADER])
    assert macro_f1(matrix) == pytest.approx((2 / 3 + 1) / 2)
    assert headline_f1(matrix) == pytest.approx((2 / 3 + 1) / 11)
    assert scores(matrix).per_class == pytest.approx({"value": 2 / 3, "aggregation": 1.0})
    assert scores(matrix).accuracy == pytest.approx(2 / 3)
    assert np.isnan(macro_f1(np.zeros((13, 13), np.int64)))


def test_a_prediction_inside_the_target_set_is_right() -> None:
    rows = role_set([Role.ROW_HEADER_1, Role.ROW_HEADER_2, Role.ROW_HEADER_3])
    roles = np.array([Role.ROW_HEADER_1] * 3, np.uint8)
    targets = np.array([rows, rows, 0], np.uint16)
    matrix = confusion(roles, targets, np.array([Role.ROW_HEADER_2, Role.VALUE, Role.VALUE], np.uint8))
    expected = np.zeros((13, 13), np.int64)
    expected[Role.ROW_HEADER_2, Role.ROW_HEADER_2] = 1
    expected[Role.ROW_HEADER_1, Role.VALUE] = 1
    assert np.array_equal(matrix, expected)


def test_sets_across_kinds_are_not_scored() -> None:
    sets = [
        [Role.VALUE],
        [Role.VALUE, Role.AGGREGATION],
        [Role.HEADER, Role.METADATA],
        [Role.COL_HEADER_1, Role.COL_HEADER_3],
        [Role.ROW_HEADER_3],
        [Role.COL_HEADER_1, Role.ROW_HEADER_1],
        [],
    ]
    targets = np.array([role_set(roles) for roles in sets], np.uint16)
    assert scored(targets).tolist() == [True, False, False, True, True, False, False]


def test_every_corpus_counts_once_and_rare_classes_not_at_all() -> None:
    big = (labelled(np.array([0] * 40 + [1] * 3), "big"), np.array([0] * 43, np.uint8))
    small = (labelled(np.array([0] * 20), "small"), np.array([0] * 10 + [1] * 10, np.uint8))
    score, parts = dev_score([big, small], support=20)
    assert parts == pytest.approx({"big": 80 / 83, "small": 2 / 3})
    assert score == pytest.approx((80 / 83 + 2 / 3) / 2)


def test_empty_cells_are_those_inside_the_box_that_no_merge_covers() -> None:
    corners = [(1, 1), (3, 4)]
    assert empty_cells(sheet_at(corners)) == 10
    assert empty_cells(sheet_at(corners, [(1, 1, 2, 4)])) == 8
    assert empty_cells(sheet_at(corners, [(2, 2, 4, 4)])) == 7
    assert empty_cells(sheet_at(corners, [(3, 4, 6, 8), (0, 2, 2, 3)])) == 9
    assert empty_cells(sheet_at([])) == 0


def gold_sheet(path: Path) -> tuple[dict[str, str], LabelledSheet]:
    label = json.loads(path.read_text(encoding="utf-8"))
    worksheet = load_workbook(SHARED / label["file"])[label["sheet"]]
    texts = {(c.row - 1, c.column - 1): str(c.value or "").strip() for row in worksheet.iter_rows() for c in row}
    merges = [(m.min_row - 1, m.min_col - 1, m.max_row, m.max_col) for m in worksheet.merged_cells.ranges]
    role_at: dict[tuple[int, int], str] = {}
    for spec, role in label["rules"]:
        for part in spec.replace("$", "").split(","):
            left, top, right, bottom = range_boundaries(part.strip())
            box = Region(top - 1, left - 1, bottom, right)
            role_at |= {position: role for position in texts if box.contains(*position)}
    sheet = sheet_at([position for position, text in texts.items() if text], merges)
    named = [role_at.get((int(r), int(c)), "empty") for r, c in zip(sheet.row, sheet.col, strict=True)]
    roles = np.array([ROLE_LABELS.index(role) for role in named], np.uint8)
    targets = np.where(roles == Role.EMPTY, 0, 1 << roles.astype(np.uint16)).astype(np.uint16)
    return label, LabelledSheet(sheet, roles, targets, ALL_ROLES, "gold", label["file"])


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the evaluation data beside the checkout")
def test_agrees_with_the_independent_gold_scorer(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    (tmp_path / "gold" / "labels").mkdir(parents=True)
    (tmp_path / "workbooks").symlink_to(SHARED / "workbooks")
    (tmp_path / "chunks.jsonl").write_text("")
    total, records = np.zeros((13, 13), np.int64), []
    for path in sorted((SHARED / "gold" / "labels").glob("*.json"), key=lambda p: p.stat().st_size)[:4]:
        (tmp_path / "gold" / "labels" / path.name).write_text(path.read_text(encoding="utf-8"))
        label, gold = gold_sheet(path)
        noise = rng.choice([0, 1, 7, 10], len(gold.roles)).astype(np.uint8)
        predicted = np.where(rng.random(len(gold.roles)) < 0.7, gold.roles, noise)
        total += confusion(gold.roles, gold.targets, predicted)
        total[Role.EMPTY, Role.EMPTY] += empty_cells(gold.sheet)
        cells = [[gold.sheet.ref(i), ROLE_LABELS[role]] for i, role in enumerate(predicted)]
        records.append(json.dumps({"workbook": label["file"], "sheet": label["sheet"], "cells": cells}))
    (tmp_path / "roles.jsonl").write_text("\n".join(records) + "\n")
    command = [sys.executable, str(SHARED / "tools" / "score_gold.py")]
    inputs = [tmp_path / "gold", tmp_path / "roles.jsonl", tmp_path / "chunks.jsonl"]
    expected = json.loads(subprocess.run([*command, *inputs], capture_output=True, check=True, text=True).stdout)
    found = scores(total)
    assert found.headline == pytest.approx(expected["headline_f1"], abs=1e-4)
    assert found.macro == pytest.approx(expected["macro_f1"], abs=1e-4)
    assert found.merged == pytest.approx(expected["coarse_f1"], abs=1e-4)
    assert dict(found.per_class) == pytest.approx(expected["per_class"], abs=1e-4)


def test_labels_must_fit_the_sheet() -> None:
    sheet = labelled(np.array([0, 1]))
    with pytest.raises(ValueError, match="one role and one target per filled cell"):
        replace(sheet, roles=np.zeros(3, np.uint8))
