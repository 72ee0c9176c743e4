"""Words of a vocabulary -> words that it does not hold, so that no list is known by its words."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from data.synthetic.grid import CellValue
from data.synthetic.records import names
from data.synthetic.vocabulary import Words

COINED = 0.4


def splice(rng: Random, first: str, second: str) -> str:
    """The front of one word and the end of another; never blank."""
    front = first[: rng.randint(1, max(1, len(first) - 1))]
    return (front + second[rng.randint(0, max(0, len(second) - 1)) :]).strip()


def coin(rng: Random, pool: Sequence[str], count: int) -> tuple[CellValue, ...]:
    """`count` different spliced words (numbered where a small pool gives too few)."""
    found = {splice(rng, rng.choice(pool), rng.choice(pool)): None for _ in range(2 * count + 4)}
    made = [*found][:count]
    extra = (f"{made[k % len(made)]} {k // len(made) + 1}" for k in range(len(made), count))
    return (*made, *extra)


def named(rng: Random, words: Words, kind: str, count: int) -> tuple[CellValue, ...]:
    """`count` different names of a kind: those of the vocabulary, or coined ones."""
    if rng.random() > COINED:
        return names(rng, words, kind, count)
    pool = [words.person(rng) for _ in range(30)] if kind == "person" else words.lists[kind]
    return coin(rng, pool, count)


def pool_of(rng: Random, words: Words, kind: str) -> tuple[CellValue, ...]:
    """The words of a list, or as many coined ones."""
    pool = words.lists[kind]
    return coin(rng, pool, len(pool)) if rng.random() < COINED else pool
