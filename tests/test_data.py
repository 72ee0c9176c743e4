"""Corpus records become sheets, labels become target sets, groups stay on their side."""

from __future__ import annotations

import datetime as dt
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cellroles.sheet import COLUMN_HEADERS, ROW_HEADERS, Kind, Role, Style
from data.corpus import GRID_ROLES, SHEET_ROLES, Corpus, always, targets_of
from data.labelled import LabelledSheet, role_set
from data.records import Record, corpora_folder, read_records, sheet_of
from data.registry import CORPORA, ROLE_CORPORA, SHEETS_PER_EPOCH
from data.rules import (
    column_headers_stand,
    corners_name_columns,
    formulas_decide,
    joint_identifiers,
    titles_open,
    total_labels_open,
    totals_open,
    unit_lines_freed,
)
from data.splits import DEV_FILE, DEV_SHARE, draw_dev_groups, folds, group_digest, split

SHARED = Path(__file__).parents[2] / "shared"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="needs the evaluation data beside the checkout")

SHORT = {"v": "value", "a": "aggregation", "H": "header", "M": "metadata"} | {
    f"{letter}{depth}": f"{kind}_header_{depth}" for letter, kind in (("C", "col"), ("R", "row")) for depth in (1, 2, 3)
}


def record_of(picture: str, **fields: Any) -> Record:
    """A record from lines of `role:text` cells parted by `|`; `?` after the role = uncertain, `.` = empty cell.

    Digits become numbers; a text `=A1+1` becomes the number 0 with that formula.
    """
    cells, roles, uncertain = [], [], []
    for row, line in enumerate(picture.strip().splitlines()):
        for col, item in enumerate(line.split("|")):
            if item.strip() == ".":
                continue
            short, _, text = item.strip().partition(":")
            number = text.replace(".", "", 1).isdigit()
            style = {"formula": text} if text.startswith("=") else {}
            value = 0 if style else float(text) if number else text
            cells.append([row, col, value, "n" if number or style else "s", style])
            roles.append([row, col, SHORT[short.removesuffix("?")]])
            if short.endswith("?"):
                uncertain.append([row, col])
    base: Record = {"id": "book.xls#S", "cells": cells, "merges": [], "roles": roles, "uncertain": uncertain}
    return {**base, **fields}  # type: ignore[typeddict-item]


def labelled(picture: str, *rules: Any, levels: bool = True) -> LabelledSheet:
    trust = always if levels else lambda record: False
    corpus = Corpus("test", SHEET_ROLES, row_levels=trust, col_levels=trust, rules=rules)
    return corpus.labelled(record_of(picture))


def targets_by_text(sheet: LabelledSheet) -> dict[str, set[Role]]:
    return {
        str(text): {role for role in Role if int(target) >> role & 1}
        for text, target in zip(sheet.sheet.text, sheet.targets, strict=True)
    }


def test_cells_become_typed_columns() -> None:
    record: Record = {
        "id": "x",
        "file": "deco/x.xlsx",
        "sheet": "Jan",
        "cells": [
            [2, 0, 0.0213, "n", {"num_fmt": "0.0%", "formula": "=A1/A2", "bold": 1}],
            [0, 0, "Title", "s", {"comment": "checked", "fill": "t0:-0.5", "border": "tb", "indent": 2}],
            [0, 1, "covered", "s", {}],
            [1, 0, "2001-02-03T00:00:00", "d", {"num_fmt": "yyyy-mm-dd"}],
            [1, 1, "#REF!", "e", {}],
            [1, 2, "  ", "s", {}],
            [1, 3, True, "b", {}],
        ],
        "merges": [[0, 0, 0, 1]],
        "roles": [[0, 0, "header"]],
        "uncertain": [],
    }
    sheet = sheet_of(record)
    assert (sheet.workbook, sheet.name) == ("deco/x.xlsx", "Jan")
    assert list(zip(sheet.row.tolist(), sheet.col.tolist(), strict=True)) == [(0, 0), (1, 0), (1, 1), (1, 3), (2, 0)]
    assert sheet.kind.tolist() == [Kind.TEXT, Kind.DATE, Kind.ERROR, Kind.BOOL, Kind.NUMBER]
    assert sheet.value.tolist() == ["Title", dt.datetime(2001, 2, 3), "#REF!", True, 0.0213]
    assert sheet.text.tolist() == ["Title", "2001-02-03", "#REF!", "TRUE", "2.1%"]
    assert np.array_equal(sheet.number, [np.nan, 36925, np.nan, 1, 0.0213], equal_nan=True)
    assert sheet.formula.tolist() == [None, None, None, None, "=A1/A2"]
    assert sheet.styles[sheet.style[0]] == Style(fill="808080", border="tb", indent=2)
    assert sheet.styles[sheet.style[4]] == Style(bold=True, number_format="0.0%")
    assert sheet.merges.tolist() == [[0, 0, 1, 2]]
    assert sheet.comments == {(0, 0): "checked"}


