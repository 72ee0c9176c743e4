"""Verdicts of all methods -> the document of results: tables per structure, differences, and one entry a question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from cellroles.sheet import Floats
from chunkers.compare.answers.generate import Answer
from chunkers.compare.judge import SCORES, Judged, Verdict, scores
from chunkers.compare.questions import Question
from chunkers.compare.statistics import Difference, Estimate, difference, estimate

ALL = "all"
JUDGE = "judge (1-5)"
"""The mean rating of a method's generated answers; beside the scores in [0, 1] where there are answers."""
NEEDS = {"answer@5": "an answer", JUDGE: "a rating", "completeness": "header labels"}
"""What a question needs for a score; header cells for the others that not every question has."""
COMPARED = ("recall@1", "recall@5", "mrr", "recall@1500 tokens", "recall@5 and association", JUDGE)


@dataclass(frozen=True, slots=True)
class ChunkStatistics:
    """Counts and cl100k tokens of a method's chunks (STC, Table II); utilisation is mean tokens over the budget.

    `seconds` are those of understanding and cutting, not of reading the workbooks.
    """

    count: int
    mean_tokens: float
    min_tokens: int
    max_tokens: int
    utilisation: float
    seconds: float


@dataclass(frozen=True, slots=True)
class FoundChunk:
    """A chunk in the first five of a question; `hit` if it holds an answer cell."""

    id: str
    workbook: str
    sheet: str
    range: str | None
    tokens: int
    text: str
    hit: bool


@dataclass(frozen=True, slots=True)
class MethodResult:
    """One method: its verdicts in the order of the questions, the first chunks of each, and the answers to some."""

    name: str
    baseline: bool
    judged: Judged
    index: str
    chunks: ChunkStatistics
    verdicts: tuple[Verdict, ...]
    found: tuple[tuple[FoundChunk, ...], ...]
    errors: tuple[str, ...] = ()
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """The scores of one method on the questions of one tag, `JUDGE` where there are answers; None if none can tell."""

    method: str
    tag: str
    scores: Mapping[str, Estimate | None]
    top_tokens: float


@dataclass(frozen=True, slots=True)
class Results:
    """What `cellroles compare` found; `differences` are those of the first method from every other one, `left_out` are
    the methods without any chunk, with the reason, `unfindable` the questions whose answer is in no chunk at all."""

    settings: Mapping[str, object]
    questions: tuple[Question, ...]
    methods: tuple[MethodResult, ...]
    rows: tuple[Row, ...]
    differences: Mapping[str, Mapping[str, Difference]] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    unfindable: Mapping[str, str] = field(default_factory=dict)


def results(
    settings: Mapping[str, object],
    questions: Sequence[Question],
    methods: Sequence[MethodResult],
    left_out: Mapping[str, str] | None = None,
    unfindable: Mapping[str, str] | None = None,
) -> Results:
    """The tables and tests over the verdicts of all methods."""
    tags = [ALL, *sorted({tag for question in questions for tag in question.tags} - {ALL})]
    rows = tuple(_row(method, tag, questions) for method in methods for tag in tags)
    first, *others = methods
    differences = {other.name: _differences(first, other, questions) for other in others}
    return Results(settings, tuple(questions), tuple(methods), rows, differences, left_out or {}, unfindable or {})


def _row(method: MethodResult, tag: str, questions: Sequence[Question]) -> Row:
    chosen = [i for i, question in enumerate(questions) if tag == ALL or tag in question.tags]
    told = all_scores(method)
    table = [told[i] for i in chosen]
    groups = [_group(questions[i]) for i in chosen]
    names = [*SCORES, JUDGE] if method.answers else SCORES
    estimates = {name: _estimate([line[name] for line in table], groups) for name in names}
    return Row(method.name, tag, estimates, float(np.mean([method.verdicts[i].first_tokens for i in chosen])))


def all_scores(method: MethodResult) -> list[dict[str, float | None]]:
    """The scores of every question: those of its verdict, and the rating of its answer."""
    ratings = {answer.question: answer.score for answer in method.answers}
    return [{**scores(verdict), JUDGE: ratings.get(verdict.question)} for verdict in method.verdicts]


def _estimate(values: Sequence[float | None], groups: Sequence[str]) -> Estimate | None:
    told = [(value, group) for value, group in zip(values, groups, strict=True) if value is not None]
    return estimate(_floats(value for value, _ in told), [group for _, group in told]) if told else None


def _differences(first: MethodResult, second: MethodResult, questions: Sequence[Question]) -> dict[str, Difference]:
    found = {name: paired_difference(first, second, questions, name) for name in COMPARED}
    return {name: gap for name, gap in found.items() if gap}


def of_some(results: Results, names: Iterable[str]) -> Iterator[str]:
    """The scores that only some questions can tell, those over the same questions together."""
    asked = len(results.questions)
    some: dict[tuple[int, str], list[str]] = {}
    for name in names:
        if (found := results.rows[0].scores.get(name)) and found.n < asked:
            some.setdefault((found.n, NEEDS.get(name, "header cells")), []).append(name)
    for (n, what), these in some.items():
        yield f"{', '.join(these)}: over the {n:,} of {asked:,} questions with {what}"


def paired_difference(
    first: MethodResult, second: MethodResult, questions: Sequence[Question], name: str, tag: str = ALL
) -> Difference | None:
    """What the first method has over the second by the score `name`, over the questions of a tag where both have it."""
    pairs = zip(all_scores(first), all_scores(second), questions, strict=True)
    told = [
        (ours[name], theirs[name], _group(question))
        for ours, theirs, question in pairs
        if ours[name] is not None and theirs[name] is not None and tag in (ALL, *question.tags)
    ]
    if not told:
        return None
    first_scores, second_scores, groups = zip(*told, strict=True)
    return difference(_floats(first_scores), _floats(second_scores), groups)


def _floats(values: Iterable[float | None]) -> Floats:
    return np.array(list(values), np.float64).astype(np.float32)


def _group(question: Question) -> str:
    return f"{question.file}\0{question.sheet}"
