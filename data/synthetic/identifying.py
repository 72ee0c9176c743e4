"""A vocabulary and a seed -> columns that say which record a row is: codes, names, running numbers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from random import Random
from string import ascii_uppercase

from cellroles.sheet import Role
from data.synthetic.coined import named
from data.synthetic.grid import CellValue
from data.synthetic.records import Field
from data.synthetic.vocabulary import Words

CODE_SHAPES = ("AA-####", "A####", "####/##", "AAA ###", "##.###.##", "0000##", "A##-A##", "AA##AA##", "2023-####")
NUMBER_STARTS = (1, 101, 1001, 4711, 20001, 310000, 88000012)


def code(rng: Random, shape: str) -> str:
    """A code of a shape: `A` a letter, `#` a digit."""
    drawn = {"A": ascii_uppercase, "#": "0123456789"}
    return "".join(rng.choice(drawn[mark]) if mark in drawn else mark for mark in shape)


def codes(rng: Random, rows: int) -> tuple[CellValue, ...]:
    """Different codes of one shape, sorted or not; or numbers, consecutive or with gaps."""
    if rng.random() < 0.35:
        start, step = rng.choice(NUMBER_STARTS), rng.choice((1, 1, 2, 7))
        return tuple(range(start, start + step * rows, step))
    shape, found = rng.choice(CODE_SHAPES), dict[str, None]()
    while len(found) < rows:
        found[code(rng, shape if len(found) < 50 else shape + "#")] = None
    return tuple(sorted(found) if rng.random() < 0.5 else found)


def key_column(rng: Random, words: Words, rows: int, kinds: Collection[str] = ()) -> Field:
    """A column that identifies the record: all values differ."""
    pairs = [tuple(text.split(":", 1)) for text in words.lists["key_heads"]]
    kind, head = rng.choice([pair for pair in pairs if not kinds or pair[0] in kinds])
    values = codes(rng, rows) if kind in ("code", "id") else named(rng, words, kind, rows)
    return Field(head, values, Role.ROW_HEADER_1)


def worn(rng: Random, key: Field) -> Field:
    """A key as it is in real lists: some names stand twice, some are missing."""
    twice, missing = rng.choice((0, 0, 0.1, 0.3)), rng.choice((0, 0, 0, 0.08))
    values = [rng.choice(key.values) if rng.random() < twice else value for value in key.values]
    first, *rest = values
    return replace(key, values=(first, *(None if rng.random() < missing else value for value in rest)))


def serial_column(rng: Random, words: Words, rows: int) -> Field:
    """A running number: it identifies the record together with the key beside it."""
    return Field(words.one(rng, "serial_heads"), tuple(range(1, rows + 1)), Role.ROW_HEADER_1)