def test_numbers_of_csv_exports_lose_the_formats_their_writer_made() -> None:
    cells = [[0, 0, 1990.0, "n", {"num_fmt": "0.0"}], [0, 1, 0.5, "n", {"num_fmt": "0%"}]]
    record: Record = {"id": "x", "cells": cells, "merges": [], "roles": [], "uncertain": []}
    sheet = sheet_of(record, untyped=True)
    assert sheet.text.tolist() == ["1990", "50%"]
    assert type(sheet.value[0]) is int
    assert sheet_of(record).text.tolist() == ["1990.0", "50%"]


def test_targets_hold_the_label_and_open_depths_where_they_are_not_to_be_trusted() -> None:
    roles = np.array([Role.VALUE, Role.COL_HEADER_2, Role.ROW_HEADER_3, Role.HEADER, Role.EMPTY], np.uint8)
    certain = np.array([True, True, True, False, False])
    exact = targets_of(roles, certain, row_levels=True, col_levels=True)
    assert exact.tolist() == [1 << Role.VALUE, 1 << Role.COL_HEADER_2, 1 << Role.ROW_HEADER_3, 0, 0]
    opened = targets_of(roles, certain, row_levels=False, col_levels=False)
    assert opened.tolist() == [1 << Role.VALUE, role_set(COLUMN_HEADERS), role_set(ROW_HEADERS), 0, 0]


def test_roles_that_a_corpus_does_not_use_are_no_targets() -> None:
    corpus = Corpus("test", GRID_ROLES, rules=(titles_open,))
    sheet = corpus.labelled(record_of("H?:Banner\nv:1"))
    assert sheet.candidates == role_set(GRID_ROLES)
    assert targets_by_text(sheet) == {"Banner": set(), "1": {Role.VALUE}}
    assert (sheet.source, sheet.group) == ("test", "test/book")


def test_formulas_that_compute_are_aggregation_and_copies_are_value() -> None:
    sheet = labelled("v?:=SUM(B1:B3)|a:=Sheet2!$B$4|a?:=2*3|v:='My sheet'!A1|R1:=A1+1|v:=LOG10(A1)*2", formulas_decide)
    names = [[role for role in Role if target >> role & 1] for target in sheet.targets.tolist()]
    assert names == [
        [Role.AGGREGATION],
        [Role.VALUE],
        [Role.VALUE],
        [Role.VALUE],
        [Role.ROW_HEADER_1],
        [Role.AGGREGATION],
    ]
    assert sheet.roles.tolist() == [sets[0] for sets in names]


def test_guessed_totals_and_values_under_total_labels_stay_open() -> None:
    picture = """
    C1:Year|C1:Men|C1:Total
    R1:2001|v:5|v:7
    R1:合  计|v:8|a:9
    R1:2002|a?:3|v:4
    """
    found = targets_by_text(labelled(picture, totals_open))
    both = {Role.VALUE, Role.AGGREGATION}
    assert found["7"] == found["8"] == found["3"] == found["4"] == both
    assert found["5"] == {Role.VALUE}
    assert found["9"] == {Role.AGGREGATION}


def test_guessed_column_headers_are_headers_of_open_depth_and_corners_of_depth_one() -> None:
    found = targets_by_text(labelled("C1?:Region|C2?:Men|C1:Women\nR1?:North|v:1|v:2", column_headers_stand))
    assert found["Region"] == {Role.COL_HEADER_1}
    assert found["Men"] == set(COLUMN_HEADERS)
    assert found["Women"] == {Role.COL_HEADER_1}
    assert found["North"] == set()


def test_a_row_header_that_leads_column_headers_is_the_corner() -> None:
    table = labelled("R1:Item|C1:2001|C1:2002\nR1:Sales|v:1|v:2", corners_name_columns)
    assert targets_by_text(table)["Item"] == {Role.COL_HEADER_1}
    assert table.roles[0] == Role.COL_HEADER_1
    form = targets_by_text(labelled("R1:Name|C1:Acme\nR1:Code|v:1", corners_name_columns))
    assert form == {"Name": set(), "Acme": set(), "Code": {Role.ROW_HEADER_1}, "1": {Role.VALUE}}


def test_a_units_line_is_no_stub_and_its_column_is_data() -> None:
    picture = """
    C1:sex|C1:2001|C1:2002
    .|R1:percent|.
    R2:men|R1:61.5|v:65
    R2:women|R1:n/a|v:62
    """
    sheet = labelled(picture, unit_lines_freed)
    found = targets_by_text(sheet)
    assert found["percent"] == set()
    assert found["61.5"] == found["n/a"] == {Role.VALUE, Role.AGGREGATION}
    assert found["men"] == found["women"] == set(ROW_HEADERS)
    groups = targets_by_text(labelled("C1:a|C1:b\nR2:North|.\nR1:x|v:1", unit_lines_freed))
    assert groups["North"] == {Role.ROW_HEADER_2}


