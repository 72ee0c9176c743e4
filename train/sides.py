"""Labelled sheets -> the sides of a run: what trains, what chooses the epoch, and what measures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from data.labelled import LabelledSheet
from data.splits import folds, split

FOLDS = 5
FOLD_SEED = 42
CHOOSING = 8  # one sheet in this many of the training side chooses the epoch
HELD_OUT = {"A": ("statsheets", "deco"), "B": ("troy200", "saus", "aitqa")}
"""Corpora left out together, for the comparison on sheets from elsewhere."""

Sheets = list[LabelledSheet]


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """Sheets that teach, sheets that choose the epoch, and sheets that measure; no group is on two sides, but where
    the development sheets do both."""

    train: Sheets
    choose: Sheets
    test: Sheets


def development_sides(sheets: Iterable[LabelledSheet], held_out: Collection[str] = ()) -> Sides:
    """The committed split, whose development side chooses and measures; or all others and the `held_out` corpora."""
    if held_out:
        train, dev = _parted(sheets, lambda labelled: labelled.source in held_out)
    else:
        train, dev = _parted(sheets, lambda labelled: split(labelled) == "dev")
    return Sides(train, dev, dev)


def fold_sides(sheets: Sequence[LabelledSheet], fold: int, count: int = FOLDS) -> Sides:
    """Fold 1 … `count` measures; a part of the others, the same for every seed of training, chooses."""
    if not 1 <= fold <= count:
        raise ValueError(f"folds are numbered 1 to {count}, got {fold}")
    groups = folds(_groups(sheets), count, FOLD_SEED)[fold - 1]
    return _with_choice(*_parted(sheets, lambda labelled: labelled.group in groups))


def held_out_sides(sheets: Iterable[LabelledSheet], corpora: Collection[str]) -> Sides:
    """All sheets of `corpora` measure; a part of the others chooses. Groups they share with others teach nothing."""
    others, test = _parted(sheets, lambda labelled: labelled.source in corpora)
    seen = {labelled.group for labelled in test}
    return _with_choice([labelled for labelled in others if labelled.group not in seen], test)


SPLITS: dict[str, Callable[[Sequence[LabelledSheet]], Sides]] = {
    **{f"fold-{number}": partial(fold_sides, fold=number) for number in range(1, FOLDS + 1)},
    **{f"held-out-{name}": partial(held_out_sides, corpora=corpora) for name, corpora in HELD_OUT.items()},
}


def _with_choice(train: Sheets, test: Sheets) -> Sides:
    parts = min(CHOOSING, max(2, len({labelled.group for labelled in train})))
    groups = next(part for part in folds(_groups(train), parts, FOLD_SEED) if part)
    return Sides(*_parted(train, lambda labelled: labelled.group in groups), test)


def _groups(sheets: Iterable[LabelledSheet]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = defaultdict(list)
    for labelled in sheets:
        groups[labelled.source].append(labelled.group)
    return groups


def _parted(sheets: Iterable[LabelledSheet], apart: Callable[[LabelledSheet], bool]) -> tuple[Sheets, Sheets]:
    """The sheets that stay and those set apart, in order."""
    sides: tuple[Sheets, Sheets] = ([], [])
    for labelled in sheets:
        sides[apart(labelled)].append(labelled)
    return sides
