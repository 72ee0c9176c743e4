"""What is wrong with a corrected copy, one line per problem."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

MOST = 20


class LabelProblems(ValueError):
    """A corrected copy that cannot be taken over; `lines` says what is wrong and where, one problem a line."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__("; ".join(lines))
        self.lines = tuple(lines)


def listed(path: Path, problems: Iterable[str]) -> list[str]:
    """The problems as lines that name the file; of very many only the first, and how many more there are."""
    every = list(problems)
    shown = [f"{path}: {problem}" for problem in every[:MOST]]
    return shown + ([f"{path}: and {len(every) - MOST:,} more problems"] if len(every) > MOST else [])
