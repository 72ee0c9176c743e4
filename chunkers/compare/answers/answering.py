"""What every method found -> its answers, asked of one model and rated by one judge."""

from __future__ import annotations

import random
from collections.abc import Container, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from chunkers.compare.answers.cache import ReplyCache
from chunkers.compare.answers.chain import Excerpts, read_pointed, read_sheet
from chunkers.compare.answers.endpoint import EndpointError, RefusedRequest, endpoint_from_environment
from chunkers.compare.answers.generate import Answer, generate, rate, score_of
from chunkers.compare.answers.model import LanguageModel
from chunkers.compare.answers.options import AnswerOptions
from chunkers.compare.questions import Question
from chunkers.compare.stored import StoredChunk

if TYPE_CHECKING:
    from chunkers.compare.run import Progress

SHEETS_KEPT = 16
SHOWN_RATING = 200


class Answerer:
    """Answers the questions of every method; after a failure of the endpoint it asks no more.

    `maps` are the methods whose chunks are maps, whose cells are read again (`chunkers.compare.answers.chain`). `jobs`
    requests are made at the same time. Every reply is kept in `cache`, so that the next run goes on.
    """

    def __init__(
        self,
        options: AnswerOptions,
        cache: ReplyCache,
        progress: Progress,
        *,
        maps: Container[str] = (),
        seed: int = 42,
        jobs: int = 1,
        include_hidden: bool = False,
    ) -> None:
        endpoint = endpoint_from_environment(options.endpoint, options.api_key_env)
        self.options, self.failure = options, ""
        self.model = LanguageModel(options.model, endpoint, cache)
        judge = options.judge_model
        self.judge = LanguageModel(judge, endpoint, cache) if judge and judge != options.model else self.model
        self._progress, self._maps, self._seed, self._jobs = progress, maps, seed, jobs
        self._sheet = lru_cache(SHEETS_KEPT)(partial(read_sheet, include_hidden=include_hidden))
        self._unrated = 0

    def chosen(self, questions: Sequence[Question]) -> list[int]:
        """The numbers of the questions that are answered; a higher limit draws the same ones and more."""
        order = list(range(len(questions)))
        random.Random(self._seed).shuffle(order)
        return sorted(order[: self.options.limit])

    def answers(
        self, method: str, questions: Sequence[Question], found: Sequence[Sequence[StoredChunk]]
    ) -> tuple[tuple[Answer, ...], tuple[str, ...]]:
        """The answers from the chunks that a method found for each question, and a line on those that failed, if any.

        Questions of which the endpoint was not asked, as it failed before, have no answer.
        """
        chosen, maps = self.chosen(questions), method in self._maps
        self._progress.start(f"{method}: answers", len(chosen))
        answered: list[Answer] = []
        try:
            for answer in self._each([(questions[i], found[i], maps) for i in chosen]):
                answered.append(answer)
                self._progress.advance()
        except EndpointError as error:
            self.failure = str(error)
        self._unrated += sum(answer.score is None and bool(answer.rating) for answer in answered)
        failures = [answer.error for answer in answered if answer.error]
        failures += [self.failure] * (len(chosen) - len(answered))
        if not failures:
            return tuple(answered), ()
        line = f"{method}: {len(failures)} of {len(chosen)} answers failed: {failures[0]}"
        self._progress.say(line)
        return tuple(answered), (line,)

    def described(self) -> dict[str, object]:
        """What the report says of the answers."""
        models = {self.model.name: self.model, self.judge.name: self.judge}.values()
        prices = self.options.prices
        return {
            "endpoint": self.options.endpoint,
            "model": self.model.name,
            "judge model": self.judge.name,
            "answered questions at most": self.options.limit,
            "requests": sum(model.usage.requests for model in models),
            "replies from the cache": sum(model.usage.cached for model in models),
            "input tokens": sum(model.usage.input_tokens for model in models),
            "output tokens": sum(model.usage.output_tokens for model in models),
            "cost": sum(model.usage.cost(prices) for model in models) if prices else None,
            "ratings that are no integer": self._unrated,
        }

    def lines(self) -> Iterator[str]:
        """What was asked and what it cost, a line a model."""
        for name, model in {self.model.name: self.model, self.judge.name: self.judge}.items():
            yield model.usage.line(name, self.options.prices)
        if self._unrated:
            yield f"{self._unrated:,} ratings are no integer from 1 to 5 and left out"

    def _each(self, asked: Sequence[tuple[Question, Sequence[StoredChunk], bool]]) -> Iterator[Answer]:
        pool = ThreadPoolExecutor(self._jobs)
        try:
            if not self.failure:
                yield from pool.map(lambda each: self._answer(*each), asked)
        finally:
            pool.shutdown(cancel_futures=True)

    def _answer(self, question: Question, chunks: Sequence[StoredChunk], maps: bool) -> Answer:
        try:
            given = self._excerpts(question, chunks, maps)
            told = generate(self.model, question.question, given.texts)
        except RefusedRequest as error:
            return Answer(question.id, "", None, False, error=str(error))
        answer = Answer(question.id, told.text, None, given.cached and told.cached, read=given.read)
        return self._rated(answer, question.answer) if question.answer else answer

    def _rated(self, answer: Answer, expected: str) -> Answer:
        try:
            told = rate(self.judge, expected, answer.answer)
        except RefusedRequest as error:
            return replace(answer, error=str(error))
        rating = told.text[:SHOWN_RATING] or "nothing"
        return replace(answer, score=score_of(told.text), rating=rating, cached=answer.cached and told.cached)

    def _excerpts(self, question: Question, chunks: Sequence[StoredChunk], maps: bool) -> Excerpts:
        if maps:
            return read_pointed(self.model, question.question, chunks, self._sheet)
        return Excerpts(tuple(chunk.text for chunk in chunks), "", True)


@contextmanager
def open_answerer(
    options: AnswerOptions | None,
    file: Path,
    progress: Progress,
    *,
    maps: Sequence[str],
    seed: int,
    jobs: int,
    include_hidden: bool,
) -> Iterator[Answerer | None]:
    """An answerer with replies kept in `file`; at the end, however it comes, what was asked and what it cost is said.

    Without options there is none, and it is said what stands for answers, and what the methods that are `maps` lack.
    """
    if options is None:
        progress.say(
            "answers: answer@5, an exact or numeric match, as there is no language model (--endpoint, --model)"
        )
        for method in maps:
            progress.say(f"{method}: stage 2, which reads the cells that its maps lead to, needs a language model")
        yield None
        return
    with closing(ReplyCache(file)) as cache:
        answerer = Answerer(options, cache, progress, maps=maps, seed=seed, jobs=jobs, include_hidden=include_hidden)
        try:
            yield answerer
        finally:
            for line in answerer.lines():
                progress.say(line)
