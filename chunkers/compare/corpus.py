"""A folder of workbooks -> the sheets that are searched: all of them, or those of the questions among distractors."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from chunkers.inputs import expand
from chunkers.isolate import isolated

SMALLEST, LARGEST = 20, 2_500
"""Filled cells of a distractor sheet."""
BATCH = 64
TIMEOUT = 60.0


@dataclass(frozen=True, slots=True)
class Source:
    """A workbook and the names of the sheets taken from it, all of them if empty."""

    path: str
    sheets: tuple[str, ...] = ()


def whole_folder(folder: Path, files: Sequence[str]) -> list[Source]:
    """Every workbook of the folder. Raises ValueError if one of `files` (relative to it) is not there."""
    paths, _ = expand([str(folder)])
    return [Source(path) for path in dict.fromkeys([*_named(folder, files), *paths])]


def with_distractors(
    folder: Path,
    asked: Mapping[str, Sequence[str]],
    count: int,
    seed: int,
    *,
    include_hidden: bool = False,
    jobs: int = 1,
) -> list[Source]:
    """The sheets that `asked` names per file (all if it names none), and `count` sheets of other files of the folder.

    These are drawn at random from workbooks in random order. Raises ValueError if a file is not there, or the folder
    has too few other sheets of a fitting size.
    """
    named = _named(folder, list(asked))
    known = [Source(path, tuple(sheets)) for path, sheets in zip(named, asked.values(), strict=True)]
    if not count:
        return known
    others = [path for path in expand([str(folder)])[0] if path not in set(named)]
    random.Random(seed).shuffle(others)
    chosen: list[Source] = []
    found = 0
    for start in range(0, len(others), BATCH):
        batch = others[start : start + BATCH]
        outcomes = isolated(SheetSizes(include_hidden), batch, jobs, TIMEOUT)
        sizes = {batch[outcome.index]: outcome.answer for outcome in outcomes}
        for path in batch:
            answer = sizes[path]
            names = [name for name, size in answer if SMALLEST <= size <= LARGEST] if isinstance(answer, list) else []
            names = names[: count - found]
            if names:
                chosen.append(Source(path, tuple(names)))
                found += len(names)
            if found == count:
                return [*known, *chosen]
    raise ValueError(f"{folder}: only {found} sheets of {SMALLEST} to {LARGEST} cells beside the questions' workbooks")


@dataclass(frozen=True, slots=True)
class SheetSizes:
    """Workbook -> (sheet name, filled cells) of its sheets; nothing for a workbook that cannot be read."""

    include_hidden: bool

    def __call__(self, path: str) -> list[tuple[str, int]]:
        """The sizes of one workbook."""
        from cellroles.reader import iter_sheets

        try:
            return [(sheet.name, len(sheet)) for sheet in iter_sheets(path, include_hidden=self.include_hidden)]
        except (ValueError, OSError):
            return []


def _named(folder: Path, files: Sequence[str]) -> list[str]:
    if not folder.is_dir():
        what = "a file" if folder.exists() else "not there"
        raise ValueError(f"{folder}: the corpus is a folder of workbooks, and this is {what}")
    paths = [str(folder / file) for file in dict.fromkeys(files)]
    missing = [path for path in paths if not Path(path).is_file()]
    if missing:
        raise ValueError(f"{missing[0]}: the questions name this workbook, and it is not there ({len(missing)} in all)")
    return paths
