"""A flat table of long texts -> how many chunks STC and the recursive splitter make of it (the paper's Table II).

The paper measures on records of legal questions and answers: a clause, its question and answer, category, type and
contract. Ours are made of a small vocabulary of our own, with a seed. Lengths in words, about a token each: clauses are
log-normal with a median of `--median` (100) and a sigma of 0.8, questions have 8 to 30 words, answers 1 to 15; so the
median record has about 160 tokens, and four in a hundred have over 512. The splitter is measured both ways that it is
fed in practice: each record a document, as LangChain's loader of CSV files has it, and the text of the whole table.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from cellroles import read_workbook
from cellroles.annotate import unannotated
from cellroles.limits import Limits
from cellroles.sheet import AnnotatedSheet, Chunk
from chunkers.baselines.kv_recursive import kv_recursive_chunks
from chunkers.baselines.recursive import recursive_chunks
from chunkers.baselines.stc import stc_chunks

MAX_TOKENS = 512
MEDIAN, SIGMA = 100, 0.8  # words of a clause
HEADER = ("Contract", "Category", "Type", "Clause", "Question", "Answer")
_WORDS = (
    "the of and to any or in such shall by for with as its that from under not be has tenant landlord lessee licensor "
    "carrier premises rent deposit delivery notice renewal damage repair insurance invoice payment default period day "
    "written prior reasonable material consent except unless however provided including without limitation may must"
)
WORDS = _WORDS.split()
CATEGORIES = ("Payment", "Term and renewal", "Liability", "Delivery", "Insurance")
TYPES = ("Obligation", "Right", "Exception", "Definition")


@dataclass(frozen=True, slots=True)
class Measured:
    """The chunks of one method: their number, tokens of each, and the CPU seconds to make them."""

    chunks: int
    mean: float
    least: int
    most: int
    seconds: float

    @property
    def utilisation(self) -> float:
        """Mean tokens over the budget."""
        return self.mean / MAX_TOKENS


Method = Callable[[AnnotatedSheet], Iterator[Chunk]]
METHODS: dict[str, Method] = {
    "stc": partial(stc_chunks, max_tokens=MAX_TOKENS),
    "recursive by record": partial(recursive_chunks, max_tokens=MAX_TOKENS, by_record=True),
    "kv_recursive by record": partial(kv_recursive_chunks, max_tokens=MAX_TOKENS, by_record=True),
    "recursive": partial(recursive_chunks, max_tokens=MAX_TOKENS),
    "kv_recursive": partial(kv_recursive_chunks, max_tokens=MAX_TOKENS),
}


def records(count: int, seed: int = 0, median: float = MEDIAN) -> Iterator[tuple[str, ...]]:
    """The header and `count` records."""
    rng = np.random.default_rng(seed)
    yield HEADER
    for number in range(count):
        clause = 5 + int(rng.lognormal(np.log(median), SIGMA))
        yield (
            f"Agreement {number // 15 + 1:05d}",
            CATEGORIES[int(rng.integers(len(CATEGORIES)))],
            TYPES[int(rng.integers(len(TYPES)))],
            _prose(rng, clause),
            _prose(rng, int(rng.integers(8, 31))).rstrip(".") + "?",
            _prose(rng, int(rng.integers(1, 16))),
        )


def _prose(rng: np.random.Generator, words: int) -> str:
    """Sentences of 10 to 40 words, with commas."""
    said = [WORDS[i] for i in rng.integers(len(WORDS), size=words)]
    at = 0
    while at < words:
        end = min(at + int(rng.integers(10, 41)), words)
        said[at] = said[at].capitalize()
        said[(at + end) // 2] += ","
        said[end - 1] = said[end - 1].rstrip(",") + "."
        at = end
    return " ".join(said)


def table(count: int, folder: Path, seed: int = 0, median: float = MEDIAN) -> AnnotatedSheet:
    """The records as a sheet without roles, written to and read from a file in `folder`."""
    path = folder / "clauses.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(records(count, seed, median))
    (sheet,) = read_workbook(path, limits=Limits(sheet_chars=10**9))
    return unannotated(sheet, "no roles are needed")


def measure(method: Method, annotated: AnnotatedSheet) -> Measured:
    """Run one method; chunks are let go as they come."""
    start = time.process_time()
    tokens = np.array([chunk.tokens for chunk in method(annotated)])
    seconds = time.process_time() - start
    return Measured(len(tokens), float(tokens.mean()), int(tokens.min()), int(tokens.max()), seconds)


def report(count: int, median: float, names: list[str]) -> None:
    """Print the table of one size."""
    with TemporaryDirectory() as folder:
        annotated = table(count, Path(folder), median=median)
    print(f"\n{count:,} records, clauses with a median of {median:g} words\n")
    print(
        f"{'method':<24}{'chunks':>9}{'mean':>7}{'min':>5}{'max':>5}{'utilisation':>13}{'s/1,000 rows':>14}{'stc':>9}"
    )
    stc = None
    for name in names:
        found = measure(METHODS[name], annotated)
        stc = found.chunks if name == "stc" else stc
        fewer = f"{100 * (stc / found.chunks - 1):+.0f} %" if stc and name != "stc" else ""
        figures = f"{found.chunks:>9,}{found.mean:>7.0f}{found.least:>5}{found.most:>5}{found.utilisation:>13.2f}"
        print(f"{name:<24}{figures}{found.seconds / count * 1000:>14.3f}{fewer:>9}", flush=True)


def main() -> None:
    """Measure the sizes asked for."""
    parser = argparse.ArgumentParser(prog="python -m train.studies.stc_mechanism", description=__doc__)
    parser.add_argument("--records", type=int, nargs="+", default=[25_000], help="sizes of the generated tables")
    parser.add_argument("--median", type=float, nargs="+", default=[MEDIAN], help="words of the median clause")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS), help="what to run, stc first")
    given = parser.parse_args()
    for count in given.records:
        for median in given.median:
            report(count, median, given.methods)


if __name__ == "__main__":
    main()
