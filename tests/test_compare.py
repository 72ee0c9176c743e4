"""Comparisons from files to files: questions, corpus, methods, chunks of every method, and the command."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from cellroles.sheet import AnnotatedSheet, Floats, Role
from chunkers.cli import app
from chunkers.compare import build as building
from chunkers.compare import run as running
from chunkers.compare.corpus import Source, whole_folder, with_distractors
from chunkers.compare.methods import Method, not_installed, parse_methods
from chunkers.compare.progress import Lines
from chunkers.compare.questions import read_questions
from chunkers.compare.results import Results
from chunkers.compare.run import Options
from chunkers.compare.unfindable import told
from chunkers.registry import CHUNKERS
from chunkers.workbook import Settings
from tests.books import Tab, book
from tests.compared import PRICES, QUESTIONS, STAFF, corpus, write_questions


@pytest.fixture(autouse=True)
def unchanging_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunkers.parts._source_files", list)  # two runs are the same even if code is edited meanwhile


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return corpus(tmp_path)


# questions


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('{"id": "x"', "no JSON object in one line: Expecting ',' delimiter at column 11"),
        ("[", "no JSON object in one line: Expecting value at column 2"),
        ("[]", "missing: id, question, file, sheet, answer_cells"),
        (json.dumps({**QUESTIONS[0], "file": ""}), "missing: file"),
        (json.dumps({**QUESTIONS[0], "answer_cells": []}), "missing: answer_cells"),
        (json.dumps({**QUESTIONS[0], "answer_cells": "B4"}), "answer_cells is a list .got 'B4'"),
        (json.dumps({**QUESTIONS[0], "answer_cells": ["B4:C4"]}), "answer_cells names cells such as C12 .got 'B4:C4'"),
        (json.dumps({**QUESTIONS[0], "row_path_cells": ["4"]}), "row_path_cells names cells"),
        (json.dumps({**QUESTIONS[0], "col_path": "Long"}), "col_path is a list"),
        (json.dumps(QUESTIONS[1]), "the id '2' occurs twice"),
    ],
)
def test_a_line_that_is_no_question_is_named(tmp_path: Path, line: str, complaint: str) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(f"{json.dumps(QUESTIONS[1])}\n\n{line}\n", "utf-8")
    with pytest.raises(ValueError, match=rf"q\.jsonl:3: .*{complaint}"):
        read_questions(path)


def test_a_line_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_bytes(b'{"id": "\xff"}\n')
    with pytest.raises(ValueError, match=r"q\.jsonl:1: no JSON object in one line: no UTF-8 text at byte 9"):
        read_questions(path)


def test_questions_are_read_with_or_without_paths(tmp_path: Path) -> None:
    bare = {**QUESTIONS[3], "answer": None, "answer_cells": ["$b$4"], "id": 0}
    path = write_questions(tmp_path / "q.jsonl", [QUESTIONS[0], bare])
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    with_paths, without = read_questions(path)
    assert with_paths.path_cells == ("B2", "B3", "A4") and with_paths.labels == ("Buyside", "Long", "Index")
    assert (without.id, without.answer, without.answer_cells) == ("0", "", ("B4",))
    assert without.path_cells is None and without.labels is None and without.tags == ("flat",)


def test_filters_take_values_and_members_of_lists(tmp_path: Path) -> None:
    path = write_questions(tmp_path / "q.jsonl", [{**q, "core": q["id"] < "3"} for q in QUESTIONS])
    assert [q.id for q in read_questions(path, {"tags": "flat"})] == ["4", "5"]
    assert [q.id for q in read_questions(path, {"core": True, "file": "a/credit.xlsx"})] == ["1", "2"]
    with pytest.raises(ValueError, match=r"no questions with core=yes, x=true among 6"):
        read_questions(path, {"core": "yes", "x": True})


# corpus


def test_the_questions_workbooks_come_first(folder: Path) -> None:
    books = folder / "books"
    found = whole_folder(books, ["staff.xlsx", "a/credit.xlsx", "staff.xlsx"])
    assert found == [Source(str(books / name)) for name in ("staff.xlsx", "a/credit.xlsx", "prices.xlsx")]


def test_a_missing_workbook_is_named(folder: Path) -> None:
    for find in (
        lambda f: whole_folder(folder / "books", f),
        lambda f: with_distractors(folder / "books", {name: [] for name in f}, 1, 0),
    ):
        with pytest.raises(ValueError, match=r"none\.xlsx: the questions name this workbook.*\(1 in all\)"):
            find(["staff.xlsx", "none.xlsx"])


def test_distractors_are_other_sheets_of_fitting_size_drawn_by_the_seed(tmp_path: Path) -> None:
    for k in range(6):
        book(tmp_path / f"{k}.xlsx", Tab(STAFF, name="fits"), Tab(PRICES, name="small"), Tab(STAFF, name="too"))
    (tmp_path / "broken.xlsx").write_text("no workbook")
    first, *others = with_distractors(tmp_path, {"3.xlsx": []}, 5, 1)
    assert first == Source(str(tmp_path / "3.xlsx"))
    assert sum(len(source.sheets) for source in others) == 5
    assert {name for source in others for name in source.sheets} == {"fits", "too"}
    assert str(tmp_path / "3.xlsx") not in [source.path for source in others]
    assert with_distractors(tmp_path, {"3.xlsx": []}, 5, 1) == [first, *others]
    assert any(with_distractors(tmp_path, {"3.xlsx": []}, 5, seed) != [first, *others] for seed in range(2, 6))
    assert with_distractors(tmp_path, {"3.xlsx": []}, 0, 1) == [first]
    assert with_distractors(tmp_path, {"3.xlsx": ["Data"]}, 0, 1) == [Source(first.path, ("Data",))]
    with pytest.raises(ValueError, match="only 10 sheets of 20 to 2500 cells"):
        with_distractors(tmp_path, {"3.xlsx": []}, 11, 1)


# methods


def test_methods_are_parsed_once_each() -> None:
    methods = parse_methods("row, stc,row@gold,row@a/b,row,row@")
    assert methods == [Method("row"), Method("stc"), Method("row", "gold"), Method("row", "a/b")]
    assert [method.name for method in methods] == ["row", "stc", "row@gold", "row@a/b"]
    assert [method.is_baseline for method in methods] == [False, True, False, False]
    every = [method.chunker for method in parse_methods("all")]
    assert every[0] == "row" and {*every, *not_installed()} == set(CHUNKERS)
    with pytest.raises(ValueError, match="no chunker named 'rows'; there are adaptive, "):
        parse_methods("rows")
    with pytest.raises(ValueError, match="name at least one chunker"):
        parse_methods(" ,")


def test_labels_may_be_demoted_and_checkpoints_may_be_called_alike() -> None:
    assert Method("row", "gold-col_header_2").demoted == Role.COL_HEADER_2
    assert [Method("row", roles).is_gold for roles in ("gold", "gold-junk", "gold-gat", "default", None)] == [
        True,
        True,
        False,
        False,
        False,
    ]


# the command


def call(folder: Path, *arguments: object) -> Result:
    given = ["--corpus", folder / "books", "--questions", folder / "questions.jsonl", "-o", folder / "out"]
    return CliRunner().invoke(app, ["compare", *map(str, [*given, "--index", "bm25", *arguments])])


def test_the_command_compares_and_goes_on_where_it_ended(folder: Path) -> None:
    first = call(folder, "--chunkers", "row,row@gold,stc", "--labels", folder / "set" / "labels")
    assert first.exit_code == 0, first.output
    heading, *lines = first.stdout.splitlines()
    assert heading.split()[:2] == ["recall@1", "recall@5"]
    assert [line.split()[0] for line in lines[:3]] == ["row", "row@gold", "stc"]
    out = folder / "out"
    assert {"results.json", "summary.csv", "questions.csv", "report.html"} <= {path.name for path in out.iterdir()}
    assert not list(out.rglob("*.tmp"))
    document = json.loads((out / "results.json").read_text("utf-8"))
    assert [len(method["verdicts"]) for method in document["methods"]] == [6, 6, 6]
    rows = {(row["method"], row["structure"]): row for row in csv.DictReader((out / "summary.csv").open())}
    assert {tag for _, tag in rows} == {"all", "flat", "nested"}
    assert rows["row@gold", "nested"]["exact paths"] == "1.0" and rows["row@gold", "nested"]["recall@5"] == "1.0"
    assert rows["stc", "nested"]["association"] == "0.0" and rows["stc", "flat"]["association"] == ""
    assert len(list(csv.DictReader((out / "questions.csv").open()))) == 18

    kept = {path: path.stat().st_mtime_ns for path in (out / "chunks").rglob("*.jsonl")}
    results = (out / "results.json").read_bytes()
    assert call(folder, "--chunkers", "row,row@gold,stc", "--labels", folder / "set" / "labels").exit_code == 0
    assert {path: path.stat().st_mtime_ns for path in (out / "chunks").rglob("*.jsonl")} == kept
    assert (out / "results.json").read_bytes() == results


def test_distractors_are_drawn_once_for_an_output_folder(folder: Path) -> None:
    for k in range(3):
        book(folder / "books" / f"more{k}.xlsx", STAFF)
    assert call(folder, "--chunkers", "stc", "--distractors", 2).exit_code == 0
    drawn = (folder / "out" / "sources.json").read_text("utf-8")
    book(folder / "books" / "a0.xlsx", STAFF)
    assert call(folder, "--chunkers", "stc", "--distractors", 2).exit_code == 0
    assert (folder / "out" / "sources.json").read_text("utf-8") == drawn
    assert json.loads((folder / "out" / "results.json").read_text("utf-8"))["settings"]["workbooks"] == 5


def test_a_failed_workbook_is_told_and_the_rest_compared(folder: Path) -> None:
    (folder / "books" / "broken.xlsx").write_text("no workbook")
    result = call(folder, "--chunkers", "row,stc", "--only", "tags=flat")
    assert result.exit_code == 1
    assert result.stderr.count("broken.xlsx") == 1 and "stc" in result.stdout
    assert len(list(csv.DictReader((folder / "out" / "questions.csv").open()))) == 4


def test_questions_that_no_chunk_can_answer_are_told(folder: Path) -> None:
    wrong = [
        {**QUESTIONS[3], "id": "sheet", "sheet": "data"},
        {**QUESTIONS[3], "id": "cell", "answer_cells": ["B4", "$B$99"]},
        {**QUESTIONS[0], "id": "merge", "answer_cells": ["C2"]},
    ]
    write_questions(folder / "questions.jsonl", [*QUESTIONS, *wrong])
    result = call(folder, "--chunkers", "row,stc")
    assert result.exit_code == 0, result.output
    staff, credit = folder / "books" / "staff.xlsx", folder / "books" / "a" / "credit.xlsx"
    reasons = {
        "sheet": f"no chunks of sheet 'data' of {staff}, but of 'Data'; is it empty, or hidden (--include-hidden)?",
        "cell": f"no chunk holds B99 of 'Data' in {staff}: empty, hidden, or not the first cell of a merge",
        "merge": f"no chunk holds C2 of 'Credit' in {credit}: empty, hidden, or not the first cell of a merge",
    }
    lines = [line for line in result.stderr.splitlines() if line.startswith("question ")]
    assert lines == [f"question {id_}: {reason}" for id_, reason in reasons.items()]
    assert json.loads((folder / "out" / "results.json").read_text("utf-8"))["unfindable"] == reasons
    assert "3 questions whose answer" in (folder / "out" / "report.html").read_text("utf-8")


def test_many_questions_without_an_answer_cell_take_few_lines() -> None:
    lines = list(told({str(i): "no chunks of x.xlsx" for i in range(12)}))
    assert lines[9:] == [
        "question 9: no chunks of x.xlsx",
        "… and 2 more questions whose answer is in no chunk; the report names them",
    ]


def test_a_method_that_is_judged_with_more_grace_says_so(folder: Path) -> None:
    lines = call(folder, "--chunkers", "stc,sheetcompressor").stdout.splitlines()
    assert "sheetcompressor: judged by the right sheet alone, which grants it more than the others" in lines
    assert not any(line.startswith("stc: judged") for line in lines)


def test_what_only_some_questions_tell_is_over_those(folder: Path) -> None:
    write_questions(folder / "questions.jsonl", [{**QUESTIONS[5], "answer": None}, *QUESTIONS[:2]])
    lines = call(folder, "--chunkers", "stc").stdout.splitlines()
    assert lines[2:4] == [
        "recall@5 and association, exact paths: over the 2 of 3 questions with header cells",
        "answer@5: over the 2 of 3 questions with an answer",
    ]


def run_here(folder: Path, monkeypatch: pytest.MonkeyPatch, methods: str, **more: Any) -> Results:
    """A comparison whose workbooks are read in this process."""
    monkeypatch.setattr(running, "build", lambda making, sources, jobs, advance: map(making, sources))
    given = parse_methods(methods)
    options = Options(folder / "books", folder / "questions.jsonl", tuple(given), folder / "out", **more)
    return running.compare(options, Lines())


def test_a_method_without_chunks_is_left_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = building.sheet_chunks

    def fails(annotated: AnnotatedSheet, settings: Settings) -> Any:
        if settings.chunker == "flat":
            raise ImportError("flat needs what is not installed")
        return whole(annotated, settings)

    monkeypatch.setattr(building, "sheet_chunks", fails)
    found = run_here(folder, monkeypatch, "flat,row,stc", index="bm25")
    assert [method.name for method in found.methods] == ["row", "stc"]
    assert "flat needs what is not installed" in found.left_out["flat"] and list(found.left_out) == ["flat"]
    with pytest.raises(ValueError, match="no method has any chunks"):
        run_here(folder, monkeypatch, "flat", index="bm25")


class Lengths:
    """Texts of one length mean the same."""

    name = "lengths"

    def embed(self, texts: Sequence[str], *, question: bool) -> Floats:
        angles = np.array([len(text) / 1_000 for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def test_few_texts_are_embedded_too_and_many_are_not(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = []
    monkeypatch.setattr(running, "load_embedder", lambda name: loaded.append(name) or Lengths())
    fused = run_here(folder, monkeypatch, "row,stc")
    assert [method.index for method in fused.methods] == ["fused", "fused"]
    assert loaded == ["multilingual-e5-small"] and (folder / "out" / "vectors.sqlite").exists()
    dense = run_here(folder, monkeypatch, "row", index="dense")
    assert dense.methods[0].index == "dense" and fused.settings["index"] == "fused"
    monkeypatch.setattr(running, "AUTO_TEXTS", 3)
    words = run_here(folder, monkeypatch, "row,stc")
    assert words.settings["index"] == "bm25" and words.settings["embedder"] is None
    monkeypatch.setattr(running, "AUTO_TEXTS", 1_000)
    monkeypatch.setattr(running, "AUTO_BYTES", 300)
    assert run_here(folder, monkeypatch, "row,stc").settings["index"] == "bm25"


def test_an_interruption_says_that_the_same_command_goes_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "wanted_cells", interrupted)
    result = call(folder, "--chunkers", "stc")
    assert result.exit_code == 130 and "Traceback" not in result.output
    last = result.stderr.splitlines()[-1]
    assert last == f"interrupted: what is done is kept in {folder / 'out'}; the same command goes on"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--chunkers", "rows"], "no chunker named 'rows'"),
        (["--index", "words"], "no index named 'words'"),
        (["--chunkers", "row@gold"], "needs a folder of label files (--labels)"),
        (["--chunkers", "row@nowhere"], "'nowhere'"),
        (["--only", "tags"], "--only is FIELD=VALUE (got 'tags')"),
        (["--only", "tags=none"], "no questions with tags=none among 6"),
        (["--max-tokens", "1"], "max_tokens must be at least"),
        (["--questions", "nowhere.jsonl"], "nowhere.jsonl"),
        (["--corpus", "nowhere"], "nowhere: the corpus is a folder of workbooks, and this is not there"),
        (["--corpus", __file__], f"{__file__}: the corpus is a folder of workbooks, and this is a file"),
        (["--questions", "tests"], "tests: Is a directory"),
        (["-o", __file__], f"{__file__}: the output is a folder, and this is a file"),
        (["-o", f"{__file__}/x"], f"{__file__}/x: Not a directory"),
        (["--distractors", "9"], "only 0 sheets"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_status_2(folder: Path, arguments: list[str], complaint: str) -> None:
    result = call(folder, "--chunkers", "stc", *arguments)
    assert result.exit_code == 2, result.output
    assert complaint in result.stderr and "Traceback" not in result.output
