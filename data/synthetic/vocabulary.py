"""Vocabulary files (one TOML file per language) -> words to draw from."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

FOLDER = Path(__file__).with_name("vocabulary")
LANGUAGES = tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


@dataclass(frozen=True, slots=True)
class Words:
    """What one language offers: lists of words, names of axes, and two-level trees (group -> items)."""

    language: str
    right_to_left: bool
    lists: Mapping[str, tuple[str, ...]]
    names: Mapping[str, str]
    trees: Mapping[str, Mapping[str, tuple[str, ...]]]

    def one(self, rng: Random, kind: str) -> str:
        """One word of a kind."""
        return rng.choice(self.lists[kind])

    def some(self, rng: Random, kind: str, count: int) -> list[str]:
        """Up to `count` different words of a kind, in the order of the list for ordered kinds."""
        words = self.lists[kind]
        return [words[i] for i in sorted(rng.sample(range(len(words)), min(count, len(words))))]

    def first(self, kind: str, count: int) -> list[str]:
        """The first words of a kind (months, sexes, age groups)."""
        return list(self.lists[kind][:count])

    def person(self, rng: Random) -> str:
        """A full name."""
        given, family = self.one(rng, "given"), self.one(rng, "family")
        return family + given if self.language in ("zh", "ja") else f"{given} {family}"


@cache
def words(language: str) -> Words:
    """The vocabulary of a language; lists that it leaves out (units, marks, company names) are the English ones."""
    if language not in LANGUAGES:
        raise ValueError(f"vocabularies exist for {', '.join(LANGUAGES)} (got {language!r})")
    raw = tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    lists = {key: tuple(value) for key, value in raw.items() if isinstance(value, list)}
    if language != "en":
        lists = {**words("en").lists, **lists}
    trees = {key: {group: tuple(items) for group, items in tree.items()} for key, tree in raw["trees"].items()}
    return Words(language, bool(raw.get("right_to_left", False)), lists, raw["names"], trees)


def draw_words(rng: Random) -> Words:
    """A language: English two times in five, the others evenly."""
    others = [language for language in LANGUAGES if language != "en"]
    return words("en" if rng.random() < 0.4 or not others else rng.choice(others))
