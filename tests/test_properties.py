"""What holds for any worksheet: nothing is lost, nothing is owned twice, and every reference leads somewhere.

`HYPOTHESIS_PROFILE=full` tries 500 sheets per property instead of 25.
"""

from __future__ import annotations

import json
import math
import os
import re
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from openpyxl.utils.cell import coordinate_to_tuple, range_boundaries

from cellroles import annotate, read_workbook
from cellroles.sheet import COLUMN_HEADERS, ROW_HEADERS, AnnotatedSheet, Chunk, CitedCell, Role, Sheet, a1
from chunkers.budget import count_tokens
from chunkers.conserve import check, exclusions
from chunkers.record import chunk_json
from chunkers.registry import BASELINES, CHUNKERS, ENGINES
from chunkers.workbook import Settings, sheet_chunks
from tests.random_books import COLS, ROWS, RandomTab, tabs

FULL = os.environ.get("HYPOTHESIS_PROFILE") == "full"
any_sheet = settings(
    max_examples=500 if FULL else 25,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
    derandomize=not FULL,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
REF = re.compile(r"[A-Z]{1,3}[1-9]\d{0,6}")
OWNING = [name for name in CHUNKERS if name not in ENGINES]
budgets = st.sampled_from([16, 24, 64, 512])
seeds = st.none() | st.integers(0, 2**31)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("books") / "book.xlsx"


@cache
def predictor() -> object:
    from cellroles.predict import load_predictor

    return load_predictor("default")


def understood(sheet: Sheet, seed: int | None) -> AnnotatedSheet:
    """The sheet as the bundled model sees it, or with random roles: nothing that a model could say is worse."""
    if seed is None:
        return annotate(sheet, predictor=predictor())  # type: ignore[arg-type]
    roles = [role for role in Role if role != Role.EMPTY]
    return annotate(sheet, roles=np.random.default_rng(seed).choice(roles, len(sheet)).astype(np.uint8))


def same(read: object, written: object) -> bool:
    """Whether a value came back: numbers to the 16 digits that are written, moments to the second."""
    if isinstance(written, datetime):
        return isinstance(read, datetime) and abs(read - written) < timedelta(seconds=1)
    if isinstance(written, float | int) and not isinstance(written, bool):
        if isinstance(read, date | timedelta) or read.__class__.__name__ == "time":
            return True  # a number under a date format
        return isinstance(read, float | int) and math.isclose(read, written, rel_tol=1e-15)
    return read == written and isinstance(read, bool) == isinstance(written, bool)


@any_sheet
@given(tab=tabs())
def test_every_value_comes_back(path: Path, tab: RandomTab) -> None:
    (sheet,) = read_workbook(tab.write(path), include_hidden=True)
    filled = {place: value for place, value in tab.filled.items() if str(value).strip()}
    found = {(int(sheet.row[i]), int(sheet.col[i])): i for i in range(len(sheet))}
    assert found.keys() >= filled.keys() and found.keys() <= tab.filled.keys()
    for place, value in filled.items():
        i = found[place]
        if isinstance(value, str) and value.startswith("=") and len(value) > 1:
            result = tab.cached.get(a1(*place))
            assert sheet.formula[i] == value and sheet.uncached[i] == (result is None)
            assert same(sheet.value[i], value if result is None else result)
        else:
            assert sheet.formula[i] is None and same(sheet.value[i], value), (place, value, sheet.value[i])


@any_sheet
@given(tab=tabs())
def test_hidden_cells_are_set_apart_with_a_reason(path: Path, tab: RandomTab) -> None:
    (whole,) = read_workbook(tab.write(path), include_hidden=True)
    (sheet,) = read_workbook(path)
    everything = {whole.ref(i): whole.text[i] for i in range(len(whole))}
    shown = {sheet.ref(i) for i in range(len(sheet))}
    left_out = {a1(cell.row, cell.col): cell.reason for cell in sheet.excluded}
    assert shown | left_out.keys() == everything.keys() and not shown & left_out.keys()
    assert all(tab.is_hidden((cell.row, cell.col)) for cell in sheet.excluded)
    assert set(left_out.values()) <= {"hidden row", "hidden column"}


@any_sheet
@given(tab=tabs(), seed=seeds, chunker=st.sampled_from(OWNING), max_tokens=budgets, headers=st.booleans())
def test_chunks_own_every_cell_once_and_keep_the_budget(
    path: Path, tab: RandomTab, seed: int | None, chunker: str, max_tokens: int, headers: bool
) -> None:
    (sheet,) = read_workbook(tab.write(path))
    annotated = understood(sheet, seed)
    cut = Settings(chunker, max_tokens=max_tokens, repeat_headers=headers)
    chunks = list(sheet_chunks(annotated, cut))
    assert check(annotated, chunks) == []
    assert not any(warning.startswith("model failed") for warning in annotated.warnings), annotated.warnings
    left_out = {a1(cell.row, cell.col) for cell in exclusions(annotated, chunker)}
    owned = [cell.ref for chunk in chunks for cell in chunk.cells if cell.owner]
    assert sorted([*owned, *left_out]) == sorted(a1(*place) for place in _filled(path))
    assert all(chunk.tokens == count_tokens(chunk.text) <= max_tokens for chunk in chunks)
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    assert all(chunk.text.strip() and chunk.text in chunk.context for chunk in chunks)
    assert {chunk.parent_id for chunk in chunks} - {None} <= {chunk.id for chunk in chunks}
    assert Role.EMPTY not in annotated.roles
    assert [chunk_json(chunk) for chunk in sheet_chunks(understood(sheet, seed), cut)] == list(map(chunk_json, chunks))


def _filled(path: Path) -> set[tuple[int, int]]:
    (whole,) = read_workbook(path, include_hidden=True)
    return set(zip(whole.row.tolist(), whole.col.tolist(), strict=True))


@any_sheet
@given(tab=tabs(), seed=seeds, chunker=st.sampled_from(OWNING))
def test_references_lead_to_the_cells_that_they_name(
    path: Path, tab: RandomTab, seed: int | None, chunker: str
) -> None:
    (sheet,) = read_workbook(tab.write(path))
    annotated = understood(sheet, seed)
    text = {sheet.ref(i): str(sheet.text[i]) for i in range(len(sheet))}
    for chunk in sheet_chunks(annotated, Settings(chunker, max_tokens=64)):
        for cell in chunk.cells:
            assert text[cell.ref] == cell.text
            assert [text[ref] for ref in (*cell.col_refs, *cell.row_refs)] == [*cell.col_path, *cell.row_path]
            assert _inside(chunk.region, chunk.range) and REF.fullmatch(cell.ref)
        data = {cell.ref for cell in chunk.cells if cell.owner and cell.role in ("value", "aggregation")}
        assert chunk.range and (chunker in BASELINES or _holds(chunk.range, data))
        record = json.loads(chunk_json(chunk))
        assert (record["id"], record["text"], record["context"]) == (chunk.id, chunk.text, chunk.context)
        assert [cell["ref"] for cell in record["cells"]] == [cell.ref for cell in chunk.cells]
        assert [tuple(cell["col_refs"]) for cell in record["cells"]] == [cell.col_refs for cell in chunk.cells]


def _inside(*ranges: str | None) -> bool:
    """Whether ranges lie in the part of the sheet that the random books use."""
    bounds = [range_boundaries(text) for text in ranges if text]
    return all(1 <= left <= right <= COLS and 1 <= top <= bottom <= ROWS for left, top, right, bottom in bounds)


def _holds(range_: str, refs: set[str]) -> bool:
    left, top, right, bottom = range_boundaries(range_)
    places = map(coordinate_to_tuple, refs)
    return all(top <= row <= bottom and left <= col <= right for row, col in places)


@any_sheet
@given(tab=tabs(), seed=seeds)
def test_header_paths_cite_headers_that_can_govern_the_cell(path: Path, tab: RandomTab, seed: int | None) -> None:
    (sheet,) = read_workbook(tab.write(path))
    annotated = understood(sheet, seed)
    index = {sheet.ref(i): i for i in range(len(sheet))}
    for chunk in sheet_chunks(annotated, Settings("record")):
        for cell in chunk.cells:
            assert_governed(annotated, index, chunk, cell)


def assert_governed(annotated: AnnotatedSheet, index: dict[str, int], chunk: Chunk, cell: CitedCell) -> None:
    """Headers are of the right kind, stand all above or all below the cell, and never are the cell itself."""
    roles, row = annotated.roles, annotated.sheet.row
    at = index[cell.ref]
    heads, stubs = ([index[ref] for ref in refs] for refs in (cell.col_refs, cell.row_refs))
    assert at not in heads + stubs and len({*heads, *stubs}) == len(heads + stubs)
    assert set(roles[heads]) <= {*COLUMN_HEADERS} and set(roles[stubs]) <= {*ROW_HEADERS}, (cell, chunk.region)
    assert len(set(np.sign(row[heads] - row[at])) - {0}) <= 1 and row[at] not in row[heads], (cell, chunk.region)
    assert not (heads + stubs) or annotated.table[at] >= 0
    assert {int(annotated.table[i]) for i in stubs} <= {int(annotated.table[at])}


@any_sheet
@given(tab=tabs())
def test_baselines_and_role_chunkers_agree_on_what_there_is(path: Path, tab: RandomTab) -> None:
    (sheet,) = read_workbook(tab.write(path))
    annotated = understood(sheet, None)
    junk = {sheet.ref(i) for i in np.flatnonzero(annotated.roles == Role.JUNK)}
    seen = {}
    for name in OWNING:
        cells = [cell.ref for chunk in sheet_chunks(annotated, Settings(name)) for cell in chunk.cells if cell.owner]
        seen[name] = set(cells) | (set() if name in BASELINES else junk)
    assert len({frozenset(refs) for refs in seen.values()}) == 1
