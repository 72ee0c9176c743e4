"""Results -> what the page holds of every question: who found what, as plain data for JSON.

Chunks and texts are stored once and named by their place. What a method made of a question is `rank`, `tokens` and
`sheet_rank` of its verdict, its scores in the order of `scores`, its chunks as pairs (chunk, 1 for a hit), and the
generated answer, if there is any.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chunkers.compare.judge import SCORES
from chunkers.compare.questions import Question
from chunkers.compare.report.standing import standing
from chunkers.compare.results import JUDGE, MethodResult, Results, all_scores
from chunkers.page.page import data_json

MOST_BYTES = 20_000_000
CUT = "…"


@dataclass(frozen=True, slots=True)
class Extent:
    """How many chunks of a method the page shows for a question, and how much of each."""

    chunks: int
    characters: int


EXTENTS = (Extent(5, 2_400), Extent(5, 1_200), Extent(3, 1_200), Extent(1, 1_200), Extent(1, 300), Extent(0, 0))


def report_json(results: Results, most_bytes: int = MOST_BYTES) -> tuple[str, Extent]:
    """The data of the page as JSON, as much as fits; the last of `EXTENTS` even if it does not."""
    for extent in EXTENTS:
        text = data_json(report_data(results, extent))
        if len(text.encode("utf-8", "surrogatepass")) <= most_bytes:
            break
    return text, extent


def report_data(results: Results, extent: Extent) -> dict[str, Any]:
    """The questions with what every method found."""
    found = _Found(str(results.settings.get("corpus", "")), extent)
    names = [*SCORES, *([JUDGE] if any(method.answers for method in results.methods) else [])]
    outcomes = [list(_outcomes(method, names, found)) for method in results.methods]
    asked = zip(results.questions, zip(*outcomes, strict=True), strict=True)
    lost = results.unfindable
    questions = [{**_asked(question), "lost": lost.get(question.id, ""), "found": told} for question, told in asked]
    return {
        "scores": names,
        "methods": [{"name": m.name, "standing": standing(m).name, "judged": m.judged} for m in results.methods],
        "questions": questions,
        "sheets": list(found.sheets),
        "chunks": list(found.chunks),
        "texts": list(found.texts),
    }


def _asked(question: Question) -> dict[str, Any]:
    return {
        "id": question.id,
        "question": question.question,
        "answer": question.answer,
        "file": question.file,
        "sheet": question.sheet,
        "cells": question.answer_cells,
        "tags": question.tags,
        "col_path": question.col_path,
        "row_path": question.row_path,
        "col_cells": question.col_path_cells,
        "row_cells": question.row_path_cells,
    }


def _outcomes(method: MethodResult, names: Sequence[str], found: _Found) -> Iterator[dict[str, Any]]:
    answers = {answer.question: answer for answer in method.answers}
    for i, (verdict, scores) in enumerate(zip(method.verdicts, all_scores(method), strict=True)):
        answer = answers.get(verdict.question)
        yield {
            "rank": verdict.rank,
            "tokens": verdict.tokens,
            "sheet_rank": verdict.sheet_rank,
            "scores": [_short(scores[name]) for name in names],
            "chunks": list(found.numbers(method, i)),
            **({"answer": answer.answer or answer.error, "read": answer.read} if answer else {}),
        }


def _short(score: float | None) -> float | None:
    return None if score is None else round(score, 3) if score % 1 else int(score)


class _Found:
    """Sheets, chunks and texts, each once, in the order in which they are first found."""

    def __init__(self, corpus: str, extent: Extent) -> None:
        self._corpus, self._extent = Path(corpus), extent
        self.sheets: dict[tuple[str, str], int] = {}
        self.chunks: dict[tuple[int, str, str | None, int, int], int] = {}
        self.texts: dict[str, int] = {}

    def numbers(self, method: MethodResult, i: int) -> Iterator[tuple[int, int]]:
        """The first chunks of a method for question `i`: place in `chunks`, and 1 for a hit."""
        for place, chunk in enumerate(method.found[i][: self._extent.chunks], 1):
            sheet = _number(self.sheets, (self._file(chunk.workbook), chunk.sheet))
            text = _number(self.texts, _cut(chunk.text, self._extent.characters))
            number = _number(self.chunks, (sheet, chunk.id, chunk.range, chunk.tokens, text))
            yield number, int(chunk.hit or place == method.verdicts[i].rank)

    def _file(self, workbook: str) -> str:
        path = Path(workbook)
        return path.relative_to(self._corpus).as_posix() if path.is_relative_to(self._corpus) else workbook


def _number(places: dict[Any, int], key: Hashable) -> int:
    return places.setdefault(key, len(places))


def _cut(text: str, characters: int) -> str:
    """
    >>> _cut("abcdef", 3), _cut("abc", 3)
    ('abc…', 'abc')
    """
    return text if len(text) <= characters else text[:characters] + CUT
