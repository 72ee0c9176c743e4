"""Labelled sheets -> training and development sides, and cross-validation folds, by group and never by sheet."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

from data.labelled import LabelledSheet

DEV_FILE = Path(__file__).with_name("dev_split.json")
DEV_SHARE = 0.2
DEV_SEED = 20240501


def group_digest(group: str) -> str:
    """What is committed of a group: enough of its hash to know it again, none of its name."""
    return hashlib.sha256(group.encode()).hexdigest()[:12]


@cache
def dev_digests() -> frozenset[str]:
    """Digests of the development groups; data, so that later corpora or draws never move a sheet across."""
    drawn: dict[str, list[str]] = json.loads(DEV_FILE.read_text(encoding="utf-8"))
    return frozenset(group for groups in drawn.values() for group in groups)


def split(labelled: LabelledSheet) -> Literal["train", "dev"]:
    """The side of a sheet; a group that was not there when the development groups were drawn is for training."""
    return "dev" if group_digest(labelled.group) in dev_digests() else "train"


def draw_dev_groups(
    groups_by_corpus: Mapping[str, Sequence[str]], share: float = DEV_SHARE, seed: int = DEV_SEED
) -> dict[str, list[str]]:
    """Development groups per corpus, about `share` of its sheets; `groups_by_corpus` has one group per sheet.

    Small corpora choose first: a group that several corpora share is on one side for all. Groups are taken in random
    order while they fit, so that a group larger than what is left stays in training.
    """
    side: dict[str, bool] = {}
    drawn: dict[str, list[str]] = {}
    for corpus, groups in sorted(groups_by_corpus.items(), key=lambda item: (len(item[1]), item[0])):
        sizes = Counter(groups)
        left = round(share * len(groups)) - sum(size for group, size in sizes.items() if side.get(group))
        free = sorted(group for group in sizes if group not in side)
        random.Random(f"{seed}/{corpus}").shuffle(free)
        for group in free:
            side[group] = sizes[group] <= left
            left -= sizes[group] * side[group]
        drawn[corpus] = sorted(group for group in sizes if side[group])
    return {corpus: drawn[corpus] for corpus in groups_by_corpus}


def folds(groups: Iterable[str], count: int, seed: int) -> tuple[frozenset[str], ...]:
    """`count` disjoint sets of groups with about as many sheets each; `groups` has one entry per sheet.

    >>> [sorted(fold) for fold in folds(["a", "a", "a", "b", "b", "c"], 2, seed=42)]
    [['a'], ['b', 'c']]
    """
    sizes = Counter(groups)
    if not 1 <= count <= len(sizes):
        raise ValueError(f"{count} folds need at least as many groups (got {len(sizes)})")
    order = sorted(sizes)
    random.Random(seed).shuffle(order)
    members: list[list[str]] = [[] for _ in range(count)]
    filled = [0] * count
    for group in sorted(order, key=lambda name: -sizes[name]):
        smallest = filled.index(min(filled))
        members[smallest].append(group)
        filled[smallest] += sizes[group]
    return tuple(frozenset(fold) for fold in members)
