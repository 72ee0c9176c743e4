"""A question and the texts found for it -> a generated answer; an expected and a generated answer -> a rating."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from chunkers.compare.answers.model import LanguageModel, Told
from chunkers.compare.answers.prompts import generate_prompt, rate_prompt

_RATING = re.compile(r"[\s*_`\"'(]*([1-5])[\s*_`\"').]*")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered to the question with the id `question`.

    `score` is the judge's, from 1 to 5; None where the question expects no answer, a request failed, or the judge's
    `rating`, which is its reply, is no integer. `cached`: no request was made for it. `read` says which cells a map led
    to, or why the map itself was given (Chain-of-Spreadsheet); `error` what failed.
    """

    question: str
    answer: str
    score: int | None
    cached: bool
    rating: str = ""
    read: str = ""
    error: str = ""


def generate(model: LanguageModel, question: str, texts: Iterable[str]) -> Told:
    """The model's answer from these texts, best first."""
    return model.tell(generate_prompt(question, texts))


def rate(judge: LanguageModel, expected: str, generated: str) -> Told:
    """The judge's reply, which ought to be an integer."""
    return judge.tell(rate_prompt(expected, generated))


def score_of(rating: str) -> int | None:
    """The integer from 1 to 5 that a reply is, marks around it aside, or None.

    >>> score_of("4"), score_of(" **5**."), score_of("4 or 5"), score_of("0")
    (4, 5, None, None)
    """
    match = _RATING.fullmatch(rating)
    return int(match[1]) if match else None
