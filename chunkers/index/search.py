"""Questions and a kind of index -> the rankings of any texts; the embedder is loaded once, its vectors are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cellroles.sheet import Ints
from chunkers.index.bm25 import BM25
from chunkers.index.dense import Dense, VectorCache
from chunkers.index.ranking import Index, fuse


@dataclass(frozen=True, slots=True)
class Search:
    """By words, by the meaning that `cache` knows, or fused by both; `depth` is how many texts a ranking holds."""

    questions: tuple[str, ...]
    depth: int
    words: bool = True
    cache: VectorCache | None = None

    def __post_init__(self) -> None:
        if not (self.words or self.cache):
            raise ValueError("a search goes by words, by meaning or by both")

    @property
    def kind(self) -> str:
        """What it goes by: `bm25`, `dense` or `fused`."""
        return "bm25" if not self.cache else "fused" if self.words else "dense"

    def rankings(self, texts: Sequence[str]) -> list[Ints]:
        """For every question the numbers of the best texts, best first."""
        indexes: list[Index] = [BM25(texts)] if self.words else []
        if self.cache:
            indexes.append(Dense(texts, self.cache))
        first, *others = [index.rank(self.questions, self.depth) for index in indexes]
        return [fuse(pair, self.depth) for pair in zip(first, *others, strict=True)] if others else first
