"""Checkpoint -> the confusion matrix of its decoded roles on the hand-labelled sheets, as Markdown.

`python -m tests.gold_confusion [CHECKPOINT]`; rows are the labels, columns what was found, empty cells left out.
"""

from __future__ import annotations

import sys

import numpy as np

from cellroles import annotate
from cellroles.sheet import ROLE_LABELS, Role
from tests.oracle import gold_sheets


def main(checkpoint: str = "default") -> None:
    """Print the matrix."""
    matrix = np.zeros((len(Role), len(Role)), int)
    for item in gold_sheets():
        np.add.at(matrix, (item.roles, annotate(item.sheet, checkpoint=checkpoint).roles), 1)
    shown = [role for role in Role if role != Role.EMPTY]
    print(f"| {checkpoint} | {' | '.join(ROLE_LABELS[role] for role in shown)} |\n|---|{'---|' * len(shown)}")
    for role in shown:
        print(f"| {ROLE_LABELS[role]} | {' | '.join(str(matrix[role, other]) for other in shown)} |")


if __name__ == "__main__":
    main(*sys.argv[1:2])
