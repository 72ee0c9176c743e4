"""Labelled sheets -> training and development sides, and cross-validation folds, by group and never by sheet."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

from data.label_folders import GROUPS
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
    """The side of a sheet; a group that was not there when the development groups were drawn is for training.

    Of one's own labelled workbooks one in five is on the development side, told by its content alone.
    """
    digest = group_digest(labelled.group)
    if labelled.group.startswith(GROUPS):
        return "dev" if int(digest, 16) % round(1 / DEV_SHARE) == 0 else "train"
    return "dev" if digest in dev_digests() else "train"


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


def folds(groups_by_corpus: Mapping[str, Sequence[str]], count: int, seed: int) -> tuple[frozenset[str], ...]:
    """`count` disjoint sets of groups, each with about as many sheets of every corpus; one group per sheet is given.

    As for the development groups, small corpora choose first and a group that several share stays whole; a further
    corpus with groups of its own moves no other sheet.

    >>> sorted(sorted(fold) for fold in folds({"x": ["a", "a", "a", "b", "b", "c"]}, 2, seed=42))
    [['a'], ['b', 'c']]
    """
    fold_of: dict[str, int] = {}
    for corpus, groups in sorted(groups_by_corpus.items(), key=lambda item: (len(item[1]), item[0])):
        sizes, draw = Counter(groups), random.Random(f"{seed}/{corpus}")
        filled = Counter(fold_of[group] for group in groups if group in fold_of)
        order = draw.sample(range(count), count)
        free = sorted(group for group in sizes if group not in fold_of)
        draw.shuffle(free)
        for group in sorted(free, key=lambda name: -sizes[name]):
            fold_of[group] = min(order, key=lambda fold: filled[fold])
            filled[fold_of[group]] += sizes[group]
    if not 1 <= count <= len(fold_of):
        raise ValueError(f"{count} folds need at least as many groups (got {len(fold_of)})")
    return tuple(frozenset(group for group in fold_of if fold_of[group] == fold) for fold in range(count))
