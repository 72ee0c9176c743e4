"""What studies of chunkers share: the options of a comparison, its run, its results read again, and their files."""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from chunkers.compare.answers.generate import Answer
from chunkers.compare.answers.options import AnswerOptions
from chunkers.compare.files import write_files
from chunkers.compare.judge import Verdict
from chunkers.compare.methods import Method
from chunkers.compare.progress import console_progress
from chunkers.compare.questions import Question
from chunkers.compare.results import ChunkStatistics, MethodResult, Results, results
from chunkers.compare.run import INDEXES, Options, compare
from chunkers.workbook import Settings
from train.tables import Table


def add_options(parser: argparse.ArgumentParser) -> None:
    """What is searched, asked and answered, as for `cellroles compare`."""
    parser.add_argument("--corpus", type=Path, required=True, help="folder of the workbooks that are searched")
    parser.add_argument("--questions", type=Path, required=True, help="questions, JSON lines")
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder of the study; chunks are kept there")
    parser.add_argument("--distractors", type=int, help="search the questions' workbooks and so many other sheets only")
    parser.add_argument("--seed", type=int, default=42, help="draws the distractors (default: 42)")
    parser.add_argument("--index", choices=INDEXES, default="bm25", help="default: bm25")
    parser.add_argument("--include-hidden", action="store_true", help="read hidden sheets, rows and columns too")
    parser.add_argument("--jobs", type=int, default=1, help="workbooks read at the same time (default: 1)")
    parser.add_argument("--endpoint", help="OpenAI-compatible endpoint whose model answers and rates (needs --model)")
    parser.add_argument("--model", default="", help="the model that answers and rates")


def run_comparison(given: argparse.Namespace, methods: Sequence[Method], labels: Path | None) -> Results:
    """Compare the methods with the options of `add_options`; the files of the comparison go to the output folder."""
    options = Options(
        given.corpus,
        given.questions,
        tuple(methods),
        given.output,
        Settings(include_hidden=given.include_hidden),
        given.index,
        labels=labels,
        distractors=given.distractors,
        seed=given.seed,
        jobs=given.jobs,
        answers=AnswerOptions(given.endpoint, given.model) if given.endpoint else None,
    )
    with console_progress() as progress:
        found = compare(options, progress)
    write_files(found, given.output)
    if found.left_out:
        raise ValueError("; ".join(f"{name}: {reason}" for name, reason in found.left_out.items()))
    return found


def read_results(path: Path) -> Results:
    """A comparison's results from its results.json, without the chunks that it shows; ValueError for another file."""
    try:
        document = json.loads(path.read_text("utf-8"))
        questions = [Question(**_tuples(record)) for record in document["questions"]]
        methods = [_method(record) for record in document["methods"]]
        return results(document["settings"], questions, methods, document["left_out"])
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: no results of a comparison by this version: {error}") from error


def _method(record: dict[str, Any]) -> MethodResult:
    parts = {
        "chunks": ChunkStatistics(**record["chunks"]),
        "verdicts": tuple(Verdict(**_tuples(verdict)) for verdict in record["verdicts"]),
        "answers": tuple(Answer(**answer) for answer in record["answers"]),
        "found": (),
    }
    return MethodResult(**_tuples(record | parts))


def _tuples(record: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in record.items()}


def mean_of(found: Results, method: str, name: str, tag: str = "all") -> float | None:
    """The mean score of a method over the questions of a tag."""
    estimates = (row.scores.get(name) for row in found.rows if (row.method, row.tag) == (method, tag))
    estimate = next(estimates, None)
    return estimate.mean if estimate else None


def write_study(output: Path, name: str, text: str, tables: Iterable[Table]) -> None:
    """Write `name`.md, and the rows of every table to `name`.csv or, if there are several, `name`_2.csv and so on."""
    output.mkdir(parents=True, exist_ok=True)
    (output / f"{name}.md").write_text(text, "utf-8")
    for number, table in enumerate(tables, 1):
        path = output / (f"{name}.csv" if number == 1 else f"{name}_{number}.csv")
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([[cell.strip("*") for cell in line] for line in (table.head, *table.rows)])


def p_value(p: float) -> str:
    """A p as papers print it.

    >>> p_value(0.0301), p_value(2.4e-9), p_value(0.98)
    ('0.030', '2e-09', '0.98')
    """
    return f"{p:.0e}" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"
