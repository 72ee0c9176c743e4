"""Results -> the files that other tools read: `results.json`, `summary.csv` and `questions.csv`."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from chunkers.compare.judge import SCORES
from chunkers.compare.results import JUDGE, Results, all_scores
from chunkers.parts import TEMPORARY, text_file


def write_files(results: Results, folder: Path) -> list[Path]:
    """Write the three files, each complete or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    document = folder / "results.json"
    _replace(document, [json.dumps(_document(results), ensure_ascii=False, indent=1), "\n"])
    return [
        document,
        _table(folder / "summary.csv", summary_rows(results)),
        _table(folder / "questions.csv", question_rows(results)),
    ]


def summary_rows(results: Results) -> list[Sequence[object]]:
    """One line per method and structure tag: every score with its interval."""
    names = _names(results)
    bounds = [f"{name}{end}" for name in names for end in ("", " low", " high")]
    lines: list[Sequence[object]] = [("method", "structure", "questions", *bounds, "tokens of the first five")]
    for row in results.rows:
        cells: list[object] = []
        for name in names:
            found = row.scores.get(name)
            cells += [round(x, 4) for x in (found.mean, found.low, found.high)] if found else ["", "", ""]
        first = row.scores["recall@1"]
        lines.append((row.method, row.tag, first.n if first else 0, *cells, round(row.top_tokens)))
    return lines


def question_rows(results: Results) -> list[Sequence[object]]:
    """One line per method and question: every score, the generated answer, and the ids of the first chunks."""
    names = _names(results)
    given = ("expected", "answer", "answer read from") if JUDGE in names else ()
    lines: list[Sequence[object]] = [
        ("method", "question", "structure", "file", "sheet", "answer cells", "rank", *names, *given, "first chunks")
    ]
    for method in results.methods:
        answers = {answer.question: answer for answer in method.answers}
        asked = zip(results.questions, method.verdicts, all_scores(method), method.found, strict=True)
        for question, verdict, told, found in asked:
            values = ["" if (value := told[name]) is None else round(value, 4) for name in names]
            answer = answers.get(question.id)
            said = (question.answer, answer.answer, answer.read) if answer else (question.answer, "", "")
            lines.append(
                (
                    method.name,
                    question.id,
                    " ".join(question.tags),
                    question.file,
                    question.sheet,
                    " ".join(question.answer_cells),
                    verdict.rank or "",
                    *values,
                    *(said if given else ()),
                    " ".join(chunk.id for chunk in found),
                )
            )
    return lines


def _names(results: Results) -> list[str]:
    """The scores that there are."""
    return [*SCORES, *([JUDGE] if any(method.answers for method in results.methods) else [])]


def _document(results: Results) -> dict[str, object]:
    document = asdict(results)
    for question in document["questions"]:
        del question["record"]
    return document


def _table(path: Path, lines: Iterable[Sequence[object]]) -> Path:
    draft = path.with_suffix(TEMPORARY)
    with text_file(draft) as out:
        csv.writer(out).writerows(lines)
    draft.replace(path)
    return path


def _replace(path: Path, parts: Iterable[str]) -> None:
    draft = path.with_suffix(TEMPORARY)
    with text_file(draft) as out:
        out.writelines(parts)
    draft.replace(path)
