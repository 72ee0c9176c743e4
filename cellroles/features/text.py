"""Strings -> 768-dimensional vectors by signed hashing of character n-grams and words: any language, no download."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cellroles.sheet import Floats, Ints

TEXT_WIDTH = 768
MAX_CHARACTERS = 64
NGRAMS = (2, 3, 4)
DIGITS = str.maketrans("0123456789", "9" * 10)
_PRIME, _MIX = np.uint64(1_000_003), np.uint64(0x9E3779B97F4A7C15)
_FIRST_IDEOGRAPH = 0x2E80


class HashEncoder:
    """The hashing trick (Weinberger et al. 2009, "Feature hashing for large scale multitask learning", eq. 1) over
    character 2-, 3- and 4-grams, whole words and single ideographs; digits count as their shape (`9`)."""

    name = "hash"
    width = TEXT_WIDTH

    def encode(self, strings: Sequence[str]) -> Floats:
        """Vectors of length 1 (0 for a blank string), shape (len(strings), 768)."""
        points, owner = _code_points([normal(text) for text in strings])
        buckets = [_hashes(points, owner, size) for size in NGRAMS] + [
            _words(points, owner),
            _ideographs(points, owner),
        ]
        flat = np.concatenate([string.astype(np.int64) * TEXT_WIDTH + bucket for string, bucket, _ in buckets])
        signs = np.concatenate([sign for _, _, sign in buckets])
        vectors = np.bincount(flat, signs, len(strings) * TEXT_WIDTH).reshape(len(strings), TEXT_WIDTH)
        length = np.sqrt(np.square(vectors).sum(axis=1, keepdims=True))
        return np.asarray(vectors / np.maximum(length, 1e-12), np.float32)


def normal(text: str) -> str:
    """Case, width and digits folded; the first 64 characters, with a space at either end.

    >>> normal("Total 2019")
    ' total 9999 '
    """
    text = text[:MAX_CHARACTERS]
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    words = " ".join(text.casefold().translate(DIGITS).split())
    return f" {words} " if words else ""


def _code_points(strings: Sequence[str]) -> tuple[NDArray[np.uint64], Ints]:
    joined = "".join(strings)
    points = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    return points, np.repeat(np.arange(len(strings), dtype=np.int32), [len(text) for text in strings])


def _scatter(owner: Ints, hashes: NDArray[np.uint64]) -> tuple[Ints, NDArray[np.int64], NDArray[np.float64]]:
    mixed = (hashes * _MIX) >> np.uint64(32)
    bucket = (mixed % np.uint64(TEXT_WIDTH)).astype(np.int64)
    return owner, bucket, np.where((mixed >> np.uint64(20)) & np.uint64(1), 1.0, -1.0)


def _hashes(points: NDArray[np.uint64], owner: Ints, size: int) -> tuple[Ints, NDArray[np.int64], NDArray[np.float64]]:
    """Rolling polynomial hashes of all n-grams of `size` characters that lie in one string."""
    count = max(len(points) - size + 1, 0)
    inside = owner[:count] == owner[size - 1 : size - 1 + count]
    value = np.full(count, size, np.uint64)
    for offset in range(size):
        value = value * _PRIME + points[offset : offset + count]
    return _scatter(owner[:count][inside], value[inside])


def _words(points: NDArray[np.uint64], owner: Ints) -> tuple[Ints, NDArray[np.int64], NDArray[np.float64]]:
    """Hashes of whole words; every string starts and ends with a space, so words never join across strings."""
    letter = points != ord(" ")
    start = np.flatnonzero(letter & ~np.r_[False, letter[:-1]]) if len(points) else np.zeros(0, np.int64)
    if not len(start):
        return _scatter(owner[:0], points[:0])
    word = np.cumsum(np.bincount(start, minlength=len(points)))[letter] - 1
    position = (np.flatnonzero(letter) - start[word]).astype(np.uint64)
    terms = (points[letter] + np.uint64(7)) * (position + np.uint64(3)) * (position * _PRIME + np.uint64(11))
    first = np.r_[True, word[1:] != word[:-1]]
    return _scatter(owner[start], np.add.reduceat(terms, np.flatnonzero(first)))


def _ideographs(points: NDArray[np.uint64], owner: Ints) -> tuple[Ints, NDArray[np.int64], NDArray[np.float64]]:
    ideograph = points >= _FIRST_IDEOGRAPH
    return _scatter(owner[ideograph], points[ideograph] * _PRIME)
