"""Options of a comparison -> its results: corpus, chunks of every method, index, verdicts; each step goes on where an
earlier run ended."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np

from chunkers.compare.answers.answering import Answerer, open_answerer
from chunkers.compare.answers.options import AnswerOptions
from chunkers.compare.build import Builder, Labels, build, builder, read_labels, seconds_of
from chunkers.compare.corpus import Source, whole_folder, with_distractors
from chunkers.compare.judge import Judge, Judged, Verdict
from chunkers.compare.methods import Method
from chunkers.compare.questions import Question, read_questions
from chunkers.compare.results import ChunkStatistics, FoundChunk, MethodResult, Results, results
from chunkers.compare.stored import StoredChunk, load_chunks, wanted_cells
from chunkers.compare.unfindable import Held, told, unfindable
from chunkers.index.dense import NANO, VectorCache, load_embedder
from chunkers.index.search import Search
from chunkers.registry import MAPS, TEXTS
from chunkers.workbook import Settings

INDEXES = ("auto", "bm25", "dense", "fused")
AUTO_TEXTS, AUTO_BYTES = 1_000, 450_000
"""Different texts of all methods together up to which `auto` embeds them; more bytes (UTF-8, about 0.4 ms of CPU time
each) would take two cores over two minutes."""
DEPTH = 200
SHOWN_CHARACTERS = 4_000


class Progress(Protocol):
    """What a run tells while it goes on."""

    def start(self, what: str, total: int) -> None:
        """A step of so many parts begins."""

    def advance(self, count: int = 1) -> None:
        """So many more parts of the step are done."""

    def say(self, line: str) -> None:
        """Something worth a line."""


@dataclass(frozen=True, slots=True)
class Options:
    """What is compared on what; raises ValueError for an index or an embedder that cannot be."""

    corpus: Path
    questions: Path
    methods: tuple[Method, ...]
    output: Path
    settings: Settings = field(default_factory=Settings)
    index: str = "auto"
    embedder: str = NANO
    labels: Path | None = None
    distractors: int | None = None
    asked_sheets: bool = False
    seed: int = 42
    only: Mapping[str, object] = field(default_factory=dict)
    jobs: int = 1
    answers: AnswerOptions | None = None

    def __post_init__(self) -> None:
        if self.index not in INDEXES:
            raise ValueError(f"no index named {self.index!r}; there are {', '.join(INDEXES)}")
        if self.asked_sheets and self.distractors is None:
            raise ValueError("to search only the sheets asked about, say how many others: --distractors N")
        if self.output.exists() and not self.output.is_dir():
            raise ValueError(f"{self.output}: the output is a folder, and this is a file")
        if self.labels is None and any(method.is_gold for method in self.methods):
            raise ValueError("a method with @gold needs a folder of label files (--labels)")


def compare(options: Options, progress: Progress) -> Results:
    """Run a comparison; chunks, vectors and replies are kept under the output folder for the next one."""
    questions = read_questions(options.questions, options.only)
    sources = _sources(options, questions)
    options.output.mkdir(parents=True, exist_ok=True)
    labels: Labels = read_labels(options.labels) if options.labels else {}
    making = builder(options.output / "chunks", options.methods, options.settings, labels)
    errors = _build(making, sources, options.jobs, progress)
    wanted = wanted_cells(options.corpus, questions)
    files = {
        method: [file for source in sources if (file := making.file(method, source)).exists()]
        for method in options.methods
    }
    index = options.index if options.index != "auto" else _auto(files, progress)
    search = _search(index, questions, options, progress)
    found: list[MethodResult] = []
    left_out: dict[str, str] = {}
    held = Held()
    with open_answerer(
        options.answers,
        options.output / "answers.sqlite",
        progress,
        maps=[method.name for method in options.methods if method.chunker in MAPS],
        seed=options.seed,
        jobs=options.jobs,
        include_hidden=options.settings.include_hidden,
    ) as answerer:
        for method in options.methods:
            failed = errors.get(method.name, [])
            if chunks := load_chunks(files[method], wanted):
                held.add(chunks)
                seconds = sum(map(seconds_of, files[method]))
                found.append(_result(method, chunks, seconds, questions, search, options, failed, answerer, progress))
            else:
                left_out[method.name] = failed[0] if failed else f"{options.corpus}: no filled cells"
                progress.say(f"{method.name} is left out, it has no chunks: {left_out[method.name]}")
    if not found:
        raise ValueError("no method has any chunks")
    lost = unfindable(questions, options.corpus, held, by_cells=any(method.judged == "cells" for method in found))
    for line in told(lost):
        progress.say(line)
    described = _described(options, index, sources) | (answerer.described() if answerer else {})
    return results(described, questions, found, left_out, lost)


def _result(
    method: Method,
    chunks: Sequence[StoredChunk],
    seconds: float,
    questions: Sequence[Question],
    search: Search,
    options: Options,
    errors: Sequence[str],
    answerer: Answerer | None,
    progress: Progress,
) -> MethodResult:
    progress.start(f"{method.name}: chunks to index", len(chunks))
    rankings = search.rankings([chunk.context for chunk in chunks])
    if not search.cache:
        progress.advance(len(chunks))
    judge = Judge(chunks, judged_by(method))
    workbooks = [str(options.corpus / question.file) for question in questions]
    verdicts = [
        judge.verdict(question, workbook, ranking.tolist())
        for question, workbook, ranking in zip(questions, workbooks, rankings, strict=True)
    ]
    shown = [_shown(chunks, *asked) for asked in zip(verdicts, questions, workbooks, strict=True)]
    statistics = _statistics(chunks, options.settings.max_tokens, seconds)
    top = [[chunks[number] for number in verdict.top] for verdict in verdicts]
    answers, failures = answerer.answers(method.name, questions, top) if answerer else ((), ())
    return MethodResult(
        method.name,
        method.is_baseline,
        judged_by(method),
        search.kind,
        statistics,
        tuple(verdicts),
        tuple(shown),
        (*errors, *failures),
        answers,
    )


def judged_by(method: Method) -> Judged:
    """How a method's chunks are known to hold an answer."""
    return "sheet" if method.chunker in MAPS else "text" if method.chunker in TEXTS else "cells"