def test_two_columns_that_name_each_record_together_are_both_innermost() -> None:
    picture = "C1:Rank|C1:State|C1:Total\nR2:1|R1:Ohio|v:9\nR2:2|R1:Iowa|v:8\nR2:3|R1:Utah|v:7"
    assert Role.ROW_HEADER_2 not in labelled(picture, joint_identifiers).roles
    assert targets_by_text(labelled(picture, joint_identifiers))["2"] == {Role.ROW_HEADER_1}
    parents = picture.replace("R2:2", ".")
    assert np.count_nonzero(labelled(parents, joint_identifiers).roles == Role.ROW_HEADER_2) == 2


def test_the_depth_of_a_total_above_the_others_is_open() -> None:
    sheet = labelled("R3:All workers|a:9\nR2:North|a:5\nR1:Bern|v:5\nR2:All ages|.", total_labels_open)
    allowed = targets_by_text(sheet)
    assert allowed["All workers"] == set(ROW_HEADERS)
    assert allowed["North"] == allowed["All ages"] == {Role.ROW_HEADER_2}


def test_development_groups_take_a_fifth_and_shared_groups_one_side() -> None:
    groups = {"big": [f"g{i // 2}" for i in range(200)], "small": [f"g{i // 2}" for i in range(20)]}
    drawn = draw_dev_groups(groups)
    assert drawn == draw_dev_groups(groups)
    assert sum(group in drawn["big"] for group in groups["big"]) == 40
    assert sum(group in drawn["small"] for group in groups["small"]) == 4
    assert set(drawn["small"]) == set(drawn["big"]) & set(groups["small"])


def test_folds_are_disjoint_balanced_in_every_corpus_and_seeded() -> None:
    corpora = {"many": [f"g{i % 23}" for i in range(230)], "few": [f"f{i}" for i in range(7)], "one": ["g3", "g4"]}
    parts = folds(corpora, 5, seed=42)
    assert sorted(group for part in parts for group in part) == sorted(set().union(*corpora.values()))
    assert {sum(group in part for group in corpora["many"]) for part in parts} <= {40, 50}
    assert {sum(group in part for group in corpora["few"]) for part in parts} == {1, 2}
    assert {sum(group in part for group in corpora["one"]) for part in parts} == {0, 1}
    assert parts == folds(corpora, 5, seed=42) != folds(corpora, 5, seed=2137)
    with pytest.raises(ValueError, match="at least as many groups"):
        folds({"one": ["a"]}, 2, seed=1)


def test_a_further_corpus_moves_no_sheet() -> None:
    corpora = {"many": [f"g{i % 23}" for i in range(230)]}
    before, after = folds(corpora, 5, seed=42), folds(corpora | {"new": [f"n{i}" for i in range(9)]}, 5, seed=42)
    assert [part & set(corpora["many"]) for part in after] == list(before)


def test_a_missing_folder_names_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CELLROLES_CORPORA", str(tmp_path / "none"))
    with pytest.raises(FileNotFoundError, match="CELLROLES_CORPORA"):
        corpora_folder()
    with pytest.raises(FileNotFoundError, match=r"needs .*deco\.jsonl\.gz"):
        list(read_records("deco", tmp_path))


@pytest.mark.parametrize("name", list(CORPORA))
def test_every_corpus_loads_a_small_record(name: str, tmp_path: Path) -> None:
    record = record_of("C1:Year|C1:Men\nR1:2001|v:5", subset="totto", pair_id="p", template="t", url="https://x/y.xls")
    record["id"] = "7"
    with gzip.open(tmp_path / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")
    (sheet,) = CORPORA[name].load(tmp_path)
    assert sheet.source == name
    assert len(sheet.sheet) == 4
    assert (sheet.targets > 0).all() == (name != "tatqa")
    assert not (sheet.targets & ~np.uint16(sheet.candidates)).any()


def test_epoch_counts_name_corpora() -> None:
    assert set(SHEETS_PER_EPOCH) <= set(ROLE_CORPORA)


@pytest.mark.slow
@pytest.mark.shared
@needs_shared
def test_the_committed_development_groups_are_those_of_the_corpora() -> None:
    groups = {name: [CORPORA[name].group_of(record) for record in read_records(name)] for name in ROLE_CORPORA}
    drawn = draw_dev_groups(groups)
    digests = {name: sorted(map(group_digest, chosen)) for name, chosen in drawn.items()}
    assert digests == json.loads(DEV_FILE.read_text(encoding="utf-8"))
    for name, sheets in groups.items():
        assert sum(g in drawn[name] for g in sheets) / len(sheets) == pytest.approx(DEV_SHARE, abs=0.01), name


@pytest.mark.shared
@needs_shared
@pytest.mark.parametrize("name", ["troy200", "hitab_xlsx", "deco", "aitqa"])
def test_labels_of_real_sheets_lie_in_their_targets(name: str) -> None:
    sheets = CORPORA[name].load()
    assert {split(sheet) for sheet in sheets} == {"train", "dev"}
    for sheet in sheets:
        kept = sheet.targets > 0
        assert ((sheet.targets[kept] >> sheet.roles[kept]) & 1).all()
        order = list(zip(sheet.sheet.row.tolist(), sheet.sheet.col.tolist(), strict=True))
        assert order == sorted(set(order))
