from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest

from chunkers.budget import Item, clip, count_tokens, pack, split_text
from tests.books import chunks_of


def nothing(_: Item) -> str:
    return ""


@pytest.mark.parametrize(
    "text",
    ["word " * 500, "no-blank-anywhere" * 200, "表格単位百万円。" * 300, "a\nb\n\nc " * 300, "👩‍🚀🚀" * 100],
    ids=["words", "one word", "chinese", "lines", "emoji"],
)
@pytest.mark.parametrize("max_tokens", [8, 100])
def test_split_texts_fit_and_lose_only_white_space(text: str, max_tokens: int) -> None:
    pieces = split_text(text, max_tokens)
    assert max(map(count_tokens, pieces)) <= max_tokens
    assert "".join("".join(pieces).split()) == "".join(text.split())


def test_a_text_is_cut_at_a_line_end_before_a_sentence_or_word_end() -> None:
    assert split_text("one two three\nfour five. six seven", 6)[0] == "one two three"


def test_clip_marks_what_it_cuts() -> None:
    assert clip("short", 5) == "short"
    assert clip("word " * 50, 6) == "word word word word word…"


def test_packing_is_dense_exact_and_in_order() -> None:
    rng = random.Random(1)
    items = [
        Item(" ".join(rng.choices(["alpha", "12.5", "b;", "–"], k=rng.randint(1, 20))), (k,), (k,)) for k in range(200)
    ]
    pieces = list(pack(items, 64, lambda _: "Head"))
    assert [item for piece in pieces for item in piece.items] == items
    for piece, after in pairwise(pieces):
        assert piece.text == "\n".join(["Head", *(item.text for item in piece.items)])
        assert count_tokens(piece.text) <= 64 < count_tokens(f"{piece.text}\n{after.items[0].text}")


def test_an_item_over_the_budget_is_cut_and_owned_by_its_first_piece() -> None:
    pieces = list(pack([Item("word " * 100, (7,), (7,))], 40, lambda _: "Head"))
    assert [piece.items[0].owned for piece in pieces] == [(7,), *[()] * (len(pieces) - 1)]
    assert all(piece.items[0].cells == (7,) and piece.text.startswith("Head\nword") for piece in pieces)


def test_a_head_takes_half_of_the_budget_at_most() -> None:
    (piece,) = pack([Item("body")], 20, lambda _: "title " * 50)
    assert piece.text.endswith("…\nbody") and count_tokens(piece.text) <= 20


def test_an_empty_item_adds_no_line() -> None:
    (piece,) = pack([Item("", (1,), (1,)), Item("body", (2,), (2,))], 20, lambda _: "Head")
    assert piece.text == "Head\nbody"
    (bare,) = pack([Item("body")], 20, nothing)
    assert bare.text == "body"


def test_rare_letters_of_several_tokens_each_keep_the_budget() -> None:
    pieces = list(pack([Item("𝒳" * 30, (1,), (1,))], 40, lambda _: "Head"))
    assert len(pieces) > 1 and all(count_tokens(piece.text) <= 40 for piece in pieces)


@pytest.mark.parametrize("letter", ["a", "𓸭"])
def test_the_smallest_budget_holds_for_units_and_letters_of_many_tokens(letter: str, tmp_path: Path) -> None:
    rows = [["Region", "Sum"], [f"in 1000 {letter}" * 3, None], [None, None], ["North", letter * 9], [letter * 5, 7]]
    chunks = chunks_of(tmp_path, rows, chunker="record", max_tokens=16, repeat_headers=False)
    assert chunks and all(chunk.tokens <= 16 for chunk in chunks)
