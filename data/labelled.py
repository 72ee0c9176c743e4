"""Sheet + role labels -> the examples of training and scoring, with what the labels leave open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cellroles.sheet import Bytes, Role, Sheet

Targets = NDArray[np.uint16]


def role_set(roles: Iterable[Role]) -> int:
    """A bit set of roles: bit i stands for `Role(i)`.

    >>> role_set([Role.VALUE, Role.HEADER])
    5
    """
    return sum(1 << role for role in set(roles))


ALL_ROLES = role_set(Role)


@dataclass(frozen=True, slots=True, eq=False)
class LabelledSheet:
    """A sheet and its labels; arrays have length n = len(sheet).

    `roles` is the label of each filled cell, guesses included (EMPTY where the corpus says nothing: no filled cell is
    EMPTY). `targets` is the bit set of the roles that the label allows, 0 where it must not be learnt or scored.
    `candidates` is the bit set of the roles the corpus uses at all: the others are no negatives.
    `source` is the corpus; sheets of one `group` (workbook, template, twin) go to the same side of every split.
    """

    sheet: Sheet
    roles: Bytes
    targets: Targets
    candidates: int
    source: str
    group: str

    def __post_init__(self) -> None:
        if not len(self.sheet) == len(self.roles) == len(self.targets):
            raise ValueError(
                f"one role and one target per filled cell; {self.sheet.workbook}!{self.sheet.name} has "
                f"{len(self.sheet)} cells, {len(self.roles)} roles and {len(self.targets)} targets"
            )
