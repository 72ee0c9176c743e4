"""Verdicts on made-up chunks, against the rules of DESIGN's "What is measured", and the statistics over them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import wilcoxon

from chunkers.compare.judge import SCORES, Judge, says_answer, scores
from chunkers.compare.methods import Method
from chunkers.compare.progress import Lines
from chunkers.compare.questions import Question
from chunkers.compare.results import ChunkStatistics, MethodResult, results
from chunkers.compare.run import Options, compare
from chunkers.compare.statistics import difference, estimate
from chunkers.compare.stored import StoredCell, StoredChunk
from chunkers.workbook import Settings
from tests.oracle import SHARED, needs_shared

BOOK = "books/a.xlsx"
ASKED = Question("q", "what?", "51.5", "a.xlsx", "S", ("B3",), ("Long",), ("Swaps",), ("B1", "B2"), ("A3",))
PATHS = (("B1", "B2"), ("A3",))


def cell(col_refs: Sequence[str] = (), row_refs: Sequence[str] = (), owner: bool = True) -> StoredCell:
    return StoredCell(owner, tuple(col_refs), tuple(row_refs))


def chunk(cells: dict[str, StoredCell], text: str = "", sheet: str = "S", tokens: int = 100) -> StoredChunk:
    return StoredChunk(text[:8], text, text, BOOK, sheet, None, tokens, cells)


OTHER = chunk({}, "elsewhere", sheet="T")


def verdict(
    chunks: list[StoredChunk], ranking: list[int], question: Question = ASKED, judged: str = "cells"
) -> dict[str, float | None]:
    return scores(Judge(chunks, judged).verdict(question, BOOK, ranking))  # type: ignore[arg-type]


def test_every_score_is_told_and_named() -> None:
    assert list(verdict([OTHER], [0])) == list(SCORES)


def test_one_answer_cell_is_found_where_its_chunk_stands() -> None:
    chunks = [OTHER, chunk({"B3": cell(*PATHS)}, "Swaps: Long 51.5")]
    found = verdict(chunks, [0, 1])
    assert found == {
        "recall@1": 0,
        "recall@5": 1,
        "mrr": 0.5,
        "recall@1500 tokens": 1,
        "recall@5 and association": 1,
        "answer@5": 1,
        "sheet@1": 0,
        "association": 1,
        "exact paths": 1,
        "completeness": 1,
    }


def test_an_answer_of_another_sheet_or_workbook_is_none() -> None:
    elsewhere = chunk({"B3": cell(*PATHS)}, "Long 51.5", sheet="T")
    copy = StoredChunk("x", "Long 51.5", "", "books/b.xlsx", "S", None, 9, {"B3": cell(*PATHS)})
    found = verdict([elsewhere, copy], [0, 1])
    assert not any(value for value in found.values())


def test_several_answer_cells_are_found_by_the_chunks_that_hold_them_together() -> None:
    question = Question("q", "?", "1 and 2", "a.xlsx", "S", ("B3", "C3"), col_path_cells=("B1",), row_path_cells=())
    chunks = [chunk({"B3": cell(["B1"])}), OTHER, chunk({"C3": cell(["B1"])})]
    assert verdict(chunks, [0, 1, 2], question)["mrr"] == 1 / 3
    assert verdict(chunks, [0, 1], question)["recall@5"] == 0
    both = verdict(chunks, [2, 0], question)
    assert (both["recall@1"], both["recall@5"], both["recall@5 and association"]) == (0, 1, 1)


def test_beyond_five_and_ten_chunks() -> None:
    chunks = [OTHER] * 10 + [chunk({"B3": cell(*PATHS)})]
    sixth, eleventh = verdict(chunks, [0, 1, 2, 3, 4, 10]), verdict(chunks, list(range(11)))
    assert (sixth["recall@5"], sixth["mrr"], sixth["recall@5 and association"]) == (0, 1 / 6, 0)
    assert (eleventh["mrr"], eleventh["association"]) == (0, 1)


@pytest.mark.parametrize(("tokens", "within"), [(1_400, 1), (1_401, 0)])
def test_the_tokens_of_all_chunks_up_to_the_answer_count(tokens: int, within: int) -> None:
    chunks = [chunk({}, sheet="T", tokens=tokens), chunk({"B3": cell(*PATHS)}, tokens=100)]
    found = verdict(chunks, [0, 1])
    assert (found["recall@1500 tokens"], found["recall@5"]) == (within, 1)


@pytest.mark.parametrize(
    ("columns", "rows", "associated", "exact"),
    [
        (("B1", "B2"), ("A3",), 1, 1),
        (("B1", "B2"), ("A2", "A3"), 1, 0),
        (("B1", "B2", "C1"), ("A2", "A3"), 0, 0),
        (("B2", "B1"), ("A3",), 1, 0),
        (("B2",), ("A3",), 0, 0),
        (("A3",), ("B1", "B2"), 1, 0),
        ((), (), 0, 0),
    ],
)
def test_labels_may_be_attached_with_one_too_many_but_paths_are_exact(
    columns: tuple[str, ...], rows: tuple[str, ...], associated: int, exact: int
) -> None:
    found = verdict([chunk({"B3": cell(columns, rows)})], [0])
    assert (found["association"], found["recall@5 and association"], found["exact paths"]) == (associated,) * 2 + (
        exact,
    )


def test_paths_of_several_cells_are_united_and_compared_as_sets() -> None:
    question = Question("q", "?", "", "a.xlsx", "S", ("B3", "C3"), (), (), ("C2", "B2"), ("A3",))
    apart = [chunk({"B3": cell(["B2"], ["A3"])}), chunk({"C3": cell(["C2"], ["A3"])})]
    assert verdict(apart, [], question)["exact paths"] == 1
    less = [apart[0], chunk({"C3": cell([], ["A3"])})]
    assert (verdict(less, [], question)["exact paths"], verdict(less, [], question)["association"]) == (0, 0)
    assert verdict(apart[:1], [0], question)["association"] == 0


def test_paths_are_judged_on_the_owner_and_found_ones_on_what_was_found() -> None:
    repeated, owner = chunk({"B3": cell(owner=False)}, "repeat"), chunk({"B3": cell(*PATHS)}, "Swaps Long")
    found = verdict([repeated, owner], [0])
    assert (found["association"], found["recall@5"], found["recall@5 and association"]) == (1, 1, 0)
    both = verdict([repeated, owner], [0, 1])
    assert (both["recall@1"], both["recall@5 and association"]) == (1, 1)


def test_completeness_asks_the_texts_of_the_owners_for_every_label_but_dates() -> None:
    question = Question(
        "q", "?", "", "a.xlsx", "S", ("B3", "C3"), ("Ｌong  term", "2024-03-01 00:00:00"), ("Swaps",), (), ()
    )
    texts = [chunk({"B3": cell()}, "SWAPS"), chunk({"C3": cell()}, "long term")]
    assert verdict(texts, [], question)["completeness"] == 1
    assert verdict([texts[0], chunk({"C3": cell()}, "term")], [], question)["completeness"] == 0
    assert verdict([chunk({"B3": cell()}, "swaps long term")], [], question)["completeness"] == 0  # C3 has no owner


def test_without_paths_nothing_is_said_of_them() -> None:
    question = Question("q", "?", "51.5", "a.xlsx", "S", ("B3",))
    found = verdict([chunk({"B3": cell()}, "51.5")], [0], question)
    assert {name for name, value in found.items() if value is None} == {
        "recall@5 and association",
        "association",
        "exact paths",
        "completeness",
    }


def test_texts_without_cells_are_judged_by_sheet_and_answer() -> None:
    chunks = [chunk({}, "Short 48.2"), chunk({}, "51.5", sheet="T"), chunk({}, "Long 51.50 and more")]
    assert verdict(chunks, [0, 1, 2], judged="text")["mrr"] == 1 / 3
    assert verdict(chunks, [0, 1, 2], judged="cells")["mrr"] == 0


def test_a_map_is_judged_by_its_sheet() -> None:
    found = verdict([OTHER, chunk({}, "B2:F9")], [0, 1], judged="sheet")
    assert (found["mrr"], found["answer@5"]) == (0.5, 0)


@pytest.mark.parametrize(
    ("text", "answer", "said"),
    [
        ("Long 51.5; Short", "51.5", True),
        ("Long 51.50", "51.5", True),
        ("Long 1,051.5", "1051.5", True),
        ("Long 51.5", "51", False),
        ("Long 51.5", "5", False),
        ("Long 151", "51", False),
        ("change -5", "5", False),
        ("change -5", "-5", True),
        ("years 2019-2020", "2020", True),
        ("Oslo and Bergen", "oslo", True),
        ("Oslove", "Oslo", False),
        ("Ｏslo   is", "oslo is", True),
        ("from 10 to 20", "10 and 20", True),
        ("from 10", "10 and 20", False),
        ("anything", "", False),
    ],
)
def test_a_text_says_an_answer(text: str, answer: str, said: bool) -> None:
    assert says_answer(text, answer) is said


def test_a_mean_and_the_interval_of_whole_groups() -> None:
    values, each = np.array([0, 1] * 50, np.float32), [str(k) for k in range(100)]
    alone, together = estimate(values, each), estimate(values, [str(k // 10) for k in range(100)])
    assert (alone.mean, alone.n) == (0.5, 100)
    assert alone.low < 0.5 < alone.high and abs(alone.high - alone.low - 2 * 1.96 * 0.05) < 0.03
    assert together.low == together.high == 0.5  # every group has the same mean
    assert estimate(np.ones(5, np.float32), ["a"] * 5).low == 1


def test_intervals_cover_the_mean_about_as_often_as_they_say() -> None:
    rng, covered = np.random.default_rng(1), 0
    for _ in range(60):
        groups = np.repeat(np.arange(40), 3)
        values = rng.normal(size=40)[groups] + rng.normal(size=120)
        found = estimate(values.astype(np.float32), groups.astype(str).tolist())
        covered += found.low <= 0 <= found.high
    assert covered >= 50


def test_differences_are_paired_and_tested_by_wilcoxon() -> None:
    rng = np.random.default_rng(2)
    first, second = rng.random(80).astype(np.float32), rng.random(80).astype(np.float32)
    found = difference(first, second, [str(k) for k in range(80)])
    assert found.p == pytest.approx(wilcoxon(first, second).pvalue)
    assert 0 < difference(np.ones(245, np.float32), np.zeros(245, np.float32), ["a"] * 245).p < 1e-50
    assert found.mean == pytest.approx(float((first - second).mean())) and found.low < found.mean < found.high
    same = difference(first, first, ["a"] * 80)
    assert (same.mean, same.low, same.high, same.p) == (0, 0, 0, 1)


def result(name: str, ranks: list[list[int]], questions: list[Question]) -> MethodResult:
    chunks = [OTHER, chunk({"B3": cell(*PATHS)}, "Swaps Long 51.5")]
    verdicts = tuple(Judge(chunks).verdict(q, BOOK, rank) for q, rank in zip(questions, ranks, strict=True))
    return MethodResult(name, False, "cells", "bm25", ChunkStatistics(2, 100, 100, 100, 0.2, 1), verdicts, ((),) * 2)


def test_results_have_a_row_per_tag_and_differences_from_the_first() -> None:
    questions = [
        Question("1", "?", "51.5", "a.xlsx", "S", ("B3",), (), (), ("B1", "B2"), ("A3",), ("nested", "all")),
        Question("2", "?", "51.5", "a.xlsx", "S", ("B3",), tags=("flat",)),
    ]
    made = results({}, questions, [result("a", [[1], [1]], questions), result("b", [[0, 1], [0]], questions)])
    assert [(row.method, row.tag) for row in made.rows] == [(m, t) for m in "ab" for t in ("all", "flat", "nested")]
    every, flat, _ = made.rows[:3]
    assert every.scores["recall@1"] is not None and every.scores["recall@1"].mean == 1
    assert flat.scores["association"] is None and every.scores["association"].n == 1  # type: ignore[union-attr]
    assert made.differences["b"]["recall@1"].mean == 1 and made.differences["b"]["recall@5"].mean == 0.5
    assert list(made.differences) == ["b"] and made.left_out == {}


@pytest.mark.slow
@pytest.mark.shared
@needs_shared
def test_paths_are_judged_as_the_external_scorer_does(tmp_path: Path) -> None:
    """On real sheets with predicted roles, where much is wrong."""
    questions = SHARED / "gold" / "questions.jsonl"
    made = compare(
        Options(
            SHARED / "workbooks",
            questions,
            (Method("row"),),
            tmp_path / "out",
            Settings(include_hidden=True),
            "bm25",
            distractors=0,
        ),
        Lines(),
    )
    chunks, roles = tmp_path / "chunks.jsonl", tmp_path / "roles.jsonl"
    chunks.write_text("".join(p.read_text("utf-8") for p in (tmp_path / "out" / "chunks").glob("row/*.jsonl")), "utf-8")
    roles.touch()
    command = [sys.executable, str(SHARED / "tools" / "score_gold.py"), str(SHARED / "gold"), str(roles), str(chunks)]
    paths = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["paths"]
    (row,) = [row for row in made.rows if row.tag == "all"]
    for ours, theirs in (("exact paths", "both"), ("association", "assoc"), ("completeness", "complete")):
        found = row.scores[ours]
        assert found and found.n == paths["n"]
        allowed = (
            3 / found.n if ours == "completeness" else 0.0
        )  # three labels are dates by formula, which it reads raw
        assert -6e-5 <= found.mean - paths[theirs] <= allowed + 6e-5, ours
