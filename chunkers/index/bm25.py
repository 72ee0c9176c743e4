"""Texts -> an index of their words, by BM25 (Robertson and Zaragoza 2009) as bm25s computes it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cellroles.sheet import Ints
from chunkers.index.ranking import best
from chunkers.index.tokens import tokenize


class BM25:
    """Lucene's variant with k1 = 1.5 and b = .75, bm25s's defaults; raises ImportError that names the missing extra."""

    def __init__(self, texts: Sequence[str]) -> None:
        try:
            import bm25s
        except ImportError as error:
            raise ImportError("the index of words needs bm25s: pip install 'cellroles[compare]'") from error
        self._index = None
        tokens = [tokenize(text) for text in texts]
        if any(tokens):
            self._index = bm25s.BM25()
            self._index.index(tokens, show_progress=False)

    def rank(self, queries: Sequence[str], depth: int) -> list[Ints]:
        """The best texts with a word of the query; none for a query without any known word."""
        nothing = np.zeros(0, np.int32)
        if self._index is None:
            return [nothing] * len(queries)
        known = self._index.vocab_dict
        words = [[token for token in tokenize(query) if token in known] for query in queries]
        return [best(self._index.get_scores(tokens), depth) if tokens else nothing for tokens in words]