def _sources(options: Options, questions: Sequence[Question]) -> list[Source]:
    """The workbooks and sheets that are searched; distractors are drawn once per output folder."""
    files = [question.file for question in questions]
    if options.distractors is None:
        return whole_folder(options.corpus, files)
    hidden = options.settings.include_hidden
    sheets = sorted({(question.file, question.sheet) for question in questions})
    asked = {file: [s for f, s in sheets if f == file] if options.asked_sheets else [] for file in dict.fromkeys(files)}
    drawing = [str(options.corpus), asked, options.distractors, options.seed, hidden]
    kept = options.output / "sources.json"
    if kept.exists() and (before := json.loads(kept.read_text("utf-8")))["drawing"] == drawing:
        return [Source(path, tuple(names)) for path, names in before["sources"]]
    drawn = with_distractors(
        options.corpus, asked, options.distractors, options.seed, include_hidden=hidden, jobs=options.jobs
    )
    document = {"drawing": drawing, "sources": [[source.path, source.sheets] for source in drawn]}
    options.output.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(document, ensure_ascii=False, indent=1), "utf-8")
    return drawn


def _build(making: Builder, sources: Sequence[Source], jobs: int, progress: Progress) -> dict[str, list[str]]:
    """Build what is missing; the errors of each method."""
    errors: dict[str, list[str]] = {}
    progress.start("workbooks", len(sources))
    for built in build(making, sources, jobs, progress.advance):
        for method, error in built.errors.items():
            errors.setdefault(method, []).append(error)
    partly = [lines for lines in errors.values() if len(lines) < len(sources)]
    for error in dict.fromkeys(line for lines in partly for line in lines):
        progress.say(error)
    return errors


def _auto(files: Mapping[Method, Sequence[Path]], progress: Progress) -> str:
    """Words and meaning together where few texts need a vector, else words alone."""
    texts = set[str]()
    for path in (path for paths in files.values() for path in paths):
        texts.update(chunk.context for chunk in load_chunks([path], {}))
        size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
        if len(texts) > AUTO_TEXTS or size > AUTO_BYTES:
            many = f"{AUTO_TEXTS:,} different texts" if len(texts) > AUTO_TEXTS else f"{AUTO_BYTES // 1_000} kB of text"
            progress.say(f"over {many}: BM25 alone (--index fused embeds them, which takes minutes)")
            return "bm25"
    return "fused"


def _search(index: str, questions: Sequence[Question], options: Options, progress: Progress) -> Search:
    asked = tuple(question.question for question in questions)
    if index == "bm25":
        return Search(asked, DEPTH)
    cache = VectorCache(load_embedder(options.embedder), options.output / "vectors.sqlite", progress.advance)
    return Search(asked, DEPTH, words=index == "fused", cache=cache)


def _statistics(chunks: Sequence[StoredChunk], budget: int, seconds: float) -> ChunkStatistics:
    tokens = np.array([chunk.tokens for chunk in chunks])
    mean = float(tokens.mean())
    return ChunkStatistics(len(chunks), mean, int(tokens.min()), int(tokens.max()), mean / budget, seconds)


def _shown(
    chunks: Sequence[StoredChunk], verdict: Verdict, question: Question, workbook: str
) -> tuple[FoundChunk, ...]:
    answer = set(question.answer_cells)

    def is_hit(chunk: StoredChunk) -> bool:
        return chunk.sheet == question.sheet and chunk.workbook == workbook and bool(answer & chunk.cells.keys())

    return tuple(
        FoundChunk(
            chunk.id,
            chunk.workbook,
            chunk.sheet,
            chunk.range,
            chunk.tokens,
            chunk.text[:SHOWN_CHARACTERS],
            is_hit(chunk),
        )
        for chunk in (chunks[number] for number in verdict.top)
    )


def _described(options: Options, index: str, sources: Sequence[Source]) -> dict[str, object]:
    """What the report says of the run."""
    return {
        "corpus": str(options.corpus),
        "questions": str(options.questions),
        "workbooks": len(sources),
        "distractor sheets": options.distractors,
        "asked sheets only": options.asked_sheets,
        "seed": options.seed,
        "index": index,
        "embedder": options.embedder if index != "bm25" else None,
        "only": dict(options.only),
        **{name: value for name, value in asdict(options.settings).items() if name != "chunker"},
    }
